// Jobs: what was asked for (spec) and what has happened so far (facts).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "model/amounts.h"
#include "model/topology.h"

namespace stint::model {

using base::JobId;
using base::Millis;
using base::QueueId;
using base::ShapeId;
using base::UserId;

inline constexpr std::uint32_t kTasksMax = 1U << 20;

// How a job saves: `every` of work, then `takes` of saving; `restart` is paid by every run but the
// first.
struct Checkpoint {
  Millis every = 0;  // 0: never saves
  Millis takes = 0;
  Millis restart = 0;
  bool on_notice = false;

  friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
};

// Where the tasks of a gang want to stand: all in one domain of a level.
struct Wish {
  Level level = kWholeCluster;  // kWholeCluster: no wish
  bool must = false;            // else the next wider level will do

  friend bool operator==(const Wish&, const Wish&) = default;
};

// What is asked for, shared by all jobs that ask for the same: placement is tried once per shape.
struct Shape {
  std::uint32_t tasks = 1;
  Amounts each;                      // per task; `gpu/MODEL` is set where the labels name a model
  std::vector<base::LabelId> where;  // required labels, sorted
  Wish wish;

  // All tasks together.
  [[nodiscard]] Amounts total() const { return each * static_cast<std::int64_t>(tasks); }
  friend bool operator==(const Shape&, const Shape&) = default;
};

// How a job behaves while it runs: its saves, and how long it takes to leave after a stop. Jobs
// with the same habits share one entry of State::habits.
struct Habit {
  Checkpoint checkpoint;
  Millis stops_in = 0;

  friend bool operator==(const Habit&, const Habit&) = default;
};

// What decisions look at, with names already resolved to ids.
struct JobAsk {
  QueueId queue;  // a leaf
  UserId user;
  ShapeId shape;
  std::uint32_t habit = 0;  // index into State::habits; set by the engine
  std::int32_t priority = 0;
  bool preemptible = true;
  bool impossible = false;  // e.g. a limit above max_time: refused at submit, with that reason
  Millis submit = 0;
  Millis work =
      base::kNever;  // true length of the work: known to simulations only (and to `sjf_skip`)
  Millis limit = base::kNever;  // kNever = none
};
static_assert(sizeof(JobAsk) == 48);

// A job as submitted.
struct JobSpec : JobAsk {
  std::string name;  // may be empty: names are for people
  Checkpoint checkpoint;
  Millis stops_in = 0;
  std::vector<JobId> after;
  Millis patience = base::kNever;  // leaves if it has not started so long after its submission
};

enum class JobState : std::uint8_t {
  Future,     // known (a scenario or trace names it), not submitted yet
  Waiting,    // submitted, not running (held, waiting for another job, or for its turn)
  Running,    // has a run, also while that run is stopping
  Done,       // its work is finished
  Timeout,    // ended at its limit
  Cancelled,  // ended by its owner
};

}  // namespace stint::model
