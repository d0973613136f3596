#include "engine/turn/pass.h"

#include <algorithm>

#include "base/assert.h"
#include "engine/turn/account.h"

namespace stint::engine {

using model::QueueId;

TurnPass::TurnPass(const State& state, const PendingIndex& pending, Millis now)
    : state_(state),
      pending_(pending),
      now_(now),
      slot_by_tenant_(state.tenants.size()),
      levels_(state.queues.size()) {
  has_inner_child_.resize(levels_.size());
  for (std::size_t q = 1; q < levels_.size(); ++q) {
    const model::Queue& queue = state.tree.queues[q];
    if (!queue.is_leaf()) has_inner_child_[queue.parent.index()] = true;
  }
  for (const TenantId tenant : pending.active()) {
    Slot slot;
    slot.tenant = tenant;
    for (const PendingIndex::Group& group : pending.groups(tenant)) {
      slot.cursors.push_back({group.shape, false, std::nullopt});
    }
    slot_by_tenant_[tenant.index()] = static_cast<std::uint32_t>(slots_.size());
    levels_[state.tenants[tenant.index()].queue.index()].slots.push_back(slots_.size());
    slots_.push_back(std::move(slot));
  }
}

JobId TurnPass::next() {
  refresh(model::Tree::root());
  return levels_[model::Tree::root().index()].best;
}

void TurnPass::refresh(QueueId queue) {
  Level& level = levels_[queue.index()];
  if (level.fresh) return;
  level.fresh = true;
  const model::Queue& q = state_.tree[queue];
  if (q.is_leaf()) {
    refresh_leaf(queue);
    return;
  }
  level.best = JobId();
  QueueId first;
  for (const QueueId child : q.children) {
    refresh(child);
    if (!levels_[child.index()].best.valid()) continue;
    if (!first.valid()) {
      first = child;
    } else if (goes_before(rank_of(child), rank_of(first))) {
      first = child;
    }
  }
  if (first.valid()) level.best = levels_[first.index()].best;
}

void TurnPass::refresh_leaf(QueueId leaf) {
  Level& level = levels_[leaf.index()];
  level.best = JobId();
  Slot* first = nullptr;
  for (const std::size_t s : level.slots) {
    Slot& slot = slots_[s];
    refresh_slot(slot);
    if (!slot.best.valid()) continue;
    if (!first || slot_goes_before(slot, *first, leaf)) first = &slot;
  }
  if (first) level.best = first->best;
}

void TurnPass::refresh_slot(Slot& slot) {
  if (slot.fresh) return;
  slot.fresh = true;
  slot.best = JobId();
  std::optional<JobRank> best;
  std::size_t c = 0;
  for (const PendingIndex::Group& group : pending_.groups(slot.tenant)) {
    // Groups only vanish during a pass (their last job started), so the cursors are a superset in
    // order.
    while (slot.cursors[c].shape != group.shape) ++c;
    const Cursor& cursor = slot.cursors[c];
    if (cursor.failed) continue;
    const auto it =
        cursor.tried_up_to ? group.jobs.upper_bound(*cursor.tried_up_to) : group.jobs.begin();
    if (it != group.jobs.end() && (!best || *it < *best)) best = *it;
  }
  if (best) slot.best = best->id;
}

std::int64_t TurnPass::priority_in_leaf(const Slot& slot) const {
  const model::Job& job = state_.jobs[slot.best.index()];
  std::int64_t priority = job.spec.priority;
  if (!job.returned) return priority;
  // Back from a failure it counts with the highest priority among its user's jobs.
  for (const PendingIndex::Group& group : pending_.groups(slot.tenant)) {
    for (const JobRank& rank : group.jobs) priority = std::max(priority, -rank.minus_priority);
  }
  return priority;
}

bool TurnPass::slot_goes_before(Slot& a, Slot& b, QueueId leaf) {
  if (state_.tree[leaf].priority_scope == model::PriorityScope::Queue) {
    const std::int64_t pa = priority_in_leaf(a);
    const std::int64_t pb = priority_in_leaf(b);
    if (pa != pb) return pa > pb;
  }
  return goes_before(rank_of(a), rank_of(b));
}

const Rank& TurnPass::rank_of(Slot& slot) {
  if (!slot.rank_fresh) {
    slot.rank = tenant_rank(state_, state_.tenants[slot.tenant.index()], now_);
    slot.rank_fresh = true;
  }
  return slot.rank;
}

const Rank& TurnPass::rank_of(QueueId queue) {
  Level& level = levels_[queue.index()];
  if (level.rank_fresh) return level.rank;
  const bool among_inner = has_inner_child_[state_.tree[queue].parent.index()];
  if (among_inner) refresh_hierarchy();
  const Fraction share = among_inner ? hierarchy_->share(queue) : queue_share(state_, queue);
  const ShapeId shape = state_.jobs[level.best.index()].spec.shape;
  level.rank = queue_rank(state_, queue, share, state_.shapes[shape.index()].total(), now_);
  level.rank_fresh = true;
  return level.rank;
}

bool TurnPass::leaf_is_blocked(const Level& level) const {
  const std::vector<bool> saturated = saturated_resources(state_);
  for (const std::size_t s : level.slots) {
    const Slot& slot = slots_[s];
    std::size_t c = 0;
    for (const PendingIndex::Group& group : pending_.groups(slot.tenant)) {
      while (slot.cursors[c].shape != group.shape) ++c;
      const Cursor& cursor = slot.cursors[c];
      if (cursor.failed) continue;
      if (cursor.tried_up_to && !(*cursor.tried_up_to < *group.jobs.rbegin())) continue;
      const Amounts& each = state_.shapes[group.shape.index()].each;
      bool asks_saturated = false;
      for (std::size_t r = 0; r < each.size(); ++r) asks_saturated |= each[r] > 0 && saturated[r];
      if (!asks_saturated) return false;
    }
  }
  return true;
}

void TurnPass::refresh_hierarchy() {
  if (hierarchy_fresh_) return;
  std::vector<bool> blocked(levels_.size(), true);
  for (std::size_t q = 0; q < levels_.size(); ++q) {
    if (state_.tree.queues[q].is_leaf()) blocked[q] = leaf_is_blocked(levels_[q]);
  }
  hierarchy_.emplace(state_, std::move(blocked));
  hierarchy_fresh_ = true;
}

void TurnPass::invalidate_path(QueueId leaf) {
  if (state_.tree.is_nested) {
    // Saturation, and who is blocked, may have changed anywhere: inner ranks are stale.
    hierarchy_fresh_ = false;
    for (std::size_t q = 0; q < levels_.size(); ++q) {
      const model::Queue& queue = state_.tree.queues[q];
      if (!queue.is_leaf()) levels_[q].fresh = false;
      if (!queue.is_root() && has_inner_child_[queue.parent.index()]) levels_[q].rank_fresh = false;
    }
  }
  for (QueueId q = leaf; q.valid(); q = state_.tree[q].parent) {
    levels_[q.index()].fresh = levels_[q.index()].rank_fresh = false;
  }
}

TurnPass::Slot& TurnPass::slot_of(JobId job) {
  const model::JobSpec& spec = state_.jobs[job.index()].spec;
  for (const std::size_t s : levels_[spec.queue.index()].slots) {
    if (state_.tenants[slots_[s].tenant.index()].user == spec.user) return slots_[s];
  }
  STINT_ASSERT(false);
}

TurnPass::Cursor& TurnPass::cursor_of(Slot& slot, ShapeId shape) {
  const auto it = std::lower_bound(slot.cursors.begin(), slot.cursors.end(), shape,
                                   [](const Cursor& c, ShapeId s) { return c.shape < s; });
  STINT_ASSERT(it != slot.cursors.end() && it->shape == shape);
  return *it;
}

void TurnPass::granted(JobId job) {
  Slot& slot = slot_of(job);
  slot.fresh = slot.rank_fresh = false;
  invalidate_path(state_.jobs[job.index()].spec.queue);
}

void TurnPass::job_failed(JobId job) {
  Slot& slot = slot_of(job);
  cursor_of(slot, state_.jobs[job.index()].spec.shape).tried_up_to =
      job_rank(state_, job, pending_.order());
  slot.fresh = false;
  invalidate_path(state_.jobs[job.index()].spec.queue);
}

void TurnPass::group_failed(JobId job) {
  Slot& slot = slot_of(job);
  cursor_of(slot, state_.jobs[job.index()].spec.shape).failed = true;
  slot.fresh = false;
  invalidate_path(state_.jobs[job.index()].spec.queue);
}

}  // namespace stint::engine
