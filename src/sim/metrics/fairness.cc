#include "sim/metrics/fairness.h"

#include <algorithm>

namespace stint::sim {

namespace {

// Passes over the claimants until the height is found: from above it is reached in one, from below
// in as many as there are claimants that are satisfied on the way.
constexpr int kPassesMax = 1000;

}  // namespace

void Fairness::claim(base::QueueId parent, const Claim& claim, bool claims) {
  Share& share = shares_[claim.queue.index()];
  std::vector<Claim>& all = levels_[parent.index()].claims;
  if (claims && share.claims) {
    all[share.place] = claim;
  } else if (claims) {
    share.place = static_cast<std::uint32_t>(all.size());
    all.push_back(claim);
  } else if (share.claims) {
    shares_[all.back().queue.index()].place = share.place;
    all[share.place] = all.back();
    all.pop_back();
  }
  share.claims = claims;
}

void Fairness::changed(const engine::State& state, base::QueueId queue, base::Amount asks) {
  is_fresh_ = false;
  if (state.tree[queue].is_root()) return;
  if (queue.index() >= shares_.size()) {
    shares_.resize(state.queues.size());
    levels_.resize(state.queues.size());
  }
  Share& share = shares_[queue.index()];
  share.parent = state.tree[queue].parent;
  share.held = static_cast<double>(state.queues[queue.index()].now[main_]);
  const double demand = share.held + static_cast<double>(asks);
  const double sure = std::min(static_cast<double>(state.guarantees[queue.index()][main_]), demand);
  const auto limit = static_cast<double>(state.tree[queue].limit[main_]);
  const double more = std::max(0.0, std::min(demand, limit) - sure);
  claim(share.parent, {queue, sure, more, static_cast<double>(state.tree[queue].weight)},
        demand > 0);
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

// The height h at which Σ min(more, h · weight) = left, by Newton's method: the sum is concave in
// h, so that the second step at the latest comes from below. What is wanted in all may be less.
double Fairness::height(const Level& level, double left) {
  double h = level.height;
  for (int pass = 0; pass < kPassesMax; ++pass) {
    double satisfied = 0;
    double weight = 0;
    for (const Claim& claim : level.claims) {
      const bool is_open = claim.more > h * claim.weight;
      weight += is_open ? claim.weight : 0;
      satisfied += is_open || claim.weight <= 0 ? 0 : claim.more;
    }
    if (weight <= 0 && satisfied <= left) return h;  // everybody has what they want
    const double next = weight > 0 ? std::max(0.0, left - satisfied) / weight : 0;
    if (next == h) return h;
    h = next;
  }
  return h;
}

double Fairness::given(const Level& level, const Share& share) {
  const Claim& claim = level.claims[share.place];
  return claim.sure + std::min(claim.more, level.height * claim.weight);
}

// As entitlements(), over the children that claim anything, level by level from the root.
void Fairness::entitle(const engine::State& state, base::QueueId queue, double total) {
  Level& level = levels_[queue.index()];
  double left = total;
  for (const Claim& claim : level.claims) left -= claim.sure;
  level.height = height(level, std::max(0.0, left));
  if (!state.tree.is_nested) return;
  for (const Claim& claim : level.claims) {
    if (!state.tree[claim.queue].is_leaf()) {
      entitle(state, claim.queue, given(level, shares_[claim.queue.index()]));
    }
  }
}

std::optional<double> Fairness::present(const engine::Engine& engine) {
  const engine::State& state = engine.state();
  if (levels_.empty()) return std::nullopt;
  entitle(state, model::Tree::root(), static_cast<double>(state.healthy[main_]));
  double sum = 0;
  double squares = 0;
  std::size_t count = 0;
  for (const base::QueueId queue : backlog_) {
    const Share& share = shares_[queue.index()];
    const double entitled = given(levels_[share.parent.index()], share);
    if (entitled <= 0) continue;
    const double ratio = share.held / entitled;
    ++count;
    sum += ratio;
    squares += ratio * ratio;
  }
  if (count < 2) return std::nullopt;
  return squares <= 0 ? 1.0 : sum * sum / (static_cast<double>(count) * squares);
}

void Fairness::add(const engine::Engine& engine, base::Millis span) {
  if (backlog_.size() < 2 || span <= 0) return;
  if (!is_fresh_) index_ = present(engine);
  is_fresh_ = true;
  if (!index_) return;
  sum_ += static_cast<double>(span) * *index_;
  span_ += static_cast<double>(span);
}

}  // namespace stint::sim
