// Leaves of which nothing can start leave the contest until that may change.
//
// Where even the smallest of what waits is beyond a limit of the leaf, nothing is offered.
//
// Where work of the leaf has raised a barrier behind which all the others fail, nothing more is
// offered in this pass.
//
// Where everything has failed, by limits of the leaf or of its users, for want of nodes, or behind
// a barrier of the leaf's own work, it fails again in the next pass, and the leaf sleeps
//   - until its usage or its jobs change: account_changed(), insert() and erase() wake it;
//   - until nodes are there for one of its shapes: shape_may_fit() wakes it;
//   - and, if something waits behind a barrier, until its users change places: who comes first
//     raises the barrier. Time alone can do that, and the time is known beforehand.
// Barriers do not move meanwhile: they follow from the time limits of runs of the leaf.
//
// A leaf that is left alone neither raises barriers for others nor ranks anybody: there is no limit
// above it, and its siblings do not look at what it offers.
#include <algorithm>

#include "base/assert.h"
#include "engine/turn/account.h"
#include "engine/turn/turn.h"

namespace stint::engine {

namespace {

constexpr bool has(std::uint8_t reasons, Why why) {
  return (reasons & static_cast<std::uint8_t>(why)) != 0;
}

}  // namespace

// Whether what a leaf offers in vain concerns nobody outside of it.
bool Turn::stands_alone(const State& state) const {
  return !nested_ && !offer_all_ && state.tree[model::Tree::root()].users.empty();
}

// Whether every job that waits there would pass a limit of the leaf.
bool Turn::is_beyond_limit(const State& state, QueueId leaf) const {
  const Level& level = levels_[leaf.index()];
  const model::Account& account = state.queues[leaf.index()];
  const model::Amounts& limit = state.tree[leaf].limit;
  for (std::size_t r = 0; r < level.least.size(); ++r) {
    if (level.least[r] > 0 && usage(account, r) + level.least[r] > limit[r]) return true;
  }
  return false;
}

bool Turn::is_left_alone(const State& state, QueueId leaf) const {
  if (!state.tree[leaf].is_leaf() || !stands_alone(state)) return false;
  const Level& level = levels_[leaf.index()];
  return level.is_asleep || level.shut_in == pass_ || is_beyond_limit(state, leaf);
}

// What has left may have been the smallest or the shortest.
void Turn::renew_bounds(const State& state, Level& leaf) {
  leaf.bounded_in = pass_;
  leaf.shortest = base::kNever;
  bool is_first = true;
  for (const TenantId tenant : leaf.waiting) {
    for (const Group& group : users_[tenant.index()].groups) {
      leaf.shortest = std::min(leaf.shortest, group.shortest);
      const model::Shape& shape = state.shapes[group.kind.shape.index()];
      for (std::size_t r = 0; r < shape.each.size(); ++r) {
        const model::Amount total = shape.each[r] * static_cast<model::Amount>(shape.tasks);
        leaf.least[r] = is_first ? total : std::min(leaf.least[r], total);
      }
      is_first = false;
    }
  }
}

void Turn::barrier_raised(const State& state, QueueId leaf, base::ResourceId resource,
                          Millis until) {
  Level& level = levels_[leaf.index()];
  if (!stands_alone(state) || level.shut_in == pass_) return;
  const auto all_fail = [&] {
    return level.least[resource] > 0 && base::later(now_, level.shortest) > until;
  };
  if (!all_fail() && level.bounded_in != pass_) renew_bounds(state, level);
  if (!all_fail()) return;
  level.shut_in = pass_;
  shut_.push_back(leaf);
  mark(leaf);
}

// Whether all jobs of the group failed in this pass.
bool Turn::is_spent(const State& state, const Group& group) {
  if (group.failed) return true;
  return group.tried_up_to &&
         !(*group.tried_up_to < job_rank(state, group.jobs.back(), ListOrder::User));
}

std::optional<Millis> Turn::may_sleep_until(const State& state, QueueId leaf) const {
  if (!stands_alone(state)) return std::nullopt;
  const Level& level = levels_[leaf.index()];
  // What a shut leaf did not offer is behind its barrier; what it offered before that is not.
  const bool is_shut = level.shut_in == pass_;
  std::uint8_t reasons = is_shut ? static_cast<std::uint8_t>(Why::Barrier) : 0;
  for (const TenantId tenant : level.waiting) {
    for (const Group& group : users_[tenant.index()].groups) {
      if (!is_shut && (!is_spent(state, group) || group.reasons == 0)) return std::nullopt;
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
  mark(leaf);
  for (const TenantId tenant : level.waiting) {
    for (Group& group : users_[tenant.index()].groups) {
      if (!has(group.reasons, Why::Nodes) || group.is_passed_over) continue;
      Shape& shape = shape_at(group.kind.shape);
      STINT_ASSERT(shape.dead);
      shape.passed_over.emplace_back(tenant, group.kind);
      group.is_passed_over = true;
    }
  }
}

void Turn::wake(QueueId leaf) {
  Level& level = levels_[leaf.index()];
  if (!level.is_asleep) return;
  level.is_asleep = false;
  mark(leaf);
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
