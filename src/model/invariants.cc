#include "model/invariants.h"

#include <fmt/format.h>

namespace stint::model {

namespace {

using Breaches = std::vector<std::string>;

// I1 and I5, node by node from the runs' placements.
void check_nodes(const State& state, Breaches& breaches) {
  const auto gpu = state.cluster.resources.gpu();
  std::vector<Amounts> held(state.nodes.size(), Amounts(state.cluster.resources.size()));
  std::vector<std::vector<std::uint32_t>> devices(state.nodes.size());
  for (std::size_t n = 0; n < devices.size(); ++n) devices[n].resize(state.nodes[n].devices.size());
  for (const Run& run : state.runs) {
    const Job& job = state.jobs[run.job.index()];
    const Shape& shape = state.shapes[job.spec.shape.index()];
    std::uint32_t tasks = 0;
    for (const Slice& slice : run.placement) {
      const Node& node = state.cluster.nodes[slice.node.index()];
      Amounts each = shape.each;
      if (gpu && node.model.valid()) each[node.model] = each[*gpu];
      held[slice.node.index()] += each * static_cast<std::int64_t>(slice.tasks);
      for (const DeviceShare& d : slice.devices) devices[slice.node.index()][d.device] += d.milli;
      tasks += slice.tasks;
    }
    if (tasks != shape.tasks) {
      breaches.push_back(fmt::format("I5: {} holds {} of its {} tasks", job_name(state, run.job),
                                     tasks, shape.tasks));
    }
  }
  for (std::size_t n = 0; n < held.size(); ++n) {
    const Node& node = state.cluster.nodes[n];
    if (held[n] + state.nodes[n].free != node.has) {
      breaches.push_back(fmt::format("I1: held and free of {} are not what it has", node.name));
    }
    if (!held[n].fits_in(node.has))
      breaches.push_back(fmt::format("I1: {} is over its capacity", node.name));
    for (std::size_t d = 0; d < devices[n].size(); ++d) {
      if (devices[n][d] + state.nodes[n].devices[d] != static_cast<std::uint32_t>(base::kUnit)) {
        breaches.push_back(
            fmt::format("I1: device {} of {} is given out twice or lost", d, node.name));
      }
    }
  }
}

struct Recount {
  Amounts now;
  Amounts after;
  Amounts protected_now;
  std::uint32_t jobs = 0;

  void add(const Run& run, bool is_preemptible) {
    now += run.holds;
    if (run.told_at == base::kNever) after += run.holds;
    if (!is_preemptible) protected_now += run.holds;
    ++jobs;
  }
  [[nodiscard]] bool equals(const Account& account) const {
    return now == account.now && after == account.after && protected_now == account.protected_now &&
           jobs == account.running_jobs;
  }
};

void check_accounts(const State& state, Breaches& breaches) {
  const Amounts zero(state.cluster.resources.size());
  std::vector<Recount> queues(state.queues.size(), Recount{zero, zero, zero, 0});
  std::vector<Recount> tenants(state.tenants.size(), Recount{zero, zero, zero, 0});
  for (const Run& run : state.runs) {
    const JobAsk& spec = state.jobs[run.job.index()].spec;
    for (QueueId q = spec.queue; q.valid(); q = state.tree[q].parent) {
      queues[q.index()].add(run, spec.preemptible);
      for (const TenantId t : state.tenants_at[q.index()]) {
        if (state.tenants[t.index()].user == spec.user)
          tenants[t.index()].add(run, spec.preemptible);
      }
    }
  }
  for (std::size_t q = 0; q < queues.size(); ++q) {
    if (!queues[q].equals(state.queues[q])) {
      breaches.push_back(
          fmt::format("I3: usage of queue {} is not the recount", state.tree.queues[q].path));
    }
  }
  for (std::size_t t = 0; t < tenants.size(); ++t) {
    const Tenant& tenant = state.tenants[t];
    const Queue& queue = state.tree[tenant.queue];
    if (!queue.is_leaf() && queue.users.empty()) continue;  // its block is gone: the account rests
    if (!tenants[t].equals(tenant.account)) {
      breaches.push_back(fmt::format("I3: usage of user {} in {} is not the recount",
                                     state.users.name(tenant.user.value), queue.path));
    }
  }
}

void check_limit(const Amounts& used, const std::optional<Amounts>& before, const Amounts& limit,
                 const std::string& who, Breaches& breaches) {
  if (!before) return;
  for (std::size_t r = 0; r < used.size(); ++r) {
    if (used[r] > limit[r] && used[r] > (*before)[r]) {
      breaches.push_back(fmt::format("I2: {} is over its limit", who));
    }
  }
}

}  // namespace

std::vector<std::string> broken_invariants(const State& state) {
  Breaches breaches;
  check_nodes(state, breaches);
  check_accounts(state, breaches);
  return breaches;
}

std::vector<std::string> LimitWatch::check(const State& state) {
  Breaches breaches;
  const bool binds = state.policy.order == Order::Fair;
  queues_.resize(state.queues.size());
  tenants_.resize(state.tenants.size());
  for (std::size_t q = 0; q < state.queues.size(); ++q) {
    const Queue& queue = state.tree.queues[q];
    const Amounts used = max_each(state.queues[q].now, state.queues[q].after);
    if (binds) check_limit(used, queues_[q], queue.limit, queue.path, breaches);
    queues_[q] = used;
  }
  for (std::size_t t = 0; t < state.tenants.size(); ++t) {
    const Tenant& tenant = state.tenants[t];
    const Amounts used = max_each(tenant.account.now, tenant.account.after);
    const std::string& name = state.users.name(tenant.user.value);
    const UserRule* rule = state.tree[tenant.queue].rule_for(name);
    if (binds && rule) check_limit(used, tenants_[t], rule->limit, name, breaches);
    tenants_[t] = rule ? std::optional(used) : std::nullopt;
  }
  return breaches;
}

}  // namespace stint::model
