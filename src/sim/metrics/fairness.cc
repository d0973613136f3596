#include "sim/metrics/fairness.h"

namespace stint::sim {

void Fairness::changed(const engine::State& state, base::QueueId queue, bool is_backlogged) {
  is_fresh_ = false;
  if (!state.tree[queue].is_leaf()) return;
  if (queue.index() >= is_backlogged_.size()) is_backlogged_.resize(state.queues.size());
  if (is_backlogged_[queue.index()] == is_backlogged) return;
  is_backlogged_[queue.index()] = is_backlogged;
  backlogged_ += is_backlogged ? 1 : -std::size_t{1};
}

// Entitlements level by level from the root.
void Fairness::entitle(const engine::Engine& engine, base::QueueId queue, double total) {
  const engine::State& state = engine.state();
  const auto& children = state.tree[queue].children;
  std::vector<Claimant> claimants;
  claimants.reserve(children.size());
  for (const base::QueueId child : children) {
    const auto held = static_cast<double>(state.queues[child.index()].now[main_]);
    const auto waits = static_cast<double>(engine.waiting()[child.index()].asks[main_]);
    claimants.push_back({static_cast<double>(state.guarantees[child.index()][main_]),
                         static_cast<double>(state.tree[child].weight), held + waits,
                         static_cast<double>(state.tree[child].limit[main_])});
  }
  const std::vector<double> given = entitlements(total, claimants);
  for (std::size_t i = 0; i < children.size(); ++i) {
    entitled_[children[i].index()] = given[i];
    if (!state.tree[children[i]].is_leaf()) entitle(engine, children[i], given[i]);
  }
}

std::optional<double> Fairness::present(const engine::Engine& engine) {
  const engine::State& state = engine.state();
  entitled_.assign(state.queues.size(), 0);
  entitle(engine, model::Tree::root(), static_cast<double>(state.healthy[main_]));
  ratios_.clear();
  for (std::size_t q = 0; q < is_backlogged_.size(); ++q) {
    if (!is_backlogged_[q] || entitled_[q] <= 0) continue;
    ratios_.push_back(static_cast<double>(state.queues[q].now[main_]) / entitled_[q]);
  }
  if (ratios_.size() < 2) return std::nullopt;
  return jain_index(ratios_);
}

void Fairness::add(const engine::Engine& engine, Millis span) {
  if (backlogged_ < 2 || span <= 0) return;
  if (!is_fresh_) index_ = present(engine);
  is_fresh_ = true;
  if (!index_) return;
  sum_ += static_cast<double>(span) * *index_;
  span_ += static_cast<double>(span);
}

}  // namespace stint::sim
