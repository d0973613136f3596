#include "codec/snapshot/consistent.h"

#include <algorithm>

namespace stint::codec {

namespace {

bool amounts_fit(const model::State& state) {
  const std::size_t n = state.cluster.resources.size();
  const auto fits = [n](const model::Amounts& a) { return a.size() == n; };
  const auto account = [&](const model::Account& a) {
    return fits(a.now) && fits(a.after) && fits(a.protected_now);
  };
  return fits(state.healthy) && fits(state.free) &&
         std::all_of(state.guarantees.begin(), state.guarantees.end(), fits) &&
         std::all_of(state.queues.begin(), state.queues.end(), account) &&
         std::all_of(state.tenants.begin(), state.tenants.end(),
                     [&](const model::Tenant& t) { return account(t.account); }) &&
         std::all_of(state.shapes.begin(), state.shapes.end(),
                     [&](const model::Shape& s) {
                       return s.tasks > 0 && fits(s.each) &&
                              (s.wish.level == model::kWholeCluster ||
                               s.wish.level <= state.cluster.levels.size());
                     }) &&
         std::all_of(state.runs.begin(), state.runs.end(),
                     [&](const model::Run& r) { return fits(r.holds); }) &&
         std::all_of(state.nodes.begin(), state.nodes.end(),
                     [&](const model::NodeState& s) { return fits(s.free); }) &&
         std::all_of(state.cluster.nodes.begin(), state.cluster.nodes.end(),
                     [&](const model::Node& s) {
                       return fits(s.has) && s.domains.size() == state.cluster.levels.size();
                     }) &&
         std::all_of(
             state.tree.queues.begin(), state.tree.queues.end(), [&](const model::Queue& q) {
               return fits(q.guarantee) && fits(q.limit) && fits(q.lend) && q.counts.size() == n &&
                      std::all_of(q.users.begin(), q.users.end(),
                                  [&](const model::UserRule& u) { return fits(u.limit); });
             });
}

bool tree_is_sound(const model::State& state) {
  const auto& queues = state.tree.queues;
  if (queues.empty() || queues[0].parent.valid()) return false;
  for (std::size_t q = 1; q < queues.size(); ++q) {
    if (!queues[q].parent.valid() || queues[q].parent.index() >= q)
      return false;  // parents come first
  }
  for (std::size_t q = 0; q < queues.size(); ++q) {
    const auto& children = queues[q].children;
    const bool own = std::all_of(children.begin(), children.end(), [&](base::QueueId c) {
      return c.index() < queues.size() && queues[c.index()].parent == base::QueueId(q);
    });
    if (!own) return false;
  }
  return true;
}

bool job_is_sound(const model::State& state, base::JobId id) {
  const model::Job& job = state.jobs[id];
  const model::JobAsk& spec = job.spec;
  const bool runs = job.state == model::JobState::Running;
  const bool was_submitted = runs || job.state == model::JobState::Waiting;
  return spec.queue.index() < state.queues.size() && state.tree[spec.queue].is_leaf() &&
         spec.user.index() < state.users.size() && spec.shape.index() < state.shapes.size() &&
         spec.habit < state.habits.size() && (!runs || job.run < state.runs.size()) &&
         (!was_submitted || (job.tenant.index() < state.tenants.size() &&
                             state.tenants[job.tenant.index()].queue == spec.queue &&
                             state.tenants[job.tenant.index()].user == spec.user));
}

bool jobs_are_sound(const model::State& state) {
  const std::vector<base::JobId> ids = state.jobs.ids();
  const bool sound =
      std::all_of(ids.begin(), ids.end(), [&](base::JobId id) { return job_is_sound(state, id); });
  return sound && std::all_of(state.after.begin(), state.after.end(), [&](const auto& entry) {
           return entry.first.index() < state.jobs.size() &&
                  std::all_of(
                      entry.second.begin(), entry.second.end(),
                      [&](base::JobId id) { return id.index() < state.jobs.size(); });
         });
}

bool runs_are_sound(const model::State& state) {
  for (std::size_t r = 0; r < state.runs.size(); ++r) {
    const model::Run& run = state.runs[r];
    if (!state.jobs.has(run.job)) return false;
    const model::Job& job = state.jobs[run.job];
    if (job.state != model::JobState::Running || job.run != r) return false;
    for (const model::Slice& slice : run.placement) {
      if (slice.node.index() >= state.nodes.size()) return false;
      const std::size_t devices = state.nodes[slice.node.index()].devices.size();
      for (const model::DeviceShare& d : slice.devices) {
        if (d.device >= devices) return false;
      }
    }
  }
  return true;
}

bool tenants_are_sound(const model::State& state) {
  for (const model::Tenant& tenant : state.tenants) {
    if (tenant.queue.index() >= state.queues.size() || tenant.user.index() >= state.users.size())
      return false;
  }
  for (const auto& at_queue : state.tenants_at) {
    for (const model::TenantId t : at_queue) {
      if (t.index() >= state.tenants.size()) return false;
    }
  }
  return true;
}

}  // namespace

std::string inconsistency(const model::State& state) {
  const std::size_t queues = state.tree.queues.size();
  if (state.queues.size() != queues || state.guarantees.size() != queues ||
      state.tenants_at.size() != queues || state.nodes.size() != state.cluster.nodes.size()) {
    return "its lists have different lengths";
  }
  if (!amounts_fit(state)) return "a vector of amounts has the wrong length";
  if (!tree_is_sound(state)) return "its queues are no tree";
  if (!jobs_are_sound(state)) return "a job names something that is not there";
  if (!runs_are_sound(state)) return "a run names something that is not there";
  if (!tenants_are_sound(state)) return "a user's account names something that is not there";
  return "";
}

}  // namespace stint::codec
