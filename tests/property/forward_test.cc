// The closed forms of engine/forward against a run that is lived through step by step.
// Source  DESIGN 5.0 and its fine print in 5.8.
#include <algorithm>
#include <optional>

#include <gtest/gtest.h>

#include "claims.h"
#include "engine/forward/course.h"

namespace stint::property {
namespace {

using base::kNever;
using base::Millis;
using engine::Course;
using engine::Leaving;
using engine::Notice;
using engine::Progress;

constexpr int kCourses = 2000;

enum class Phase { Restart, Work, Save, NoticeSave };

// One run, a millisecond at a time.
class Life {
 public:
  explicit Life(const Course& course) : course_(course), t_(course.start) {
    progress_.since = course.start;
    settle();
  }

  [[nodiscard]] Millis now() const { return t_; }
  [[nodiscard]] const Progress& progress() const { return progress_; }
  [[nodiscard]] bool is_done() const { return is_done_; }
  [[nodiscard]] bool is_timeout() const { return is_timeout_; }
  [[nodiscard]] bool has_ended() const { return is_done_ || is_timeout_; }
  [[nodiscard]] bool has_saved_on_notice() const { return has_saved_on_notice_; }

  void tick() {
    ++t_;
    ++spent_;
    if (phase_ == Phase::Work) ++progress_.worked;
    settle();
  }
  // From now on it only saves.
  void save_on_notice() {
    phase_ = Phase::NoticeSave;
    spent_ = 0;
    settle();
  }

 private:
  // What is over at this moment: phases first (a finished save comes before an end), then the
  // limit.
  void settle() {
    while (settle_phase()) {
    }
    if (!is_done_ && course_.limit != kNever && t_ - course_.start >= course_.limit)
      is_timeout_ = true;
  }

  bool settle_phase() {
    switch (phase_) {
      case Phase::Restart:
        if (spent_ < course_.restart) return false;
        enter(Phase::Work);
        return true;
      case Phase::Work:
        if (progress_.worked == course_.work) {
          is_done_ = true;
        } else if (course_.every > 0 && spent_ == course_.every) {
          enter(Phase::Save);
          return true;
        }
        return false;
      case Phase::Save:
        if (spent_ < course_.takes) return false;
        progress_.saved = progress_.worked;
        progress_.since = t_;
        enter(Phase::Work);
        return true;
      case Phase::NoticeSave:
        if (spent_ < course_.takes || has_saved_on_notice_) return false;
        progress_.saved = progress_.worked;
        has_saved_on_notice_ = true;
        return false;
    }
    return false;
  }
  void enter(Phase phase) {
    phase_ = phase;
    spent_ = 0;
  }

