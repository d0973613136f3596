// Leaves of which nothing can start are left alone until that may change.
//
// Everything of a leaf has failed in a pass. What failed by limits of the leaf or of its users, for
// want of nodes, or behind a barrier that the leaf's own work raised, fails again in the next pass
//   - until usage or jobs of the leaf change: account_changed(), insert() and erase() wake it;
//   - until nodes are there for one of its shapes: shape_may_fit() wakes it;
//   - and, if something waits behind a barrier, until its users change places: who comes first
//     raises the barrier. Time alone can do that, and the time is known beforehand.
// Barriers do not move meanwhile: they follow from the time limits of runs of the leaf. While it
// sleeps the leaf neither raises barriers for others nor ranks anybody, because there is no limit
// above it and its siblings do not look at what it offers.
#include <algorithm>

#include "base/assert.h"
#include "engine/turn/turn.h"

namespace stint::engine {

namespace {

constexpr bool has(std::uint8_t reasons, Why why) {
  return (reasons & static_cast<std::uint8_t>(why)) != 0;
}

}  // namespace

// Whether all jobs of the group failed in this pass.
bool Turn::is_spent(const State& state, const Group& group) {
  if (group.failed) return true;
  return group.tried_up_to &&
         !(*group.tried_up_to < job_rank(state, group.jobs.back(), ListOrder::User));
}

std::optional<Millis> Turn::may_sleep_until(const State& state, QueueId leaf) const {
  if (nested_ || offer_all_ || !state.tree[model::Tree::root()].users.empty()) return std::nullopt;
  const Level& level = levels_[leaf.index()];
  std::uint8_t reasons = 0;
  for (const TenantId tenant : level.waiting) {
    for (const Group& group : users_[tenant.index()].groups) {
      if (!is_spent(state, group) || group.reasons == 0) return std::nullopt;
      reasons |= group.reasons;
    }
  }
  if (has(reasons, Why::Other)) return std::nullopt;
  if (!has(reasons, Why::Barrier)) return base::kNever;
  // What failed before a start of the same pass may fare otherwise after it.
  if (level.changed_in == pass_) return std::nullopt;
  if (state.tree[leaf].priority_scope == model::PriorityScope::Queue) return std::nullopt;
  return order_stands_until(state, level);
}

// Until when the users who wait in a leaf keep their order.
Millis Turn::order_stands_until(const State& state, const Level& leaf) const {
  std::vector<Standing> users;
  users.reserve(leaf.waiting.size());
  for (const TenantId tenant : leaf.waiting) {
    users.push_back(tenant_standing(state, motion_, state.tenants[tenant.index()], 0, now_));
  }
  // All are exact at this instant, so that meeting changes none of them.
  std::sort(users.begin(), users.end(), [&](Standing& a, Standing& b) {
    return &a != &b && meet(state, motion_, a, b, now_).first_wins;
  });
  Millis until = base::kNever;
  for (std::size_t u = 1; u < users.size(); ++u) {
    until = std::min(until, meet(state, motion_, users[u - 1], users[u], now_).until);
  }
  return until;
}

void Turn::fall_asleep(const State& state, QueueId leaf) {
  Level& level = levels_[leaf.index()];
  if (level.is_asleep || level.looked_at_in == pass_) return;
  level.looked_at_in = pass_;
  const std::optional<Millis> until = may_sleep_until(state, leaf);
  if (!until || *until <= now_ + 1) return;
  level.is_asleep = true;
  level.wakes = *until;
  if (*until != base::kNever && !level.is_sleeper) sleepers_.push_back(leaf);
  level.is_sleeper |= *until != base::kNever;
  first_wakes_ = std::min(first_wakes_, *until);
  for (const TenantId tenant : level.waiting) {
    for (Group& group : users_[tenant.index()].groups) {
      Shape& shape = shape_at(group.kind.shape);
      if (has(group.reasons, Why::Nodes) && !group.is_passed_over) {
        STINT_ASSERT(shape.dead);
        shape.passed_over.emplace_back(tenant, group.kind);
        group.is_passed_over = true;
      }
      if (group.failed) continue;
      group.failed = true;
      ++shape.failed;
      if (is_live(shape)) --live_;
    }
  }
}

void Turn::wake(QueueId leaf) {
  Level& level = levels_[leaf.index()];
  if (!level.is_asleep) return;
  level.is_asleep = false;
  for (const TenantId tenant : level.waiting) {
    mark(tenant, false);
    for (Group& group : users_[tenant.index()].groups) {
      group.tried_up_to.reset();
      group.reasons = 0;
      group.failed = false;
      Shape& shape = shape_at(group.kind.shape);
      --shape.failed;
      if (is_live(shape)) ++live_;
    }
  }
}

void Turn::wake_who_is_due() {
  first_wakes_ = base::kNever;
  std::erase_if(sleepers_, [&](QueueId leaf) {
    Level& level = levels_[leaf.index()];
    if (level.is_asleep && level.wakes > now_) {
      first_wakes_ = std::min(first_wakes_, level.wakes);
      return false;
    }
    wake(leaf);
    level.is_sleeper = false;
    return true;
  });
}

}  // namespace stint::engine
