// Trying one job: quota, barriers, nodes; and the starts that come of it.
#include <algorithm>

#include "base/assert.h"
#include "engine/engine.h"
#include "engine/placement/place.h"
#include "engine/turn/account.h"

namespace stint::engine {

Engine::Trial Engine::trial_of(JobId id) const {
  const model::Job& job = state_.jobs[id];
  return {job.spec, state_.shapes[job.spec.shape.index()], totals_[job.spec.shape.index()],
          tenants_on_path_[job.tenant.index()]};
}

bool counts_under(const State& state, const Request& request, base::UserId user, const Scope& scope,
                  bool protected_only) {
  if ((*request.total)[scope.resource] == 0) return false;
  if (protected_only) {
    return !request.is_preemptible && own_part(state, request).queue == scope.queue;
  }
  if (!state.tree.is_ancestor_or_self(scope.queue, request.leaf)) return false;
  return !scope.tenant.valid() || state.tenants[scope.tenant.index()].user == user;
}

// --- barriers ------------------------------------------------------------------------------------

Amount Engine::room_in(const Trial& trial, const Scope& scope, bool protected_only) const {
  const std::size_t r = scope.resource.index();
  if (protected_only) {
    const OwnPart part = own_part(state_, trial.request());
    return part.size[r] - protected_usage(state_, part)[r];
  }
  if (scope.tenant.valid()) {
    const model::Tenant& tenant = state_.tenants[scope.tenant.index()];
    const auto* rule = state_.tree[tenant.queue].rule_for(state_.users.name(tenant.user.value));
    return rule->limit[r] - usage(tenant.account, r);
  }
  return state_.tree[scope.queue].limit[r] - usage(state_.queues[scope.queue.index()], r);
}

void Engine::raise_barriers(const Trial& trial, const std::vector<Scope>& scopes,
                            bool protected_only) const {
  Raised raised;
  raised.protected_only = protected_only;
  raised.runs_seen = state_.runs.size();
  for (const Scope& scope : scopes) {
    if (!scope.queue.valid()) return;  // no guarantee at all: it never starts, and holds up nobody
    const Amount room = room_in(trial, scope, protected_only);
    raised.excesses.emplace_back(scope, trial.total[scope.resource.index()] - room);
  }
  raised_.push_back(std::move(raised));
}

Millis Engine::until(Raised& raised) const {
  if (!raised.until) {
    raised.until = state_.now;
    for (const auto& [scope, excess] : raised.excesses) {
      raised.until =
          std::max(*raised.until, earliest_room(state_, runs_by_limit_, scope, excess,
                                                raised.protected_only, raised.runs_seen));
    }
  }
  return *raised.until;
}

// If the leaf itself has reached a limit, all that waits there may be behind the barrier.
void Engine::tell_turn_of_barrier(const Trial& trial) const {
  Raised& raised = raised_.back();
  for (const auto& [scope, excess] : raised.excesses) {
    if (scope.queue != trial.spec.queue || scope.tenant.valid()) continue;
    turn_.barrier_raised(state_, scope.queue, scope.resource, until(raised));
    return;
  }
}

bool Engine::behind_barrier(const Trial& trial) const {
  const Millis ends = base::later(state_.now, trial.spec.limit);
  return std::any_of(raised_.begin(), raised_.end(), [&](Raised& raised) {
    const bool counts =
        std::any_of(raised.excesses.begin(), raised.excesses.end(), [&](const auto& excess) {
          return counts_under(state_, trial.request(), trial.spec.user, excess.first,
                              raised.protected_only);
        });
    return counts && ends > until(raised);
  });
}

const std::vector<Barrier>& Engine::barriers() const {
  if (barriers_) return *barriers_;
  barriers_.emplace();
  if (!is_fair()) return *barriers_;
  raised_.clear();
  turn_.begin_pass(state_, state_.now, true);
  for (JobId job = turn_.next(state_); job.valid(); job = turn_.next(state_)) {
    tell_turn(job, stopped_by_quota(trial_of(job)).value_or(Outcome::GroupFailed));
  }
  turn_.end_pass(state_);
  turn_.begin_pass(state_, state_.now, false);
  for (Raised& raised : raised_) {
    for (const auto& excess : raised.excesses) {
      barriers_->push_back({excess.first, raised.protected_only, until(raised)});
    }
  }
  return *barriers_;
}

// --- trying --------------------------------------------------------------------------------------

std::optional<Engine::Outcome> Engine::stopped_by_quota(const Trial& trial) const {
  if (const auto exceeded = exceeded_limits(state_, trial.request()); !exceeded.empty()) {
    raise_barriers(trial, exceeded, false);
    tell_turn_of_barrier(trial);
    return Outcome::LimitFailed;
  }
  if (const auto outside = outside_own_part(state_, trial.request()); !outside.empty()) {
    raise_barriers(trial, outside, true);
    return Outcome::JobFailed;
  }
  if (behind_barrier(trial)) return Outcome::BehindBarrier;
  return std::nullopt;
}

Engine::Outcome Engine::find_nodes(const Trial& trial, std::optional<model::Placement>& found) {
  const base::ShapeId shape = trial.spec.shape;
  const Amounts kept = kept_back_.beside(state_, trial.spec.queue);
  if (state_.tree.keeps_back && !lending_allows(state_, trial.request(), kept)) {
    return Outcome::GroupFailed;
  }
  const PlacementBounds bounds = model_bounds(state_, trial.request(), kept);
  found = nodes_.find(state_, shape, bounds);
  if (found) return Outcome::Started;
  const bool quota_binds = bounds.models_bind && nodes_.find(state_, shape, {}).has_value();
  return quota_binds ? Outcome::GroupFailed : Outcome::ShapeFailed;
}

Engine::Outcome Engine::try_job(JobId id) {
  ++counters_.candidates;
  const Trial trial = trial_of(id);
  if (const auto stopped = stopped_by_quota(trial)) return *stopped;
  if (turn_.is_dead(trial.spec.shape)) return Outcome::ShapeFailed;
  ++counters_.searches;
  std::optional<model::Placement> placement;
  const Outcome outcome = find_nodes(trial, placement);
  if (placement) start(id, std::move(*placement));
  return outcome;
}

bool Engine::could_start(JobId id) const {
  if (!is_candidate(id)) return false;
  const Trial trial = trial_of(id);
  if (!is_fair()) return can_place(state_, trial.shape, World::Now) && !would_delay_slot(id);
  const Request request = trial.request();
  if (!exceeded_limits(state_, request).empty() || !outside_own_part(state_, request).empty() ||
      !lending_allows(state_, request)) {
    return false;
  }
  // The plain search: what is asked here may judge the index.
  if (!find_placement(state_, trial.shape, model_bounds(state_, request))) return false;
  const Millis ends = base::later(state_.now, trial.spec.limit);
  return std::none_of(barriers().begin(), barriers().end(), [&](const Barrier& barrier) {
    return ends > barrier.until &&
           counts_under(state_, request, trial.spec.user, barrier.scope, barrier.protected_only);
  });
}

bool Engine::is_in_the_way(const Trial& trial) const {
  return slot_ && base::later(state_.now, trial.spec.limit) > slot_->start;
}

bool Engine::would_delay_slot(JobId id) const {
  const Trial trial = trial_of(id);
  if (!is_in_the_way(trial) || slot_->job == id) return false;
  auto wanted = find_placement(state_, trial.shape, {});
  if (!wanted) return false;
  Slot slot = *slot_;  // asking moves it
  return !place_beside(state_, runs_by_limit_, trial.shape, std::move(*wanted), slot);
}

// --- starting ------------------------------------------------------------------------------------

void Engine::stamp(const Trial& trial) {
  ++state_.serial;
  for (QueueId q = trial.spec.queue; q.valid(); q = state_.tree[q].parent) {
    state_.queues[q.index()].served = state_.serial;
  }
  for (const TenantId t : trial.tenants) state_.tenants[t.index()].account.served = state_.serial;
}

void Engine::start(JobId id, model::Placement placement) {
  delist(id);
  const Trial trial = trial_of(id);
  model::Job& job = state_.jobs[id];
  model::Run& run = state_.runs.emplace_back();
  run.job = id;
  run.start = state_.now;
  run.work_before = job.work_saved;
  run.number = ++job.runs;
  run.holds = commit_placement(state_, trial.shape, placement);
  run.placement = std::move(placement);
  for (const model::Slice& slice : run.placement) nodes_.update(state_, slice.node);
  book(state_, trial.spec.queue, trial.tenants, run.holds, trial.spec.preemptible, Change::Start,
       state_.now);
  stamp(trial);
  kept_back_.account_changed(state_, trial.spec.queue);
  turn_.account_changed(state_, trial.spec.queue, trial.tenants);
  job.state = model::JobState::Running;
  if (job.first_start == base::kNever) job.first_start = state_.now;
  job.run = static_cast<std::uint32_t>(state_.runs.size() - 1);
  if (keeps_runs_) runs_by_limit_.add(state_, id);
  state_.decisions.add(id.value);
  state_.decisions.add_signed(state_.now);
  for (const model::Slice& slice : run.placement) {
    state_.decisions.add((std::uint64_t{slice.node.value} << 32U) | slice.tasks);
  }
  decisions_.push_back(Start{id, run.number});
  ++counters_.starts;
}

}  // namespace stint::engine
