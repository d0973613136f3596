#include "engine/turn/kept_back.h"

#include <algorithm>

namespace stint::engine {

void KeptBack::renew(const model::State& state) {
  kept_.clear();
  children_.clear();
  if (!state.tree.keeps_back) return;
  const model::Amounts zero(state.healthy.size());
  kept_.assign(state.queues.size(), zero);
  children_.assign(state.queues.size(), zero);
  // Parents come before their children.
  for (std::size_t q = state.queues.size(); q-- > 1;) look(state, model::QueueId(q));
}

// max(0, G - U - lend), or what its children keep back together if that is more.
void KeptBack::look(const model::State& state, model::QueueId queue) {
  const model::Amounts& used = state.queues[queue.index()].after;
  const model::Amounts& guarantee = state.guarantees[queue.index()];
  const model::Amounts& lend = state.tree[queue].lend;
  model::Amounts& kept = kept_[queue.index()];
  model::Amounts& sum = children_[state.tree[queue].parent.index()];
  for (std::size_t r = 0; r < kept.size(); ++r) {
    const model::Amount now = std::max({model::Amount{0}, guarantee[r] - used[r] - lend[r],
                                        children_[queue.index()][r]});
    sum[r] += now - kept[r];
    kept[r] = now;
  }
}

void KeptBack::account_changed(const model::State& state, model::QueueId leaf) {
  if (kept_.empty()) return;
  for (model::QueueId q = leaf; !state.tree[q].is_root(); q = state.tree[q].parent) look(state, q);
}

model::Amounts KeptBack::beside(const model::State& state, model::QueueId leaf) const {
  model::Amounts sum(state.healthy.size());
  if (kept_.empty()) return sum;
  for (model::QueueId q = leaf; !state.tree[q].is_root(); q = state.tree[q].parent) {
    sum += children_[state.tree[q].parent.index()];
    sum -= kept_[q.index()];
  }
  return sum;
}

}  // namespace stint::engine
