// Shares: how much of the cluster somebody holds above what they are guaranteed (DESIGN §5.2).
#pragma once

#include <compare>
#include <cstdint>

#include "base/fraction.h"
#include "model/state.h"

namespace stint::engine {

using base::Fraction;
using base::Millis;
using model::Amounts;
using model::State;

// max over resources with capacity of max(0, usage - guarantee) / capacity, exact. `counts` says
// which gpu models are looked at.
[[nodiscard]] Fraction share_above(const Amounts& usage, const Amounts& guarantee,
                                   const std::vector<bool>& counts, const Amounts& capacity);

// Plain share of a queue / of a tenant (whose guarantee is 0).
[[nodiscard]] Fraction queue_share(const State& state, model::QueueId queue);
[[nodiscard]] Fraction tenant_share(const State& state, const model::Tenant& tenant);

// `past` at `now`, with 32 bits behind the point.
[[nodiscard]] std::int64_t queue_past_q32(const State& state, model::QueueId queue, Millis now);
[[nodiscard]] std::int64_t tenant_past_q32(const State& state, const model::Tenant& tenant,
                                           Millis now);

// Whether the queue with the job stays inside its guarantee on every resource the job asks for.
// Looks at usage *after* (DESIGN §5.1).
[[nodiscard]] bool is_within(const State& state, model::QueueId queue, const Amounts& asks);

// max over guaranteed resources of usage / guarantee: how full the guarantee is.
[[nodiscard]] Fraction guarantee_fill(const State& state, model::QueueId queue);

// A weighted key, comparable exactly with every other of the same State: num / (den * weight).
struct Key {
  std::int64_t num = 0;
  std::int64_t den = 1;
  std::int64_t weight = 1;

  friend std::strong_ordering operator<=>(const Key& a, const Key& b);
  friend bool operator==(const Key& a, const Key& b) { return (a <=> b) == 0; }
};

// ((1-h)·share + h·past) / weight: exact with h = 0, else with 32 bits behind the point, rounded
// down once.
//   Units  history in thousandths, weight in thousandths > 0.
[[nodiscard]] Key blended_key(Fraction share, std::int64_t past_q32, std::int32_t history,
                              std::int64_t weight);

}  // namespace stint::engine
