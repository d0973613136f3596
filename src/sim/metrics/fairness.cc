#include "sim/metrics/fairness.h"

#include <algorithm>

namespace stint::sim {

void Fairness::changed(const engine::State& state, base::QueueId queue, base::Amount asks) {
  is_fresh_ = false;
  if (queue.index() >= shares_.size()) shares_.resize(state.queues.size());
  Share& share = shares_[queue.index()];
  share.held = static_cast<double>(state.queues[queue.index()].now[main_]);
  share.claim = {static_cast<double>(state.guarantees[queue.index()][main_]),
                 static_cast<double>(state.tree[queue].weight),
                 share.held + static_cast<double>(asks),
                 static_cast<double>(state.tree[queue].limit[main_])};
  const bool is_backlogged = asks > 0 && state.tree[queue].is_leaf();
  if (share.is_backlogged == is_backlogged) return;
  share.is_backlogged = is_backlogged;
  const auto place = std::lower_bound(backlog_.begin(), backlog_.end(), queue);
  if (is_backlogged) {
    backlog_.insert(place, queue);
  } else {
    backlog_.erase(place);
  }
}

// As entitlements(), over the children that ask for anything, level by level from the root.
void Fairness::entitle(const engine::State& state, base::QueueId queue, double total) {
  double left = total;
  double weight = 0;
  std::vector<base::QueueId> open;
  for (const base::QueueId child : state.tree[queue].children) {
    Share& share = shares_[child.index()];
    share.given = std::min(share.claim.guarantee, share.claim.demand);
    if (share.claim.demand <= 0) continue;
    left -= share.given;
    if (share.claim.weight <= 0) continue;
    open.push_back(child);
    weight += share.claim.weight;
  }
  bool closed = true;
  while (closed && !open.empty()) {
    closed = false;
    const double level = std::max(0.0, left) / weight;
    std::size_t kept = 0;
    for (const base::QueueId child : open) {
      Share& share = shares_[child.index()];
      const double most = std::min(share.claim.demand, share.claim.limit);
      const double more = std::max(0.0, most - share.given);
      if (more > level * share.claim.weight) {
        open[kept++] = child;
        continue;
      }
      share.given += more;
      left -= more;
      weight -= share.claim.weight;
      closed = true;
    }
    open.resize(kept);
  }
  const double level = open.empty() ? 0 : std::max(0.0, left) / weight;
  for (const base::QueueId child : open) {
    shares_[child.index()].given += level * shares_[child.index()].claim.weight;
  }
  if (!state.tree.is_nested) return;
  for (const base::QueueId child : state.tree[queue].children) {
    if (!state.tree[child].is_leaf() && shares_[child.index()].claim.demand > 0) {
      entitle(state, child, shares_[child.index()].given);
    }
  }
}

std::optional<double> Fairness::present(const engine::Engine& engine) {
  const engine::State& state = engine.state();
  entitle(state, model::Tree::root(), static_cast<double>(state.healthy[main_]));
  double sum = 0;
  double squares = 0;
  std::size_t count = 0;
  for (const base::QueueId queue : backlog_) {
    const Share& share = shares_[queue.index()];
    if (share.given <= 0) continue;
    const double ratio = share.held / share.given;
    ++count;
    sum += ratio;
    squares += ratio * ratio;
  }
  if (count < 2) return std::nullopt;
  return squares <= 0 ? 1.0 : sum * sum / (static_cast<double>(count) * squares);
}

void Fairness::add(const engine::Engine& engine, Millis span) {
  if (backlog_.size() < 2 || span <= 0) return;
  if (!is_fresh_) index_ = present(engine);
  is_fresh_ = true;
  if (!index_) return;
  sum_ += static_cast<double>(span) * *index_;
  span_ += static_cast<double>(span);
}

}  // namespace stint::sim
