// One sibling's standing in the turn, and the order of two (DESIGN §5.3).
//
// Invariant  a strict total order among siblings: it ends in the bytes of a name that only one of
// them has.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/turn/share.h"

namespace stint::engine {

// A queue among its siblings, or a user among the users of a leaf (who is never within).
struct Rank {
  bool within = false;
  Fraction fill;              // usage / guarantee; looked at if both are within
  bool weightless = false;    // weight 0: among borrowers always last
  std::int32_t priority = 0;  // of the queue; 0 for users
  Key key;
  std::int64_t past_q32 = 0;
  std::uint64_t served = 0;
  std::string_view name;  // path or user
};

// Whether `a` is offered capacity before `b`.
[[nodiscard]] bool goes_before(const Rank& a, const Rank& b);

// The rank of a queue whose next candidate is within its guarantee or not. `turn_share` is its
// plain share, or the hierarchical one of an inner queue.
[[nodiscard]] Rank queue_rank(const State& state, model::QueueId queue, Fraction turn_share,
                              bool within, Millis now);

// … of a queue whose next candidate asks for `asks`.
[[nodiscard]] Rank queue_rank(const State& state, model::QueueId queue, Fraction turn_share,
                              const Amounts& asks, Millis now);

// The rank of a user inside a leaf.
[[nodiscard]] Rank tenant_rank(const State& state, const model::Tenant& tenant, Millis now);

}  // namespace stint::engine