  const Course course_;
  Millis t_;
  Phase phase_ = Phase::Restart;
  Millis spent_ = 0;
  Progress progress_;
  bool is_done_ = false;
  bool is_timeout_ = false;
  bool has_saved_on_notice_ = false;
};

Leaving lived_leaving(const Course& course, const Notice& notice) {
  Life life(course);
  while (life.now() < notice.told) life.tick();
  if (notice.saves) life.save_on_notice();
  while (true) {
    // At one moment: saves, then ends, then stops.
    if (life.has_ended()) return {life.now(), true, life.is_done(), 0, 0};
    if (life.has_saved_on_notice()) return {life.now(), false, false, life.progress().saved, 0};
    const Millis since_told = life.now() - notice.told;
    const bool leaves = !notice.saves && since_told == notice.stops_in;
    if (leaves || since_told == notice.grace) {
      return {life.now(), false, false, life.progress().saved, life.now() - life.progress().since};
    }
    life.tick();
  }
}

// Small numbers with many zeros, so that phases of no length and moments that coincide are common.
Course some_course() {
  Course course;
  course.start = *rc::gen::inRange<Millis>(0, 4);
  course.restart = *rc::gen::inRange<Millis>(0, 5);
  course.work = *rc::gen::inRange<Millis>(0, 40);
  course.every = *rc::gen::inRange<Millis>(0, 8);
  course.takes = *rc::gen::inRange<Millis>(0, 5);
  if (*rc::gen::arbitrary<bool>()) course.limit = *rc::gen::inRange<Millis>(1, 60);
  if (course.limit != kNever && *rc::gen::inRange(0, 5) == 0) course.work = kNever;
  RC_LOG() << "start " << course.start << " restart " << course.restart << " work " << course.work
           << " every " << course.every << " takes " << course.takes << " limit " << course.limit
           << '\n';
  return course;
}

TEST(Forward, EndsWhenARunLivedThroughStepByStepEnds) {
  holds(
      "ending",
      [] {
        const Course course = some_course();
        Life life(course);
        while (!life.has_ended()) life.tick();
        const engine::Ending ending = engine::ending(course);
        RC_ASSERT(ending.at == life.now());
        RC_ASSERT(ending.done == life.is_done());
      },
      kCourses);
}

TEST(Forward, StandsWhereTheLivedRunStandsAtEveryMoment) {
  holds(
      "progress_at",
      [] {
        const Course course = some_course();
        Life life(course);
        while (true) {
          const Progress progress = engine::progress_at(course, life.now());
          RC_LOG() << "at " << life.now() << '\n';
          RC_ASSERT(progress.worked == life.progress().worked);
          RC_ASSERT(progress.saved == life.progress().saved);
          RC_ASSERT(progress.since == life.progress().since);
          if (life.has_ended()) return;
          life.tick();
        }
      },
      kCourses);
}

TEST(Forward, LeavesAfterANoticeAsTheLivedRunDoes) {
  int saved_in_time = 0;
  int ended_first = 0;
  holds(
      "leaving",
      [&] {
        const Course course = some_course();
        const Millis ends = engine::ending(course).at;
        if (ends == course.start)
          return;  // never told: it is over before any event of that instant
        Notice notice;
        notice.told = *rc::gen::inRange<Millis>(course.start, ends);
        notice.stops_in = *rc::gen::inRange<Millis>(0, 9);
        notice.grace = *rc::gen::inRange<Millis>(0, 9);
        notice.saves = course.every > 0 && *rc::gen::arbitrary<bool>();
        RC_LOG() << "told " << notice.told << " stops_in " << notice.stops_in << " grace "
                 << notice.grace << " saves " << notice.saves << '\n';
        const Leaving lived = lived_leaving(course, notice);
        const Leaving leaving = engine::leaving(course, notice);
        RC_ASSERT(leaving.at == lived.at);
        RC_ASSERT(leaving.ends_itself == lived.ends_itself);
        RC_ASSERT(leaving.lost == lived.lost);
        if (lived.ends_itself) {
          ++ended_first;
          RC_ASSERT(leaving.done == lived.done);
        } else {
          saved_in_time += notice.saves && lived.lost == 0 ? 1 : 0;
          RC_ASSERT(leaving.saved == lived.saved);
        }
      },
      kCourses);
  EXPECT_GT(saved_in_time, kCourses / 20);
  EXPECT_GT(ended_first, kCourses / 20);
}

Millis stretched(Millis span, Millis by) { return span == kNever ? kNever : span * by; }

TEST(Forward, IsTheSameInAnyUnitOfTime) {
  holds(
      "scale",
      [] {
        const Course small = some_course();
        const Millis by = *rc::gen::inRange<Millis>(1, 1'000'000'000);
        Course large = small;
        for (Millis* span : {&large.start, &large.restart, &large.work, &large.every, &large.takes,
                             &large.limit}) {
          *span = stretched(*span, by);
        }
        const engine::Ending ending = engine::ending(small);
        RC_ASSERT(engine::ending(large).at == stretched(ending.at, by));
        RC_ASSERT(engine::ending(large).done == ending.done);
        const Millis t = *rc::gen::inRange<Millis>(small.start, ending.at + 1);
        const Progress progress = engine::progress_at(small, t);
        RC_ASSERT(engine::progress_at(large, t * by).worked == progress.worked * by);
        RC_ASSERT(engine::progress_at(large, t * by).saved == progress.saved * by);
        RC_ASSERT(engine::progress_at(large, t * by).since == progress.since * by);
      },
      kCourses);
}

}  // namespace
}  // namespace stint::property
