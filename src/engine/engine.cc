#include "engine/engine.h"

#include <algorithm>

#include "base/assert.h"
#include "engine/placement/place.h"
#include "engine/turn/account.h"

namespace stint::engine {

namespace {

ListOrder list_order(model::Order order) {
  switch (order) {
    case model::Order::Fair:
      return ListOrder::User;
    case model::Order::Fifo:
    case model::Order::FifoSkip:
      return ListOrder::Submit;
    case model::Order::SjfSkip:
      return ListOrder::Work;
  }
  return ListOrder::User;
}

bool has_ended(model::JobState state) {
  return state == model::JobState::Done || state == model::JobState::Timeout;
}

}  // namespace

bool dependencies_met(const State& state, JobId job) {
  const std::vector<JobId>& after = state.jobs[job.index()].spec.after;
  return std::all_of(after.begin(), after.end(),
                     [&](JobId id) { return has_ended(state.jobs[id.index()].state); });
}

Engine::Engine(State state) : state_(std::move(state)), pending_(list_order(state_.policy.order)) {
  refresh_capacity(state_);
  dependents_.resize(state_.jobs.size());
  for (std::size_t j = 0; j < state_.jobs.size(); ++j) {
    for (const JobId id : state_.jobs[j].spec.after) dependents_[id.index()].push_back(JobId(j));
  }
  rebuild_index();
}

base::ShapeId Engine::shape_id(const model::Shape& shape) {
  const auto it = std::find(state_.shapes.begin(), state_.shapes.end(), shape);
  if (it != state_.shapes.end()) {
    return base::ShapeId(static_cast<std::size_t>(it - state_.shapes.begin()));
  }
  state_.shapes.push_back(shape);
  return base::ShapeId(state_.shapes.size() - 1);
}

base::UserId Engine::user_id(std::string_view name) {
  return base::UserId(state_.users.intern(name));
}

Millis Engine::next_wake() const {
  if (!stale_ || state_.policy.cycle == 0) return base::kNever;
  return (state_.now / state_.policy.cycle + 1) * state_.policy.cycle;
}

Course Engine::course_of(JobId id) const {
  const model::Job& job = state_.jobs[id.index()];
  STINT_ASSERT(job.state == model::JobState::Running);
  const model::Run& run = state_.runs[job.run];
  Course course;
  course.start = run.start;
  course.restart = run.number == 1 ? 0 : job.spec.checkpoint.restart;
  course.work = job.spec.work == base::kNever ? base::kNever : job.spec.work - run.work_before;
  course.every = job.spec.checkpoint.every;
  course.takes = job.spec.checkpoint.takes;
  course.limit = job.spec.limit;
  return course;
}

// --- the index of what could be tried
// ---------------------------------------------------------------

bool Engine::fits_machine(base::ShapeId shape) const {
  if (shape.index() >= fits_machine_.size()) fits_machine_.resize(shape.index() + 1, -1);
  std::int8_t& known = fits_machine_[shape.index()];
  if (known < 0) {
    known = can_place(state_, state_.shapes[shape.index()], World::AllEmpty) ? 1 : 0;
  }
  return known == 1;
}

bool Engine::is_candidate(JobId id) const {
  const model::Job& job = state_.jobs[id.index()];
  return job.state == model::JobState::Waiting && !job.held && !job.spec.impossible &&
         dependencies_met(state_, id);
}

TenantId Engine::list_of(JobId id) const {
  if (state_.policy.order != model::Order::Fair) return TenantId(0U);
  const model::JobSpec& spec = state_.jobs[id.index()].spec;
  return known_tenants_of(state_, spec.queue, spec.user).front();
}

void Engine::enlist(JobId id) {
  if (id.index() >= listed_.size()) listed_.resize(state_.jobs.size());
  if (listed_[id.index()] || !is_candidate(id)) return;
  if (!fits_machine(state_.jobs[id.index()].spec.shape)) return;
  pending_.insert(state_, list_of(id), id);
  listed_[id.index()] = true;
  count_waiting(id, true);
  stale_ = true;
}

void Engine::count_waiting(JobId id, bool joins) {
  const model::JobSpec& spec = state_.jobs[id.index()].spec;
  const Amounts total = state_.shapes[spec.shape.index()].total();
  for (QueueId q = spec.queue; q.valid(); q = state_.tree[q].parent) {
    WaitingSum& sum = waiting_[q.index()];
    sum.jobs += joins ? 1U : ~0U;
    if (joins) {
      sum.asks += total;
    } else {
      sum.asks -= total;
    }
  }
}

void Engine::delist(JobId id) {
  if (id.index() >= listed_.size() || !listed_[id.index()]) return;
  pending_.erase(state_, list_of(id), id);
  listed_[id.index()] = false;
  count_waiting(id, false);
}

void Engine::rebuild_index() {
  pending_ = PendingIndex(list_order(state_.policy.order));
  listed_.assign(state_.jobs.size(), false);
  waiting_.assign(state_.queues.size(), {0, Amounts(state_.healthy.size())});
  for (std::size_t j = 0; j < state_.jobs.size(); ++j) {
    if (state_.jobs[j].state == model::JobState::Waiting) enlist(JobId(j));
  }
  released();
}

void Engine::released() {
  dead_shapes_.assign(state_.shapes.size(), false);
  stale_ = true;
}

// --- trying one job
// -----------------------------------------------------------------------------------

Engine::Trial Engine::trial_of(JobId id) const {
  const model::JobSpec& spec = state_.jobs[id.index()].spec;
  const model::Shape& shape = state_.shapes[spec.shape.index()];
  return {spec, shape, shape.total(), known_tenants_of(state_, spec.queue, spec.user)};
}

bool counts_under(const State& state, const Request& request, base::UserId user,
                  const Barrier& barrier) {
  const Scope& scope = barrier.scope;
  if ((*request.total)[scope.resource] == 0) return false;
  if (barrier.protected_only) {
    return !request.is_preemptible && own_part(state, request).queue == scope.queue;
  }
  if (!state.tree.is_ancestor_or_self(scope.queue, request.leaf)) return false;
  return !scope.tenant.valid() || state.tenants[scope.tenant.index()].user == user;
}

bool Engine::behind_barrier(const Trial& trial) const {
  const Millis ends = base::later(state_.now, trial.spec.limit);
  return std::any_of(barriers_.begin(), barriers_.end(), [&](const Barrier& barrier) {
    return ends > barrier.until && counts_under(state_, trial.request(), trial.spec.user, barrier);
  });
}

void Engine::raise_barriers(const Trial& trial, const std::vector<Scope>& scopes,
                            bool protected_only) {
  Millis until = state_.now;
  for (const Scope& scope : scopes) {
    if (!scope.queue.valid()) return;  // no guarantee at all: it never starts, and holds up nobody
    const std::size_t r = scope.resource.index();
    Amount room = 0;
    if (protected_only) {
      const OwnPart part = own_part(state_, trial.request());
      room = part.size[r] - protected_usage(state_, part)[r];
    } else if (scope.tenant.valid()) {
      const model::Tenant& tenant = state_.tenants[scope.tenant.index()];
      const auto* rule = state_.tree[tenant.queue].rule_for(state_.users.name(tenant.user.value));
      room = rule->limit[r] - usage(tenant.account)[r];
    } else {
      room = state_.tree[scope.queue].limit[r] - usage(state_.queues[scope.queue.index()])[r];
    }
    until = std::max(until, earliest_room(state_, scope, trial.total[r] - room, protected_only));
  }
  if (until == base::kNever) return;
  for (const Scope& scope : scopes) {
    const auto same = std::find_if(barriers_.begin(), barriers_.end(), [&](const Barrier& b) {
      return b.scope == scope && b.protected_only == protected_only;
    });
    if (same == barriers_.end()) {
      barriers_.push_back({scope, protected_only, until});
    } else {
      same->until = std::min(same->until, until);
    }
  }
}

Engine::Outcome Engine::find_nodes(const Trial& trial,
                                   std::optional<model::Placement>& found) const {
  if (state_.policy.order != model::Order::Fair) {
    found = find_placement(state_, trial.shape, {});
    return found ? Outcome::Started : Outcome::ShapeFailed;
  }
  if (!lending_allows(state_, trial.request())) return Outcome::GroupFailed;
  const PlacementBounds bounds = model_bounds(state_, trial.request());
  found = find_placement(state_, trial.shape, bounds);
  if (found) return Outcome::Started;
  const bool quota_binds = bounds.models_bind && can_place(state_, trial.shape, World::Now);
  return quota_binds ? Outcome::GroupFailed : Outcome::ShapeFailed;
}

Engine::Outcome Engine::try_job(JobId id) {
  ++counters_.candidates;
  const Trial trial = trial_of(id);
  if (state_.policy.order == model::Order::Fair) {
    if (const auto exceeded = exceeded_limits(state_, trial.request()); !exceeded.empty()) {
      raise_barriers(trial, exceeded, false);
      return Outcome::GroupFailed;
    }
    if (const auto outside = outside_own_part(state_, trial.request()); !outside.empty()) {
      raise_barriers(trial, outside, true);
      return Outcome::JobFailed;
    }
    if (behind_barrier(trial)) return Outcome::JobFailed;
    const std::size_t shape = trial.spec.shape.index();
    if (shape < dead_shapes_.size() && dead_shapes_[shape]) return Outcome::ShapeFailed;
  }
  ++counters_.searches;
  std::optional<model::Placement> placement;
  const Outcome outcome = find_nodes(trial, placement);
  if (placement) start(id, std::move(*placement));
  return outcome;
}

bool Engine::could_start(JobId id) const {
  if (!is_candidate(id)) return false;
  const Trial trial = trial_of(id);
  if (state_.policy.order == model::Order::Fair) {
    if (!exceeded_limits(state_, trial.request()).empty()) return false;
    if (!outside_own_part(state_, trial.request()).empty()) return false;
    if (behind_barrier(trial)) return false;
  }
  std::optional<model::Placement> placement;
  return find_nodes(trial, placement) == Outcome::Started;
}

// --- passes
// -------------------------------------------------------------------------------------------

std::vector<Decision> Engine::decide(Millis now) {
  STINT_ASSERT(now >= state_.now);
  state_.now = now;
  decisions_.clear();
  const Millis cycle = state_.policy.cycle;
  if (!stale_ || (cycle > 0 && now % cycle != 0)) return {};
  stale_ = false;
  // Nothing is released while jobs start, so what found no room once finds none in a second pass.
  // Barriers are another matter: a start may change the order, and a job that was behind one go
  // before it.
  bool again = true;
  while (again) {
    barriers_.clear();
    ++counters_.passes;
    const bool started =
        state_.policy.order == model::Order::Fair ? run_fair_pass() : run_listed_pass();
    again = started && !barriers_.empty();
  }
  return std::move(decisions_);
}

bool Engine::run_fair_pass() {
  // Every candidate is offered in its turn, also of shapes known to find no nodes: a queue is
  // ranked by the candidate that it would offer next.
  TurnPass pass(state_, pending_, state_.now);
  bool any = false;
  for (JobId job = pass.next(); job.valid(); job = pass.next()) {
    switch (try_job(job)) {
      case Outcome::Started:
        pass.granted(job);
        any = true;
        break;
      case Outcome::JobFailed:
        pass.job_failed(job);
        break;
      case Outcome::GroupFailed:
        pass.group_failed(job);
        break;
      case Outcome::ShapeFailed: {
        const base::ShapeId shape = state_.jobs[job.index()].spec.shape;
        dead_shapes_.resize(state_.shapes.size());
        dead_shapes_[shape.index()] = true;
        pass.group_failed(job);
        break;
      }
    }
  }
  return any;
}

bool Engine::run_listed_pass() {
  dead_shapes_.resize(state_.shapes.size());
  const bool head_blocks = state_.policy.order == model::Order::Fifo;
  bool any = false;
  while (true) {
    const JobRank* first = nullptr;
    for (const PendingIndex::Group& group : pending_.groups(TenantId(0U))) {
      if (!head_blocks && dead_shapes_[group.shape.index()]) continue;
      if (!first || *group.jobs.begin() < *first) first = &*group.jobs.begin();
    }
    if (!first) return any;
    const JobId job = first->id;
    const base::ShapeId shape = state_.jobs[job.index()].spec.shape;
    if (dead_shapes_[shape.index()]) return any;
    if (try_job(job) == Outcome::Started) {
      any = true;
    } else {
      dead_shapes_[shape.index()] = true;
    }
  }
}

// --- starting and ending runs
// -------------------------------------------------------------------------

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
  model::Job& job = state_.jobs[id.index()];
  model::Run run;
  run.job = id;
  run.start = state_.now;
  run.work_before = job.work_saved;
  run.number = ++job.runs;
  run.holds = commit_placement(state_, trial.shape, placement);
  run.placement = std::move(placement);
  book(state_, trial.spec.queue, trial.tenants, run.holds, trial.spec.preemptible, Change::Start,
       state_.now);
  stamp(trial);
  job.state = model::JobState::Running;
  if (job.first_start == base::kNever) job.first_start = state_.now;
  job.run = static_cast<std::uint32_t>(state_.runs.size());
  state_.decisions.add(id.value);
  state_.decisions.add_signed(state_.now);
  for (const model::Slice& slice : run.placement) {
    state_.decisions.add((std::uint64_t{slice.node.value} << 32U) | slice.tasks);
  }
  decisions_.push_back(Start{id, run.number});
  state_.runs.push_back(std::move(run));
  ++counters_.starts;
}

