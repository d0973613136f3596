// How each fact changes State; the passes that follow from it are in engine.cc.
#include <algorithm>

#include "base/assert.h"
#include "base/digest.h"
#include "engine/engine.h"
#include "engine/placement/place.h"
#include "engine/turn/account.h"

namespace stint::engine {

using model::JobState;

std::vector<Decision> Engine::apply(Millis now, const Event& event) {
  STINT_ASSERT(now >= state_.now);
  state_.now = now;
  decisions_.clear();
  barriers_.reset();
  std::visit([this](const auto& fact) { on(fact); }, event);
  // Every fact is an instant with passes: even a cancelled job may have held up others.
  if (!std::holds_alternative<JobAdded>(event)) stale_ = true;
  return std::move(decisions_);
}

namespace {

std::uint32_t intern_habit(State& state, const model::Habit& habit) {
  // Most jobs have one of a few habits; the latest are the likeliest.
  for (std::size_t h = state.habits.size(); h-- > 0;) {
    if (state.habits[h] == habit) return static_cast<std::uint32_t>(h);
  }
  state.habits.push_back(habit);
  return static_cast<std::uint32_t>(state.habits.size() - 1);
}

}  // namespace

void Engine::on(const JobAdded& event) {
  const JobId id = event.id.valid() ? event.id : JobId(state_.jobs.size());
  STINT_ASSERT(state_.tree[event.spec.queue].is_leaf());
  model::Job job;
  job.spec = event.spec;
  job.spec.habit = intern_habit(state_, {event.spec.checkpoint, event.spec.stops_in});
  for (const JobId before : event.spec.after) dependents_[before].push_back(id);
  if (!event.spec.after.empty()) state_.after[id] = event.spec.after;
  if (!event.spec.name.empty()) {
    state_.names.resize(std::max(state_.names.size(), id.index() + 1));
    state_.names[id.index()] = event.spec.name;
  }
  state_.jobs.add(id, job);
}

// The leaf's tenant of a user, made with those of the queues above when it is first asked for.
TenantId Engine::tenant_of(QueueId leaf, base::UserId user) {
  base::Digest hash;
  hash.add((std::uint64_t{leaf.value} << 32U) | user.value);
  const std::uint32_t known = tenant_index_.find(hash.value(), [&](std::uint32_t t) {
    return state_.tenants[t].user == user && state_.tenants[t].queue == leaf;
  });
  if (known != base::HashIndex::kNone) return TenantId(known);
  const TenantId tenant = tenants_of(state_, leaf, user).front();
  tenant_index_.insert(hash.value(), tenant.value);
  return tenant;
}

void Engine::on(const JobSubmitted& event) {
  model::Job& job = state_.jobs[event.job];
  if (job.state == JobState::Cancelled) return;  // cancelled before its time
  STINT_ASSERT(job.state == JobState::Future);
  job.tenant = tenant_of(job.spec.queue, job.spec.user);
  job.state = JobState::Waiting;
  look_up(event.job);
  enlist(event.job);
}

void Engine::on(const JobCancelled& event) {
  model::Job& job = state_.jobs[event.job];
  switch (job.state) {
    case JobState::Future:
      job.state = JobState::Cancelled;
      return;
    case JobState::Waiting:
      delist(event.job);
      job.state = JobState::Cancelled;
      if (job.runs > 0) job.end = state_.now;
      return;
    case JobState::Running: {
      model::Run& run = state_.runs[job.run];
      run.cause = model::StopCause::Cancel;
      if (run.told_at != base::kNever) return;
      run.told_at = state_.now;
      const Trial trial = trial_of(event.job);
      book(state_, trial.spec.queue, trial.tenants, run.holds, trial.spec.preemptible,
           Change::Notice, state_.now);
      kept_back_.account_changed(state_, trial.spec.queue);
      turn_.account_changed(state_, trial.spec.queue, trial.tenants);
      decisions_.push_back(
          Stop{event.job, run.cause, base::later(state_.now, state_.policy.grace)});
      return;
    }
    case JobState::Done:
    case JobState::Timeout:
    case JobState::Cancelled:
      return;
  }
}

void Engine::on(const JobHeld& event) {
  delist(event.job);
  state_.jobs[event.job].held = true;
}

void Engine::on(const JobReleased& event) {
  state_.jobs[event.job].held = false;
  if (state_.jobs[event.job].state == JobState::Waiting) enlist(event.job);
}

void Engine::on(const RunEnded& event) {
  const model::Job& job = state_.jobs[event.job];
  STINT_ASSERT(job.state == JobState::Running);
  end_run(event.job, state_.runs[job.run].told_at != base::kNever);
  finish(event.job, event.done ? JobState::Done : JobState::Timeout);
}

void Engine::on(const RunStopped& event) {
  model::Job& job = state_.jobs[event.job];
  STINT_ASSERT(job.state == JobState::Running);
  STINT_ASSERT(state_.runs[job.run].told_at != base::kNever);
  job.work_saved = event.work_saved;
  end_run(event.job, true);
  finish(event.job, JobState::Cancelled);
}

// The run is gone with its node: what it had saved stays, the rest is lost (and refunded).
void Engine::fail_run(JobId id) {
  model::Job& job = state_.jobs[id];
  const model::Run& run = state_.runs[job.run];
  const bool told = run.told_at != base::kNever;
  const bool cancelled = run.cause == model::StopCause::Cancel;
  const Progress progress = progress_at(course_of(id), state_.now);
  job.work_saved = run.work_before + progress.saved;
  if (const auto gpu = state_.cluster.resources.gpu()) {
    job.lost_gpu_ms += base::i128{run.holds[*gpu]} * (state_.now - progress.since);
  }
  end_run(id, told);
  if (cancelled) {
    finish(id, JobState::Cancelled);
    return;
  }
  ++job.failures;
  job.returned = true;
  job.state = JobState::Waiting;
  enlist(id);
}

void Engine::set_node(base::NodeId id, bool failed, bool draining) {
  model::NodeState& node = state_.nodes[id.index()];
  if (node.failed == failed && node.draining == draining) return;
  accrue_all(state_, state_.now);
  node.failed = failed;
  node.draining = draining;
  refresh_capacity(state_);
  nodes_.rebuild(state_);
  kept_back_.renew(state_);
  turn_.everything_changed(state_);
  everything_released();
}

void Engine::on(const NodeFailed& event) {
  set_node(event.node, true, state_.nodes[event.node.index()].draining);
  std::vector<JobId> hit;
  for (const model::Run& run : state_.runs) {
    const bool uses = std::any_of(run.placement.begin(), run.placement.end(),
                                  [&](const model::Slice& s) { return s.node == event.node; });
    if (uses) hit.push_back(run.job);
  }
  std::sort(hit.begin(), hit.end());
  for (const JobId job : hit) fail_run(job);
}

void Engine::on(const NodeReturned& event) {
  set_node(event.node, false, state_.nodes[event.node.index()].draining);
}

void Engine::on(const NodeDrained& event) {
  set_node(event.node, state_.nodes[event.node.index()].failed, true);
}

void Engine::on(const NodeResumed& event) {
  set_node(event.node, state_.nodes[event.node.index()].failed, false);
}

void Engine::on(const PolicyApplied& event) {
  STINT_ASSERT(event.tree.queues.size() >= state_.queues.size());
  accrue_all(state_, state_.now);
  state_.tree = event.tree;
  state_.policy = event.policy;
  const model::Amounts zero(state_.cluster.resources.size());
  model::Account account;
  account.now = account.after = account.protected_now = zero;
  account.past = base::DecayedAverage(0, state_.now);
  state_.queues.resize(state_.tree.queues.size(), account);
  state_.tenants_at.resize(state_.tree.queues.size());
  state_.guarantees.resize(state_.tree.queues.size(), zero);
  refresh_tenants(state_);
  refresh_capacity(state_);
  rebuild_index();
}

// --- ends ----------------------------------------------------------------------------------------

void Engine::end_run(JobId id, bool told) {
  const Trial trial = trial_of(id);
  model::Job& job = state_.jobs[id];
  STINT_ASSERT(job.state == JobState::Running);
  if (keeps_runs_) runs_by_limit_.remove(state_, id);
  const model::Run run = std::move(state_.runs[job.run]);
  if (job.run + 1 != state_.runs.size()) {
    state_.runs[job.run] = std::move(state_.runs.back());
    state_.jobs[state_.runs[job.run].job].run = job.run;
  }
  state_.runs.pop_back();
  if (const auto gpu = state_.cluster.resources.gpu()) {
    job.held_gpu_ms += base::i128{run.holds[*gpu]} * (state_.now - run.start);
  }
  release_placement(state_, trial.shape, run.placement);
  for (const model::Slice& slice : run.placement) nodes_.update(state_, slice.node);
  book(state_, trial.spec.queue, trial.tenants, run.holds, trial.spec.preemptible,
       told ? Change::Left : Change::End, state_.now);
  kept_back_.account_changed(state_, trial.spec.queue);
  turn_.account_changed(state_, trial.spec.queue, trial.tenants);
  if (state_.now - run.start >= state_.policy.min_run) job.returned = false;
  job.run = UINT32_MAX;
  const auto fits_again = [&](base::ShapeId shape) { return may_fit(shape, run.placement); };
  turn_.released(fits_again);
  listed_.released(fits_again);
  stale_ = true;
}

void Engine::finish(JobId id, JobState end) {
  model::Job& job = state_.jobs[id];
  job.state = end;
  job.end = state_.now;
  if (end == JobState::Cancelled || dependents_.empty()) return;
  const auto dependents = dependents_.find(id);
  if (dependents == dependents_.end()) return;
  for (const JobId dependent : dependents->second) {
    if (state_.jobs.has(dependent)) enlist(dependent);
  }
}

}  // namespace stint::engine
