// Where a sibling stands in the turn, and for how long two siblings keep their order.
//
// Between two bookings only `past` moves, towards the present share, by one factor for all: a key
// is end + (start - end) * x with x = 2^(-t/half_life), a straight line in x. Two lines cross at
// most once, so the order of two is decided once and stands until a time that is known beforehand.
//
// Exactness  the order is that of `goes_before` on exact ranks at every instant. Bounds of keys
// only
//            save the exact computation where they do not overlap.
// Threads    values.
#pragma once

#include <cstdint>

#include "base/decay.h"
#include "engine/turn/rank.h"
#include "model/state.h"

namespace stint::engine {

// How keys move under a policy.
class Motion {
 public:
  explicit Motion(const model::Policy& policy);

  [[nodiscard]] std::int32_t history() const { return history_; }
  [[nodiscard]] Millis half_life() const { return half_life_; }
  // An upper bound of the part of its way that a value has gone after `span`, with 32 bits behind
  // the point.
  [[nodiscard]] std::int64_t moved_q32(Millis span) const;
  // Until when a gap between two keys that is `gap` at `now` and moves towards `end` stays above
  // `least`; the instant after `now` if it is not above it now.
  [[nodiscard]] Millis stays_above(std::int64_t least, std::int64_t gap, std::int64_t end,
                                   Millis now) const;

 private:
  Millis half_life_;
  std::int32_t history_;
  std::uint64_t step_ = 0;  // 2^64 * ln 2 / half_life, rounded up
};

struct Standing {
  Rank rank;                      // exact at `at`, but for its name
  std::int64_t job_priority = 0;  // of what it would offer; compared first (priority_scope: queue)
  Millis at = 0;
  // What moves the rank.
  Fraction turn_share;  // by which it is ranked: the plain one, or the hierarchical one
  Fraction share;       // to which `past` moves
  base::DecayedAverage past;
  std::int64_t weight = model::kWeightOne;
  bool at_rest = false;       // past has arrived at the share: nothing moves
  std::int64_t key_end = 0;   // where the key is heading, as the key with 32 bits
  std::int64_t past_end = 0;  // where past is heading
  std::int64_t slack = 0;     // how far rounding may put a key off its line
  // Whose it is: a user inside a leaf, or a queue.
  model::QueueId queue;
  base::UserId user;
};

// The standing of a queue whose next candidate is within or not. `turn_share` is its plain share,
// or the hierarchical one.
[[nodiscard]] Standing queue_standing(const State& state, const Motion& motion,
                                      model::QueueId queue, Fraction turn_share, bool within,
                                      Millis now);
// The standing of a user inside a leaf.
[[nodiscard]] Standing tenant_standing(const State& state, const Motion& motion,
                                       const model::Tenant& tenant, std::int64_t job_priority,
                                       Millis now);

struct Verdict {
  bool first_wins = true;
  Millis until = 0;  // holds at every instant before this one, while neither standing is replaced
};

// Who of two siblings is offered capacity first at `now`. Their ranks may be brought up to date.
[[nodiscard]] Verdict meet(const State& state, const Motion& motion, Standing& a, Standing& b,
                           Millis now);

}  // namespace stint::engine