void Engine::end_run(JobId id, bool told) {
  const Trial trial = trial_of(id);
  model::Job& job = state_.jobs[id.index()];
  STINT_ASSERT(job.state == model::JobState::Running);
  const model::Run run = std::move(state_.runs[job.run]);
  if (job.run + 1 != state_.runs.size()) {
    state_.runs[job.run] = std::move(state_.runs.back());
    state_.jobs[state_.runs[job.run].job.index()].run = job.run;
  }
  state_.runs.pop_back();
  if (const auto gpu = state_.cluster.resources.gpu()) {
    job.held_gpu_ms += base::i128{run.holds[*gpu]} * (state_.now - run.start);
  }
  release_placement(state_, trial.shape, run.placement);
  book(state_, trial.spec.queue, trial.tenants, run.holds, trial.spec.preemptible,
       told ? Change::Left : Change::End, state_.now);
  if (state_.now - run.start >= state_.policy.min_run) job.returned = false;
  job.run = UINT32_MAX;
  released();
}

void Engine::finish(JobId id, model::JobState end) {
  model::Job& job = state_.jobs[id.index()];
  job.state = end;
  job.end = state_.now;
  if (!has_ended(end) || id.index() >= dependents_.size()) return;
  for (const JobId dependent : dependents_[id.index()]) enlist(dependent);
}

}  // namespace stint::engine
