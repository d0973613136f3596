#include "engine/turn/hierarchy.h"

#include <algorithm>
#include <optional>

#include "engine/turn/account.h"

namespace stint::engine {

namespace {

using base::i128;
using model::Amount;
using model::QueueId;

constexpr unsigned kBits = 32;
constexpr Amount kNumeratorMax = Amount{1} << 44;

i128 widen(Amount amount) { return static_cast<i128>(amount) << kBits; }

// Sums of parts that were each rounded to 2^-32 are snapped to 2^-24, so that parts which add up to
// a whole amount do so exactly.
i128 snap(i128 value) { return ((value + (i128{1} << 7)) >> 8) << 8; }

// amount * (least_num/least_den) * weight * den / num, rounded to nearest: the over-part of a child
// of share num/den scaled to `least` (a share per weight).
i128 scaled(i128 over, const Key& least, std::int64_t weight, Fraction share) {
  // factor = least / (share/weight), at most 1, as a/b.
  const i128 above = static_cast<i128>(least.num) * share.den * weight;
  const i128 below = static_cast<i128>(least.den) * least.weight * share.num;
  if (above >= below) return over;
  // above < below < 2^125: shift both down until rest * a stays inside 127 bits.
  i128 a = above;
  i128 b = below;
  while (b >= (i128{1} << 62)) {
    a >>= 1;
    b >>= 1;
  }
  const i128 whole = over / b;
  const i128 rest = over % b;
  return whole * a + (rest * a + b / 2) / b;
}

}  // namespace

std::vector<bool> saturated_resources(const State& state) {
  std::vector<bool> saturated(state.free.size());
  for (std::size_t r = 0; r < saturated.size(); ++r) saturated[r] = state.free[r] <= 0;
  return saturated;
}

Hierarchy::Hierarchy(const State& state, std::vector<bool> is_blocked)
    : state_(&state),
      blocked_(std::move(is_blocked)),
      saturated_(saturated_resources(state)),
      usage_(state.queues.size()),
      shares_(state.queues.size()) {
  bool all_blocked = true;
  for (std::size_t q = 0; q < blocked_.size(); ++q) {
    if (state.tree.queues[q].is_leaf() && !blocked_[q]) all_blocked = false;
  }
  plain_ = all_blocked;
  if (all_blocked) {
    for (std::size_t q = 1; q < shares_.size(); ++q) shares_[q] = queue_share(state, QueueId(q));
    return;
  }
  for (const QueueId child : state.tree[model::Tree::root()].children) compute(child);
}

Fraction Hierarchy::share(QueueId queue) const {
  const Fraction share = shares_[queue.index()];
  if (plain_ || !state_->tree[queue].is_leaf()) return share;
  const i128 rounded = widen(share.num) / share.den;
  return {static_cast<std::int64_t>(std::min<i128>(rounded, kNumeratorMax)),
          std::int64_t{1} << kBits};
}

void Hierarchy::compute(QueueId queue) {
  if (state_->tree[queue].is_leaf()) {
    compute_leaf(queue);
    return;
  }
  for (const QueueId child : state_->tree[queue].children) compute(child);
  compute_inner(queue);
}

void Hierarchy::compute_leaf(QueueId leaf) {
  const model::Account& account = state_->queues[leaf.index()];
  Vector& wide = usage_[leaf.index()];
  wide.resize(account.now.size());
  for (std::size_t r = 0; r < wide.size(); ++r) wide[r] = widen(engine::usage(account, r));
  shares_[leaf.index()] = queue_share(*state_, leaf);
}

bool Hierarchy::leaf_changed(const State& state, QueueId leaf, bool is_blocked) {
  blocked_[leaf.index()] = is_blocked;
  for (std::size_t r = 0; r < saturated_.size(); ++r) {
    if (saturated_[r] != (state.free[r] <= 0)) return false;
  }
  state_ = &state;
  if (plain_) {
    for (QueueId q = leaf; !state.tree[q].is_root(); q = state.tree[q].parent) {
      shares_[q.index()] = queue_share(state, q);
    }
    return true;
  }
  compute_leaf(leaf);
  for (QueueId q = state.tree[leaf].parent; !state.tree[q].is_root(); q = state.tree[q].parent) {
    compute_inner(q);
  }
  return true;
}

void Hierarchy::compute_inner(QueueId queue) {
  const std::vector<QueueId>& children = state_->tree[queue].children;
  std::optional<Key> least;
  bool blocked = true;
  for (const QueueId child : children) {
    if (blocked_[child.index()]) continue;
    blocked = false;
    const std::int64_t weight = state_->tree[child].weight;
    if (weight == 0) continue;
    const Fraction share = shares_[child.index()];
    const Key key{share.num, share.den, weight};
    if (!least || key < *least) least = key;
  }
  blocked_[queue.index()] = blocked;
  Vector& sum = usage_[queue.index()];
  sum.assign(state_->free.size(), 0);
  for (const QueueId child : children) {
    const Amounts& guarantee = state_->guarantees[child.index()];
    const std::int64_t weight = state_->tree[child].weight;
    const Fraction share = shares_[child.index()];
    const bool scale = least && !blocked_[child.index()] && weight > 0 && share.num > 0;
    for (std::size_t r = 0; r < sum.size(); ++r) {
      const i128 used = usage_[child.index()][r];
      const i128 over = std::max<i128>(0, used - widen(guarantee[r]));
      sum[r] += (used - over) + (scale ? scaled(over, *least, weight, share) : over);
    }
  }
  for (i128& value : sum) value = snap(value);
  shares_[queue.index()] = share_of(sum, queue);
}

Fraction Hierarchy::share_of(const Vector& usage, QueueId queue) const {
  const Amounts& guarantee = state_->guarantees[queue.index()];
  const model::Queue& q = state_->tree[queue];
  Fraction share{0, std::int64_t{1} << kBits};
  for (std::size_t r = 0; r < usage.size(); ++r) {
    if (saturated_[r] || !q.counts[r] || state_->healthy[r] <= 0) continue;
    const i128 over = std::max<i128>(0, usage[r] - widen(guarantee[r]));
    const i128 part = std::min<i128>(over / state_->healthy[r], kNumeratorMax);
    share.num = std::max(share.num, static_cast<std::int64_t>(part));
  }
  return share;
}

}  // namespace stint::engine
