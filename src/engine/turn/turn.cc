#include "engine/turn/turn.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "base/assert.h"
#include "engine/turn/account.h"
#include "engine/turn/quota.h"

namespace stint::engine {

Turn::Turn(const State& state)
    : motion_(state.policy),
      nested_(state.tree.is_nested),
      levels_(state.queues.size()),
      has_inner_child_(state.queues.size()),
      assumed_(state.free.size()) {
  for (std::size_t q = 0; q < levels_.size(); ++q) {
    const model::Queue& queue = state.tree.queues[q];
    if (!queue.is_leaf()) inner_.push_back(QueueId(q));
    if (q > 0 && !queue.is_leaf()) has_inner_child_[queue.parent.index()] = true;
    for (std::size_t c = 0; c < queue.children.size(); ++c) {
      levels_[queue.children[c].index()].place = static_cast<std::uint32_t>(c);
    }
  }
}

// --- marks -------------------------------------------------------------------------------------

void Turn::mark(TenantId tenant, bool standing) {
  if (tenant.index() >= users_.size()) return;
  User& user = users_[tenant.index()];
  if (!user.is_member) return;  // nothing of theirs has waited yet
  user.is_standing_old |= standing;
  if (user.is_marked) return;
  user.is_marked = true;
  marked_users_.push_back(tenant);
}

void Turn::mark(QueueId queue) {
  Level& level = levels_[queue.index()];
  if (level.is_marked) return;
  level.is_marked = true;
  marked_queues_.push_back(queue);
}

void Turn::mark_path(const State& state, QueueId leaf) {
  for (QueueId q = leaf; !state.tree[q].is_root(); q = state.tree[q].parent) mark(q);
}

void Turn::mark_members(QueueId leaf) {
  for (const TenantId tenant : levels_[leaf.index()].waiting) mark(tenant, false);
}

void Turn::account_changed(const State& state, QueueId leaf, const std::vector<TenantId>& tenants) {
  wake(leaf);
  levels_[leaf.index()].changed_in = pass_;
  mark_path(state, leaf);
  if (nested_ && !hierarchy_old_) {
    changed_leaves_.push_back(leaf);
    if (changed_leaves_.size() > levels_.size()) hierarchy_old_ = true;  // nobody has asked
  }
  for (std::size_t t = 0; t < tenants.size(); ++t) {
    const model::Tenant& tenant = state.tenants[tenants[t].index()];
    if (t == 0) {
      mark(tenants[t], true);
    } else if (tenant.user.index() < leaves_of_user_.size()) {
      // A block of users on an inner queue: the same person elsewhere below it.
      for (const TenantId other : leaves_of_user_[tenant.user.index()]) mark(other, true);
    }
  }
}

void Turn::everything_changed(const State& state) {
  motion_ = Motion(state.policy);
  hierarchy_old_ = true;
  for (std::size_t t = 0; t < users_.size(); ++t) {
    mark(TenantId(t), true);
  }
  for (std::size_t q = 1; q < levels_.size(); ++q) {
    wake(QueueId(q));
    renew_flags(state, QueueId(q));
    mark(QueueId(q));
  }
}

// --- groups ------------------------------------------------------------------------------------

Turn::Shape& Turn::shape_at(ShapeId shape) {
  if (shape.index() >= shapes_.size()) shapes_.resize(shape.index() + 1);
  return shapes_[shape.index()];
}

std::vector<Turn::Group>::iterator Turn::find_group(User& user, Kind kind) {
  return std::lower_bound(user.groups.begin(), user.groups.end(), kind,
                          [](const Group& g, const Kind& k) { return g.kind < k; });
}

Turn::Group& Turn::group_of(JobId job, const State& state) {
  const Kind kind = kind_of(state.jobs[job].spec);
  User& user = users_[state.jobs[job].tenant.index()];
  const auto it = find_group(user, kind);
  STINT_ASSERT(it != user.groups.end() && it->kind == kind);
  return *it;
}

void Turn::group_appears(const State& state, QueueId leaf, ShapeId id) {
  Shape& shape = shape_at(id);
  if (shape.asks == 0) {
    const model::Amounts& each = state.shapes[id.index()].each;
    for (std::size_t r = 0; r < each.size(); ++r) shape.asks |= each[r] > 0 ? 1U << r : 0U;
  }
  ++shape.groups;
  if (is_live(shape)) ++live_;
  Level& level = levels_[leaf.index()];
  const model::Amounts total = state.shapes[id.index()].total();
  if (level.groups++ == 0) {
    level.most = level.least = total;
    level.waits = model::Amounts(total.size());
    level.shortest = base::kNever;
    level.active_place = static_cast<std::uint32_t>(active_.size());
    active_.push_back(leaf);
  } else {
    for (std::size_t r = 0; r < total.size(); ++r) {
      level.most[r] = std::max(level.most[r], total[r]);
      level.least[r] = std::min(level.least[r], total[r]);
    }
  }
  mark_path(state, leaf);
}

void Turn::group_vanishes(QueueId leaf, Group& group) {
  Shape& shape = shape_at(group.kind.shape);
  --shape.groups;
  if (group.failed) {
    --shape.failed;
  } else if (is_live(shape)) {
    --live_;
  }
  group.failed = false;
  group.reasons = 0;
  group.tried_up_to.reset();
  Level& level = levels_[leaf.index()];
  if (--level.groups > 0) return;
  levels_[active_.back().index()].active_place = level.active_place;
  active_[level.active_place] = active_.back();
  active_.pop_back();
}

void Turn::insert(const State& state, JobId job) {
  const model::JobAsk& ask = state.jobs[job].spec;
  const TenantId tenant = state.jobs[job].tenant;
  if (tenant.index() >= users_.size()) users_.resize(state.tenants.size());
  User& user = users_[tenant.index()];
  Level& leaf = levels_[ask.queue.index()];
  wake(ask.queue);
  if (!user.is_member) {
    user.is_member = true;
    user.leaf = ask.queue;
    user.place = static_cast<std::uint32_t>(leaf.members.size());
    leaf.members.push_back(tenant);
    if (ask.user.index() >= leaves_of_user_.size()) leaves_of_user_.resize(ask.user.index() + 1);
    leaves_of_user_[ask.user.index()].push_back(tenant);
    for (QueueId q = ask.queue; q.valid(); q = state.tree[q].parent) {
      if (state.tree[q].users.empty()) continue;
      limited_.push_back(tenant);
      break;
    }
  }
  if (user.groups.empty()) {
    user.waiting_place = static_cast<std::uint32_t>(leaf.waiting.size());
    leaf.waiting.push_back(tenant);
  }
  auto it = find_group(user, kind_of(ask));
  if (it == user.groups.end() || it->kind != kind_of(ask)) {
    it = user.groups.insert(it, Group{kind_of(ask), {}, false, false, 0, {}, base::kNever});
  }
  if (it->jobs.empty()) group_appears(state, ask.queue, ask.shape);
  leaf.waits += state.shapes[ask.shape.index()].total();
  it->shortest = std::min(it->shortest, ask.limit);
  leaf.shortest = std::min(leaf.shortest, ask.limit);
  mark(ask.queue);
  it->jobs.insert(state, ListOrder::User, job);
  if (!ask.preemptible) {
    ++user.protected_jobs;
    if (leaf.protected_jobs++ == 0) mark_path(state, ask.queue);
  }
  mark(tenant, false);
  look_whether_blocked(state, ask.queue);
}

void Turn::erase(const State& state, JobId job) {
  const model::JobAsk& ask = state.jobs[job].spec;
  const TenantId tenant = state.jobs[job].tenant;
  User& user = users_[tenant.index()];
  wake(ask.queue);
  Group& group = group_of(job, state);
  levels_[ask.queue.index()].waits -= state.shapes[ask.shape.index()].total();
  group.jobs.erase(state, ListOrder::User, job);
  if (group.jobs.empty()) {
    group_vanishes(ask.queue, group);
    user.groups.erase(user.groups.begin() + (&group - user.groups.data()));
    if (user.groups.empty()) {
      std::vector<TenantId>& waiting = levels_[ask.queue.index()].waiting;
      users_[waiting.back().index()].waiting_place = user.waiting_place;
      waiting[user.waiting_place] = waiting.back();
      waiting.pop_back();
    }
  }
  if (!ask.preemptible) {
    --user.protected_jobs;
    if (--levels_[ask.queue.index()].protected_jobs == 0) mark_path(state, ask.queue);
  }
  mark(tenant, false);
  look_whether_blocked(state, ask.queue);
}

// --- what is known of nodes --------------------------------------------------------------------

void Turn::shape_died(ShapeId id) {
  Shape& shape = shape_at(id);
  if (shape.dead) return;
  shape.dead = true;
  dead_.push_back(id);
  live_ -= std::int64_t{shape.groups} - shape.failed;
}

void Turn::shape_may_fit(ShapeId id) {
  Shape& shape = shape_at(id);
  if (!shape.dead) return;
  shape.dead = false;
  live_ += std::int64_t{shape.groups} - shape.failed;
  for (const auto& [tenant, kind] : shape.passed_over) {
    User& user = users_[tenant.index()];
    const auto it = find_group(user, kind);
    if (it != user.groups.end() && it->kind == kind) {
      it->is_passed_over = false;
      wake(user.leaf);
    }
    mark(tenant, false);
  }
  shape.passed_over.clear();
}

bool Turn::is_offered(const User& user, const Level& leaf, ShapeId shape) const {
  return offer_all_ || leaf.is_open || user.is_tight || !shapes_[shape.index()].dead;
}

// --- open and closed leaves --------------------------------------------------------------------

// Flags must hold for a whole pass, in which usage may grow by what is free. They are made for a
// round bound of it, so that they are not made anew at every pass.
void Turn::assume_free(const State& state) {
  bool changed = false;
  for (std::size_t r = 0; r < assumed_.size(); ++r) {
    const auto free = static_cast<std::uint64_t>(std::max<Amount>(0, state.free[r]));
    const Amount bound = free > 0 ? static_cast<Amount>(std::bit_ceil(free)) : 0;
    if (bound <= assumed_[r] && assumed_[r] <= 4 * bound + 4) continue;
    assumed_[r] = bound;
    changed = true;
  }
  if (!changed) return;
  for (std::size_t q = 1; q < levels_.size(); ++q) renew_flags(state, QueueId(q));
  for (const TenantId tenant : limited_) mark(tenant, true);
}

bool Turn::limit_may_bind(const State& state, QueueId leaf) const {
  const model::Amounts& most = levels_[leaf.index()].most;
  for (QueueId q = leaf; q.valid(); q = state.tree[q].parent) {
    const model::Account& account = state.queues[q.index()];
    const model::Amounts& limit = state.tree[q].limit;
    for (std::size_t r = 0; r < most.size(); ++r) {
      const Amount used = std::max(account.now[r], account.after[r]);
      const Amount more = std::min(assumed_[r], levels_[leaf.index()].waits[r]);
      if (most[r] > 0 && used + more + most[r] > limit[r]) return true;
    }
  }
  return false;
}

void Turn::renew_flags(const State& state, QueueId queue) {
  Level& level = levels_[queue.index()];
  if (!state.tree[queue].is_leaf() || level.groups == 0) return;
  const bool was_open = level.is_open;
  const model::Amounts& guarantee = state.guarantees[queue.index()];
  model::Amounts most = level.most;
  for (std::size_t r = 0; r < most.size(); ++r) most[r] += std::min(assumed_[r], level.waits[r]);
  level.all_within = is_within(state, queue, most);
  const bool none_within = guarantee.is_zero() || !is_within(state, queue, level.least);
  level.is_open = nested_ || level.protected_jobs > 0 || !(level.all_within || none_within) ||
                  limit_may_bind(state, queue);
  level.is_ranked_by_offer = !level.all_within && !none_within;
  for (QueueId q = state.tree[queue].parent; !state.tree[q].is_root(); q = state.tree[q].parent) {
    level.is_ranked_by_offer |= !state.guarantees[q.index()].is_zero();
  }
  if (level.is_open && !was_open) mark_members(queue);
}

// --- users -------------------------------------------------------------------------------------

void Turn::find_head(const State& state, TenantId tenant, User& user) {
  const Level& leaf = levels_[state.tenants[tenant.index()].queue.index()];
  user.head = JobId();
  JobRank best;
  for (Group& group : user.groups) {
    if (group.failed) continue;
    if (!is_offered(user, leaf, group.kind.shape)) {
      if (!group.is_passed_over)
        shapes_[group.kind.shape.index()].passed_over.emplace_back(tenant, group.kind);
      group.is_passed_over = true;
      continue;
    }
    const JobId job = group.tried_up_to
                          ? group.jobs.after(state, ListOrder::User, *group.tried_up_to)
                          : group.jobs.front();
    if (!job.valid()) continue;
    if (user.groups.size() == 1) {
      user.head = job;
      user.head_shape = group.kind.shape;
      return;
    }
    const JobRank rank = job_rank(state, job, ListOrder::User);
    if (user.head.valid() && best < rank) continue;
    best = rank;
    user.head = job;
    user.head_shape = group.kind.shape;
  }
}

std::int64_t Turn::offered_priority(const State& state, const User& user) const {
  const model::Job& head = state.jobs[user.head];
  if (state.tree[head.spec.queue].priority_scope != model::PriorityScope::Queue) return 0;
  std::int64_t priority = head.spec.priority;
  if (!head.returned) return priority;
  // Back from a failure it counts with the highest priority among its user's jobs: the first of
  // those that returned, or the first of the others.
  const JobRank first_other{true, std::numeric_limits<std::int64_t>::min(), 0, JobId(0U)};
  for (const Group& group : user.groups) {
    if (group.jobs.empty()) continue;
    priority = std::max<std::int64_t>(priority, state.jobs[group.jobs.front()].spec.priority);
    const JobId other = group.jobs.after(state, ListOrder::User, first_other);
    if (other.valid()) {
      priority = std::max<std::int64_t>(priority, state.jobs[other].spec.priority);
    }
  }
  return priority;
}

void Turn::renew_user(const State& state, TenantId tenant) {
  User& user = users_[tenant.index()];
  user.is_marked = false;
  const QueueId leaf = state.tenants[tenant.index()].queue;
  Level& level = levels_[leaf.index()];
  if (user.is_standing_old) {
    user.is_tight = user_limit_may_bind(state, tenant, level.most, assumed_);
  }
  find_head(state, tenant, user);
  const bool was_there = level.contest.has(user.place);
  const bool is_there = user.head.valid();
  if (is_there) {
    const bool by_priority = state.tree[leaf].priority_scope == model::PriorityScope::Queue;
    if (user.is_standing_old || !was_there || by_priority) level.contest.renew(user.place);
    user.is_standing_old = false;
  } else {
    level.contest.remove(user.place);
  }
  if (was_there != is_there || level.is_ranked_by_offer || offer_all_) mark_path(state, leaf);
}

void Turn::renew_users(const State& state) {
  while (!marked_users_.empty()) {
    const TenantId tenant = marked_users_.back();
    marked_users_.pop_back();
    renew_user(state, tenant);
  }
}

// --- queues ------------------------------------------------------------------------------------

// Who goes first in a leaf: its place; below an inner queue: the child's.
std::uint32_t Turn::first_in(const State& state, QueueId queue) {
  Level& level = levels_[queue.index()];
  if (state.tree[queue].is_leaf()) {
    return level.contest.winner(state, motion_, now_, [&](std::uint32_t place) {
      const TenantId tenant = level.members[place];
      return tenant_standing(state, motion_, state.tenants[tenant.index()],
                             offered_priority(state, users_[tenant.index()]), now_);
    });
  }
  return level.contest.winner(state, motion_, now_, [&](std::uint32_t place) {
    return standing_of(state, state.tree[queue].children[place]);
  });
}

Standing Turn::standing_of(const State& state, QueueId queue) {
  const Level& level = levels_[queue.index()];
  bool within = level.all_within;
  if (!state.tree[queue].is_leaf() || level.is_open || offer_all_) {
    const JobId job = candidate(state, queue);
    within = job.valid() &&
             is_within(state, queue, state.shapes[state.jobs[job].spec.shape.index()].total());
  }
  const bool among_inner = has_inner_child_[state.tree[queue].parent.index()];
  const Fraction share = among_inner ? hierarchy_->share(queue) : queue_share(state, queue);
  return queue_standing(state, motion_, queue, share, within, now_);
}

// The job that the queue would offer next.
JobId Turn::candidate(const State& state, QueueId queue) {
  while (!state.tree[queue].is_leaf()) {
    const std::uint32_t place = first_in(state, queue);
    if (place == Contest::kNobody) return {};
    queue = state.tree[queue].children[place];
  }
  Level& leaf = levels_[queue.index()];
  while (true) {
    const std::uint32_t place = first_in(state, queue);
    if (place == Contest::kNobody) return {};
    const TenantId tenant = leaf.members[place];
    User& user = users_[tenant.index()];
    if (is_offered(user, leaf, user.head_shape)) return user.head;
    // Its shape died since: it has something else to offer, or nothing.
    find_head(state, tenant, user);
    if (!user.head.valid()) {
      leaf.contest.remove(place);
    } else if (state.tree[queue].priority_scope == model::PriorityScope::Queue) {
      leaf.contest.renew(place);
    }
  }
}

void Turn::renew_queue(const State& state, QueueId queue) {
  Level& level = levels_[queue.index()];
  level.is_marked = false;
  Contest& among = levels_[state.tree[queue].parent.index()].contest;
  if (level.contest.empty() || is_left_alone(state, queue)) {
    among.remove(level.place);
  } else {
    among.renew(level.place);
  }
}

void Turn::renew_queues(const State& state) {
  do {
    // Children come after their parents.
    std::sort(marked_queues_.begin(), marked_queues_.end());
    while (!marked_queues_.empty()) {
      const QueueId queue = marked_queues_.back();
      marked_queues_.pop_back();
      renew_queue(state, queue);
    }
    // Shares of inner queues are wanted only where siblings meet; they may mark further queues.
    if (nested_ && hierarchy_is_wanted()) renew_hierarchy(state);
  } while (!marked_queues_.empty());
}

bool Turn::hierarchy_is_wanted() const {
  return std::any_of(inner_.begin(), inner_.end(), [&](QueueId queue) {
    return has_inner_child_[queue.index()] && levels_[queue.index()].contest.size() > 1;
  });
}

// Whether none of what the leaf may still offer asks only for resources of which some is free.
bool Turn::is_blocked(const State& state, const Level& leaf) const {
  for (const TenantId tenant : leaf.waiting) {
    for (const Group& group : users_[tenant.index()].groups) {
      if (group.failed || (shapes_[group.kind.shape.index()].asks & saturated_) != 0) continue;
      const bool is_tried =
          group.tried_up_to &&
          !(*group.tried_up_to < job_rank(state, group.jobs.back(), ListOrder::User));
      if (!is_tried) return false;
    }
  }
  return true;
}

void Turn::look_whether_blocked(const State& state, QueueId leaf) {
  if (!nested_ || hierarchy_old_) return;
  const bool now = is_blocked(state, levels_[leaf.index()]);
  if (blocked_[leaf.index()] == now) return;
  blocked_[leaf.index()] = now;
  unblocked_ += now ? -std::size_t{1} : 1;
  // All shares are plain where every leaf is blocked.
  if (unblocked_ == (now ? 0 : 1)) hierarchy_old_ = true;
  changed_leaves_.push_back(leaf);
  mark_path(state, leaf);
}

// Shares of inner queues. Where a saturation has changed, all of them; else along the paths of
// leaves whose usage has changed, or whether they are blocked.
void Turn::renew_hierarchy(const State& state) {
  for (const QueueId leaf : changed_leaves_) {
    if (hierarchy_old_) break;
    if (!hierarchy_->leaf_changed(state, leaf, blocked_[leaf.index()])) hierarchy_old_ = true;
  }
  changed_leaves_.clear();
  if (!hierarchy_old_) return;
  saturated_ = 0;
  for (std::size_t r = 0; r < state.free.size(); ++r) {
    if (state.free[r] <= 0) saturated_ |= 1U << r;
  }
  blocked_.assign(levels_.size(), true);
  unblocked_ = 0;
  for (std::size_t q = 0; q < levels_.size(); ++q) {
    if (levels_[q].groups > 0) blocked_[q] = is_blocked(state, levels_[q]);
    if (!blocked_[q]) ++unblocked_;
    if (q > 0 && has_inner_child_[state.tree.queues[q].parent.index()] &&
        !levels_[q].contest.empty()) {
      mark(QueueId(q));
    }
  }
  hierarchy_.emplace(state, blocked_);
  hierarchy_old_ = false;
}

// --- a pass ------------------------------------------------------------------------------------

void Turn::begin_pass(const State& state, Millis now, bool offer_all) {
  now_ = now;
  ++pass_;
  if (now >= first_wakes_) wake_who_is_due();
  assume_free(state);
  if (offer_all || offer_all_) {
    offer_all_ = offer_all;
    everything_changed(state);
  }
  for (const QueueId leaf : active_) {
    // By time alone another user's job may be what it offers, and rank it otherwise.
    if (levels_[leaf.index()].is_ranked_by_offer) mark_path(state, leaf);
  }
}

JobId Turn::next(const State& state) {
  if (live_ == 0 && !offer_all_) return {};
  for (const QueueId queue : marked_queues_) renew_flags(state, queue);
  renew_users(state);
  renew_queues(state);
  while (!levels_[0].contest.empty()) {
    const JobId job = candidate(state, model::Tree::root());
    if (job.valid()) return job;
    // A leaf whose last offer died with its shape leaves the contests above it.
    QueueId queue = model::Tree::root();
    while (!state.tree[queue].is_leaf()) {
      const std::uint32_t place = first_in(state, queue);
      if (place == Contest::kNobody) break;
      queue = state.tree[queue].children[place];
    }
    if (queue == model::Tree::root()) return {};
    mark_path(state, queue);
    renew_queues(state);
  }
  return {};
}

void Turn::job_failed(const State& state, JobId job, Why why) {
  const TenantId tenant = state.jobs[job].tenant;
  Group& group = group_of(job, state);
  group.tried_up_to = job_rank(state, job, ListOrder::User);
  group.reasons |= static_cast<std::uint8_t>(why);
  tried_.emplace_back(tenant, group.kind);
  mark(tenant, false);
  look_whether_blocked(state, state.jobs[job].spec.queue);
}

void Turn::group_failed(const State& state, JobId job, Why why) {
  const TenantId tenant = state.jobs[job].tenant;
  User& user = users_[tenant.index()];
  Group& group = group_of(job, state);
  group.reasons |= static_cast<std::uint8_t>(why);
  const Level& leaf = levels_[state.jobs[job].spec.queue.index()];
  if (offer_all_ || leaf.is_open || user.is_tight) {
    pass_by(state, user, group, job);
  } else {
    set_failed(tenant, group);
  }
  mark(tenant, false);
  look_whether_blocked(state, state.jobs[job].spec.queue);
}

// `job` failed where others of its group may yet matter, once something has started. Those that
// would be offered right after it, before anything can start, fail like it: they are behind it and
// before the user's next job of another group; or, where users take turns by job priority, of its
// priority.
void Turn::pass_by(const State& state, User& user, Group& group, JobId job) {
  const JobRank rank = job_rank(state, job, ListOrder::User);
  JobRank up_to{true, std::numeric_limits<std::int64_t>::max(), base::kNever, JobId()};
  for (const Group& other : user.groups) {
    if (&other == &group || other.failed) continue;
    const JobId next = other.tried_up_to
                           ? other.jobs.after(state, ListOrder::User, *other.tried_up_to)
                           : other.jobs.front();
    if (next.valid()) up_to = std::min(up_to, job_rank(state, next, ListOrder::User));
  }
  const QueueId leaf = state.jobs[job].spec.queue;
  if (state.tree[leaf].priority_scope == model::PriorityScope::Queue) {
    up_to = std::min(up_to, JobRank{rank.not_returned, rank.minus_priority, base::kNever, JobId()});
  }
  group.tried_up_to = std::max(rank, up_to);
  tried_.emplace_back(state.jobs[job].tenant, group.kind);
}

void Turn::set_failed(TenantId tenant, Group& group) {
  if (group.failed) return;
  group.failed = true;
  Shape& shape = shape_at(group.kind.shape);
  ++shape.failed;
  if (is_live(shape)) --live_;
  tried_.emplace_back(tenant, group.kind);
}

void Turn::end_pass(const State& state) {
  for (const QueueId leaf : shut_) {
    fall_asleep(state, leaf);
    mark(leaf);
  }
  shut_.clear();
  for (const auto& [tenant, kind] : tried_) {
    fall_asleep(state, users_[tenant.index()].leaf);
  }
  for (const auto& [tenant, kind] : tried_) {
    User& user = users_[tenant.index()];
    const auto it = find_group(user, kind);
    mark(tenant, false);
    if (it == user.groups.end() || it->kind != kind) continue;  // its last job started
    it->tried_up_to.reset();
    it->reasons = 0;
    if (!it->failed) continue;
    it->failed = false;
    Shape& shape = shape_at(kind.shape);
    --shape.failed;
    if (is_live(shape)) ++live_;
  }
  if (nested_) {
    for (const auto& [tenant, kind] : tried_) {
      look_whether_blocked(state, state.tenants[tenant.index()].queue);
    }
  }
  tried_.clear();
}

std::uint64_t Turn::matches() const {
  std::uint64_t sum = 0;
  for (const Level& level : levels_) sum += level.contest.matches();
  return sum;
}

}  // namespace stint::engine
