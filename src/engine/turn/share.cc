#include "engine/turn/share.h"

#include <algorithm>

#include "base/assert.h"
#include "base/int128.h"
#include "engine/turn/account.h"

namespace stint::engine {

namespace {

const std::vector<bool>& leaf_counts(const State& state, model::QueueId queue) {
  return state.tree[queue].counts;
}

// max over resources with capacity of over(r) / capacity.
template <class Over>
Fraction largest_part(const State& state, const Over& over) {
  Fraction share{0, 1};
  for (std::size_t r = 0; r < state.healthy.size(); ++r) {
    if (state.healthy[r] <= 0) continue;
    const model::Amount part = over(r);
    if (part > 0 && share < Fraction{part, state.healthy[r]}) share = {part, state.healthy[r]};
  }
  return share;
}

}  // namespace

Fraction share_above(const Amounts& usage, const Amounts& guarantee,
                     const std::vector<bool>& counts, const Amounts& capacity) {
  Fraction share{0, 1};
  for (std::size_t r = 0; r < usage.size(); ++r) {
    if (!counts[r] || capacity[r] <= 0) continue;
    const Fraction part{std::max<model::Amount>(0, usage[r] - guarantee[r]), capacity[r]};
    if (share < part) share = part;
  }
  return share;
}

Fraction queue_share(const State& state, model::QueueId queue) {
  const model::Account& account = state.queues[queue.index()];
  const Amounts& guarantee = state.guarantees[queue.index()];
  const std::vector<bool>& counts = leaf_counts(state, queue);
  return largest_part(state, [&](std::size_t r) {
    return counts[r] ? std::max<model::Amount>(0, usage(account, r) - guarantee[r]) : 0;
  });
}

Fraction tenant_share(const State& state, const model::Tenant& tenant) {
  const std::vector<bool>& counts = leaf_counts(state, tenant.queue);
  return largest_part(state,
                      [&](std::size_t r) { return counts[r] ? usage(tenant.account, r) : 0; });
}

std::int64_t queue_past_q32(const State& state, model::QueueId queue, Millis now) {
  return base::to_q32(state.queues[queue.index()].past.value_at(now, queue_share(state, queue),
                                                                state.policy.half_life));
}

std::int64_t tenant_past_q32(const State& state, const model::Tenant& tenant, Millis now) {
  return base::to_q32(
      tenant.account.past.value_at(now, tenant_share(state, tenant), state.policy.half_life));
}

bool is_within(const State& state, model::QueueId queue, const Amounts& asks) {
  const Amounts& after = state.queues[queue.index()].after;
  const Amounts& guarantee = state.guarantees[queue.index()];
  const std::vector<bool>& counts = state.tree[queue].counts;
  for (std::size_t r = 0; r < asks.size(); ++r) {
    if (asks[r] > 0 && counts[r] && after[r] + asks[r] > guarantee[r]) return false;
  }
  return true;
}

Fraction guarantee_fill(const State& state, model::QueueId queue) {
  const model::Account& account = state.queues[queue.index()];
  const Amounts& guarantee = state.guarantees[queue.index()];
  Fraction fill{0, 1};
  for (std::size_t r = 0; r < guarantee.size(); ++r) {
    if (!state.tree[queue].counts[r] || guarantee[r] == 0) continue;
    const Fraction part{usage(account, r), guarantee[r]};
    if (fill < part) fill = part;
  }
  return fill;
}

std::strong_ordering operator<=>(const Key& a, const Key& b) {
  // num < 2^44 (or a Q32 key below 2^62 with den = weight = 1), den < 2^44, weight < 2^37: inside
  // 128 bits.
  const base::i128 left = static_cast<base::i128>(a.num) * b.den * b.weight;
  const base::i128 right = static_cast<base::i128>(b.num) * a.den * a.weight;
  return left <=> right;
}

Key blended_key(Fraction share, std::int64_t past_q32, std::int32_t history, std::int64_t weight) {
  STINT_ASSERT(weight > 0);
  if (history == 0) return {share.num, share.den, weight};
  const std::int32_t present = model::kHistoryScale - history;
  const base::i128 blend = ((static_cast<base::i128>(share.num) * present) << 32) +
                           static_cast<base::i128>(past_q32) * history * share.den;
  const base::i128 key = blend / (static_cast<base::i128>(share.den) * weight);
  // A tiny weight beside a cluster that nearly vanished: past this all keys are alike.
  constexpr base::i128 kKeyMax = base::i128{1} << 62;
  return {static_cast<std::int64_t>(std::min(key, kKeyMax)), 1, 1};
}

}  // namespace stint::engine
