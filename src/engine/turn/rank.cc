#include "engine/turn/rank.h"

namespace stint::engine {

namespace {

Rank rank_of(const State& state, Fraction share, std::int64_t past_q32, std::int64_t weight) {
  Rank rank;
  rank.weightless = weight == 0;
  rank.past_q32 = past_q32;
  // Two of weight 0 compare by raw share: no history, weight 1.
  rank.key = weight == 0 ? blended_key(share, 0, 0, model::kWeightOne)
                         : blended_key(share, past_q32, state.policy.history, weight);
  return rank;
}

bool latest_words(const Rank& a, const Rank& b) {
  if (a.served != b.served) return a.served < b.served;
  return a.name < b.name;
}

}  // namespace

bool goes_before(const Rank& a, const Rank& b) {
  if (a.within != b.within) return a.within;
  if (a.within) return a.fill != b.fill ? a.fill < b.fill : latest_words(a, b);
  if (a.weightless != b.weightless) return b.weightless;
  if (!a.weightless && a.priority != b.priority) return a.priority > b.priority;
  if (a.key != b.key) return a.key < b.key;
  if (a.past_q32 != b.past_q32) return a.past_q32 < b.past_q32;
  return latest_words(a, b);
}

Rank queue_rank(const State& state, model::QueueId queue, Fraction turn_share, bool within,
                Millis now) {
  const model::Queue& q = state.tree[queue];
  Rank rank = rank_of(state, turn_share, queue_past_q32(state, queue, now), q.weight);
  rank.within = within;
  if (rank.within) rank.fill = guarantee_fill(state, queue);
  rank.priority = q.priority;
  rank.served = state.queues[queue.index()].served;
  rank.name = q.path;
  return rank;
}

Rank queue_rank(const State& state, model::QueueId queue, Fraction turn_share, const Amounts& asks,
                Millis now) {
  return queue_rank(state, queue, turn_share, is_within(state, queue, asks), now);
}

Rank tenant_rank(const State& state, const model::Tenant& tenant, Millis now) {
  Rank rank = rank_of(state, tenant_share(state, tenant), tenant_past_q32(state, tenant, now),
                      tenant.weight);
  rank.served = tenant.account.served;
  rank.name = state.users.name(tenant.user.value);
  return rank;
}

}  // namespace stint::engine
