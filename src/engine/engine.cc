#include "engine/engine.h"

#include <algorithm>

#include "base/assert.h"
#include "engine/placement/fit.h"
#include "engine/turn/account.h"

namespace stint::engine {

namespace {

bool has_ended(model::JobState state) {
  return state == model::JobState::Done || state == model::JobState::Timeout;
}

}  // namespace

bool dependencies_met(const State& state, JobId job) {
  const auto it = state.after.find(job);
  if (it == state.after.end()) return true;
  return std::all_of(it->second.begin(), it->second.end(),
                     [&](JobId id) { return has_ended(state.jobs.state_of(id)); });
}

Engine::Engine(State state)
    : state_(std::move(state)), turn_(state_), listed_(state_.policy), shape_index_(state_.shapes) {
  refresh_capacity(state_);
  for (const auto& [job, after] : state_.after) {
    for (const JobId id : after) dependents_[id].push_back(job);
  }
  nodes_.rebuild(state_);
  rebuild_index();
}

base::ShapeId Engine::shape_id(const model::Shape& shape) {
  return shape_index_.intern(shape, state_.shapes);
}

base::UserId Engine::user_id(std::string_view name) {
  return base::UserId(state_.users.intern(name));
}

Counters Engine::counters() const {
  Counters counters = counters_;
  counters.matches = turn_.matches();
  counters.ranked = nodes_.counters().ranked;
  counters.walked = nodes_.counters().walked;
  return counters;
}

Millis Engine::next_wake() const {
  if (!stale_ || state_.policy.cycle == 0) return base::kNever;
  return (state_.now / state_.policy.cycle + 1) * state_.policy.cycle;
}

Course Engine::course_of(JobId id) const {
  const model::Job& job = state_.jobs[id];
  STINT_ASSERT(job.state == model::JobState::Running);
  const model::Run& run = state_.runs[job.run];
  const model::Checkpoint& saves = state_.habits[job.spec.habit].checkpoint;
  Course course;
  course.start = run.start;
  course.restart = run.number == 1 ? 0 : saves.restart;
  course.work = job.spec.work == base::kNever ? base::kNever : job.spec.work - run.work_before;
  course.every = saves.every;
  course.takes = saves.takes;
  course.limit = job.spec.limit;
  return course;
}

// --- the index of what could be tried ------------------------------------------------------------

bool Engine::fits_machine(base::ShapeId shape) const {
  return nodes_.fits_machine(state_, state_.shapes[shape.index()]);
}

bool Engine::is_candidate(JobId id) const {
  const model::Job& job = state_.jobs[id];
  return job.state == model::JobState::Waiting && !job.held && !job.spec.impossible &&
         dependencies_met(state_, id);
}

// What trials look up of a job that was submitted.
void Engine::look_up(JobId id) {
  for (std::size_t s = totals_.size(); s < state_.shapes.size(); ++s) {
    totals_.push_back(state_.shapes[s].total());
    fits_machine_.push_back(fits_machine(base::ShapeId(s)));
  }
  const TenantId tenant = state_.jobs[id].tenant;
  if (tenant.index() >= tenants_on_path_.size()) tenants_on_path_.resize(state_.tenants.size());
  std::vector<TenantId>& path = tenants_on_path_[tenant.index()];
  if (!path.empty()) return;
  const model::Tenant& user = state_.tenants[tenant.index()];
  path = known_tenants_of(state_, user.queue, user.user);
}

void Engine::enlist(JobId id) {
  if (id.index() >= is_listed_.size()) is_listed_.resize(state_.jobs.size());
  if (is_listed_[id.index()] || !is_candidate(id)) return;
  if (!fits_machine_[state_.jobs[id].spec.shape.index()]) return;
  if (is_fair()) {
    turn_.insert(state_, id);
  } else {
    listed_.insert(state_, id);
  }
  is_listed_[id.index()] = true;
  count_waiting(id, true);
  stale_ = true;
}

void Engine::count_waiting(JobId id, bool joins) {
  const model::JobAsk& spec = state_.jobs[id].spec;
  const Amounts& total = totals_[spec.shape.index()];
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
  if (id.index() >= is_listed_.size() || !is_listed_[id.index()]) return;
  if (is_fair()) {
    turn_.erase(state_, id);
  } else {
    listed_.erase(state_, id);
  }
  is_listed_[id.index()] = false;
  count_waiting(id, false);
}

void Engine::rebuild_index() {
  turn_ = Turn(state_);
  kept_back_.renew(state_);
  listed_ = Listed(state_.policy);
  keeps_runs_ = is_fair() || lists_reserve();
  runs_by_limit_ = keeps_runs_ ? RunsByLimit(state_) : RunsByLimit();
  slot_.reset();
  tenant_index_.clear();
  is_listed_.assign(state_.jobs.size(), false);
  tenants_on_path_.assign(state_.tenants.size(), {});
  waiting_.assign(state_.queues.size(), {0, Amounts(state_.healthy.size())});
  for (const JobId id : state_.jobs.ids()) {
    const model::Job& job = state_.jobs[id];
    const bool waits = job.state == model::JobState::Waiting;
    if (waits || job.state == model::JobState::Running) look_up(id);
    if (waits) enlist(id);
  }
  stale_ = true;
}

void Engine::everything_released() {
  const auto any = [](base::ShapeId) { return true; };
  turn_.released(any);
  listed_.released(any);
  stale_ = true;
}

// Whether a shape that found no nodes may find some, now that these were released.
bool Engine::may_fit(base::ShapeId id, const model::Placement& released) const {
  const model::Shape& shape = state_.shapes[id.index()];
  const Amounts& total = totals_[id.index()];
  for (std::size_t r = 0; r < total.size(); ++r) {
    if (total[r] > 0 && total[r] > state_.free[r]) return false;
  }
  const auto gpu = state_.cluster.resources.gpu().value_or(base::ResourceId());
  NodeId before;
  return std::any_of(released.begin(), released.end(), [&](const model::Slice& slice) {
    const bool known = before.valid() && nodes_.are_alike(before, slice.node);
    before = slice.node;
    if (known || !state_.nodes[slice.node.index()].healthy()) return false;
    return tasks_that_fit(state_.nodes[slice.node.index()], shape.each, gpu, 1) > 0 &&
           has_labels(state_.cluster.nodes[slice.node.index()], shape);
  });
}

void Engine::forget(JobId id) {
  const model::JobState end = state_.jobs[id].state;
  STINT_ASSERT(has_ended(end) || end == model::JobState::Cancelled);
  state_.forgotten += model::job_digest(state_, id);
  state_.after.erase(id);
  state_.jobs.forget(id);
}

// --- passes --------------------------------------------------------------------------------------

const std::vector<Decision>& Engine::decide(Millis now) {
  STINT_ASSERT(now >= state_.now);
  state_.now = now;
  decisions_.clear();
  const Millis cycle = state_.policy.cycle;
  if (!stale_ || (cycle > 0 && now % cycle != 0)) return decisions_;
  stale_ = false;
  barriers_.reset();
  // Nothing is released while jobs start, so what found no room once finds none in a second pass.
  // Barriers are another matter: a start may change the order, and a job that was behind one go
  // before it.
  bool again = true;
  while (again) {
    raised_.clear();
    ++counters_.passes;
    const bool started = is_fair() ? run_fair_pass() : run_listed_pass();
    again = started && !raised_.empty();
  }
  return decisions_;
}

void Engine::tell_turn(JobId job, Outcome outcome) const {
  switch (outcome) {
    case Outcome::Started:
      return;  // it has left the list
    case Outcome::JobFailed:
      turn_.job_failed(state_, job, Why::Other);
      return;
    case Outcome::BehindBarrier:
      turn_.job_failed(state_, job, Why::Barrier);
      return;
    case Outcome::ShapeFailed:
      turn_.shape_died(state_.jobs[job].spec.shape);
      turn_.group_failed(state_, job, Why::Nodes);
      return;
    case Outcome::GroupFailed:
      turn_.group_failed(state_, job, Why::Other);
      return;
    case Outcome::LimitFailed:
      turn_.group_failed(state_, job, Why::Limit);
      return;
  }
}

bool Engine::run_fair_pass() {
  bool any = false;
  turn_.begin_pass(state_, state_.now, false);
  for (JobId job = turn_.next(state_); job.valid(); job = turn_.next(state_)) {
    const Outcome outcome = try_job(job);
    any = any || outcome == Outcome::Started;
    tell_turn(job, outcome);
  }
  turn_.end_pass(state_);
  return any;
}

bool Engine::run_listed_pass() {
  bool any = false;
  listed_.begin_pass(state_);
  slot_.reset();
  head_is_blocked_ = false;
  const auto next = [&] { return listed_.next(lists_reserve() && !head_is_blocked_); };
  for (JobId job = next(); job.valid(); job = next()) {
    if (try_listed(job) == Outcome::Started) {
      any = true;
    } else {
      listed_.job_tried(state_, job);
    }
  }
  return any;
}

// The first job that finds no nodes gets the reservation; later ones start beside it.
Engine::Outcome Engine::try_listed(JobId id) {
  const Trial trial = trial_of(id);
  ++counters_.candidates;
  if (!listed_.is_dead(trial.spec.shape)) {
    ++counters_.searches;
    auto placement = nodes_.find(state_, trial.spec.shape, {});
    if (!placement) listed_.shape_died(trial.spec.shape);
    if (placement && is_in_the_way(trial)) {
      placement = place_beside(state_, runs_by_limit_, trial.shape, std::move(*placement), *slot_);
      if (!placement) return Outcome::JobFailed;
    }
    if (placement) {
      start(id, std::move(*placement));
      return Outcome::Started;
    }
  }
  if (lists_reserve() && !head_is_blocked_) {
    head_is_blocked_ = true;
    slot_ = earliest_slot(state_, runs_by_limit_, id);
  }
  return Outcome::ShapeFailed;
}

}  // namespace stint::engine
