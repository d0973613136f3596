#include "engine/forward/course.h"

#include <algorithm>

#include "base/assert.h"
#include "base/int128.h"

namespace stint::engine {

namespace {

// Saves that are complete before the work is done; no save is made when nothing is left to do.
Millis saves_in(const Course& course) {
  if (course.every == 0 || course.work <= 0) return 0;
  return course.work == kNever ? kNever : (course.work - 1) / course.every;
}

}  // namespace

Ending ending(const Course& course) {
  const Millis limit_at = base::later(course.start, course.limit);
  if (course.work == kNever) return {limit_at, false};
  const base::i128 span =
      static_cast<base::i128>(saves_in(course)) * course.takes + course.work + course.restart;
  const Millis done_at =
      span < kNever ? base::later(course.start, static_cast<Millis>(span)) : kNever;
  return done_at <= limit_at ? Ending{done_at, true} : Ending{limit_at, false};
}

Progress progress_at(const Course& course, Millis t) {
  STINT_ASSERT(t >= course.start);
  const Millis active = std::max<Millis>(0, t - course.start - course.restart);
  if (course.every == 0) return {std::min(active, course.work), 0, course.start};
  const Millis cycle = course.every + course.takes;
  const Millis saves = std::min(active / cycle, saves_in(course));
  const Millis rest = active - saves * cycle;
  Progress progress;
  progress.saved = saves * course.every;
  // In the last stretch there is no save to come, so the work may go on up to its end.
  const Millis stretch = saves == saves_in(course) ? rest : std::min(rest, course.every);
  progress.worked = std::min(progress.saved + stretch, course.work);
  progress.since = saves == 0 ? course.start : course.start + course.restart + saves * cycle;
  return progress;
}

Leaving leaving(const Course& course, const Notice& notice) {
  const Ending natural = ending(course);
  const Millis killed = base::later(notice.told, notice.grace);
  const Millis limit_at = base::later(course.start, course.limit);
  if (notice.saves) {
    const bool in_time = notice.told + course.takes <= killed;
    const Millis at = in_time ? notice.told + course.takes : killed;
    const Progress told = progress_at(course, notice.told);
    if (limit_at <= at) return {limit_at, true, false, told.saved, 0};
    if (in_time) return {at, false, false, told.worked, 0};
    return {at, false, false, told.saved, at - told.since};
  }
  const Millis at = std::min(base::later(notice.told, notice.stops_in), killed);
  if (natural.at <= at) return {natural.at, true, natural.done, 0, 0};
  const Progress left = progress_at(course, at);
  return {at, false, false, left.saved, at - left.since};
}

}  // namespace stint::engine
