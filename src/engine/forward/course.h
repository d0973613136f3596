// How a run unfolds: restart, then work and saves in turn, until its work is done or its limit
// comes.
//
// One clock for the simulator, forecasts, plan and what-if: nobody else computes when a run ends,
// what it has saved, or when it leaves after a notice. Closed forms, no stepping.
//
// Source   DESIGN §5.0 (a run) and its fine print in §5.8.
// Threads  pure functions.
//
//   Course course{.start = 0, .work = 2 * kHour, .every = 30 * kMinute, .takes = kMinute};
//   ending(course).at;                      // 2h3m: three saves, none at the very end
//   progress_at(course, 46 * kMinute).since // 31m: the end of the last save
#pragma once

#include "base/time.h"

namespace stint::engine {

using base::kNever;
using base::Millis;

// One run. All spans in ms; work and limit may be kNever.
struct Course {
  Millis start = 0;
  Millis restart = 0;     // paid first; 0 on a job's first run
  Millis work = 0;        // what is left to do when the run begins
  Millis every = 0;       // work between two saves; 0 = never saves
  Millis takes = 0;       // length of a save
  Millis limit = kNever;  // span from start
};

struct Ending {
  Millis at = kNever;
  bool done = false;  // false: ended at its limit
};

// When and how the run ends if nobody stops it. Work that is done at the moment of the limit is
// done.
[[nodiscard]] Ending ending(const Course& course);

struct Progress {
  Millis worked = 0;  // work done in this run
  Millis saved = 0;   // of which saved
  Millis since = 0;  // end of the last save, or the run's start: what a stop loses counts from here
};

// Where the run stands at `t` >= start. A save that ends at `t` counts.
[[nodiscard]] Progress progress_at(const Course& course, Millis t);

struct Notice {
  Millis told = 0;
  Millis stops_in = 0;
  Millis grace = 0;
  bool saves = false;  // saves on notice
};

struct Leaving {
  Millis at = 0;             // when it has left
  bool ends_itself = false;  // its work is done, or its limit comes, no later than that
  bool done = false;         // if it ends itself: its work is done
  Millis saved = 0;          // of this run's work
  Millis lost = 0;  // span of held time that is lost; 0 if it saved on notice or ended itself
};

// What becomes of the run after a notice. One that saves on notice works no more and leaves after
// `takes`; any other works on for `stops_in`. At `grace` after the notice it is killed.
[[nodiscard]] Leaving leaving(const Course& course, const Notice& notice);

}  // namespace stint::engine
