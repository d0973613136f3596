#include "sim/theory/hierarchical.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace stint::sim {

HdrfReference::HdrfReference(std::vector<Rational> capacity, std::vector<HdrfNode> nodes)
    : capacity_(std::move(capacity)),
      free_(capacity_),
      nodes_(std::move(nodes)),
      children_(nodes_.size()),
      stamps_(nodes_.size(), 0) {
  STINT_ASSERT(!nodes_.empty() && !nodes_[0].parent);
  for (std::size_t n = 1; n < nodes_.size(); ++n) {
    STINT_ASSERT(nodes_[n].parent && *nodes_[n].parent < n);
    children_[*nodes_[n].parent].push_back(n);
  }
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    if (!children_[n].empty()) continue;
    STINT_ASSERT(nodes_[n].demand.size() == capacity_.size());
    STINT_ASSERT(
        std::ranges::any_of(nodes_[n].demand, [](const Rational& d) { return d.sign() > 0; }));
    for (const std::int64_t held = std::exchange(nodes_[n].running, 0); nodes_[n].running < held;) {
      STINT_ASSERT(fits(n));
      grant(n);
    }
  }
  // What ran at the start counts as never served.
  std::ranges::fill(stamps_, 0);
  clock_ = 0;
}

std::vector<std::size_t> HdrfReference::fill() {
  std::vector<std::size_t> served;
  std::vector<bool> tried(nodes_.size(), false);
  while (true) {
    const std::vector<View> now = views(tried);
    if (now[0].is_blocked) return served;
    const std::size_t leaf = descend(now);
    if (fits(leaf)) {
      grant(leaf);
      served.push_back(leaf);
    } else {
      tried[leaf] = true;
    }
  }
}

std::optional<std::size_t> HdrfReference::complete_oldest() {
  if (oldest_first_.empty()) return std::nullopt;
  const std::size_t leaf = oldest_first_.front();
  oldest_first_.pop_front();
  --nodes_[leaf].running;
  for (std::size_t r = 0; r < free_.size(); ++r) free_[r] += nodes_[leaf].demand[r];
  return leaf;
}

std::vector<HdrfReference::View> HdrfReference::views() const {
  return views(std::vector<bool>(nodes_.size(), false));
}

std::vector<HdrfReference::View> HdrfReference::views(const std::vector<bool>& tried) const {
  std::vector<View> all(nodes_.size());
  for (std::size_t n = nodes_.size(); n-- > 0;) {  // children before parents
    all[n] = children_[n].empty() ? view_of_leaf(n, tried[n]) : view_of_inner(n, all);
    all[n].share = share_of(all[n].usage);
  }
  return all;
}

HdrfReference::View HdrfReference::view_of_leaf(std::size_t node, bool tried) const {
  const HdrfNode& leaf = nodes_[node];
  View view;
  view.is_blocked = tried || (leaf.tasks && leaf.running >= *leaf.tasks);
  for (std::size_t r = 0; r < capacity_.size(); ++r) {
    view.usage.push_back(leaf.demand[r] * leaf.running);
    if (leaf.demand[r].sign() > 0 && free_[r].is_zero()) view.is_blocked = true;
  }
  return view;
}

HdrfReference::View HdrfReference::view_of_inner(std::size_t node,
                                                 const std::vector<View>& views) const {
  std::optional<Rational> least;  // M: share/weight, among children that are not blocked
  for (const std::size_t child : children_[node]) {
    if (views[child].is_blocked || nodes_[child].weight.is_zero()) continue;
    const Rational key = views[child].share / nodes_[child].weight;
    if (!least || key < *least) least = key;
  }
  View view;
  view.usage.resize(capacity_.size());
  view.is_blocked = true;
  for (const std::size_t child : children_[node]) {
    const View& part = views[child];
    Rational factor = 1;
    if (!part.is_blocked) {
      view.is_blocked = false;
      if (least && !nodes_[child].weight.is_zero() && !part.share.is_zero()) {
        factor = *least * nodes_[child].weight / part.share;
      }
    }
    for (std::size_t r = 0; r < capacity_.size(); ++r) view.usage[r] += part.usage[r] * factor;
  }
  return view;
}

Rational HdrfReference::share_of(const std::vector<Rational>& usage) const {
  Rational share;
  for (std::size_t r = 0; r < capacity_.size(); ++r) {
    if (free_[r].sign() > 0) share = std::max(share, usage[r] / capacity_[r]);
  }
  return share;
}

bool HdrfReference::goes_before(std::size_t a, std::size_t b,
                                const std::vector<View>& views) const {
  const bool a_last = nodes_[a].weight.is_zero();
  const bool b_last = nodes_[b].weight.is_zero();
  if (a_last != b_last) return b_last;
  const Rational a_key = a_last ? views[a].share : views[a].share / nodes_[a].weight;
  const Rational b_key = b_last ? views[b].share : views[b].share / nodes_[b].weight;
  if (a_key != b_key) return a_key < b_key;
  if (stamps_[a] != stamps_[b]) return stamps_[a] < stamps_[b];
  return a < b;
}

// From the root to the leaf that is offered the next task. Requires a root that is not blocked.
std::size_t HdrfReference::descend(const std::vector<View>& views) const {
  std::size_t node = 0;
  while (!children_[node].empty()) {
    std::optional<std::size_t> best;
    for (const std::size_t child : children_[node]) {
      if (views[child].is_blocked) continue;
      if (!best || goes_before(child, *best, views)) best = child;
    }
    STINT_ASSERT(best.has_value());
    node = *best;
  }
  return node;
}

bool HdrfReference::fits(std::size_t leaf) const {
  for (std::size_t r = 0; r < free_.size(); ++r) {
    if (nodes_[leaf].demand[r] > free_[r]) return false;
  }
  return true;
}

void HdrfReference::grant(std::size_t leaf) {
  for (std::size_t r = 0; r < free_.size(); ++r) free_[r] -= nodes_[leaf].demand[r];
  ++nodes_[leaf].running;
  oldest_first_.push_back(leaf);
  ++clock_;
  for (std::optional<std::size_t> n = leaf; n; n = nodes_[*n].parent) stamps_[*n] = clock_;
}

}  // namespace stint::sim
