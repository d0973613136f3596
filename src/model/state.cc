#include "model/state.h"

#include <fmt/format.h>

namespace stint::model {

namespace {

void add_amounts(base::Digest& digest, const Amounts& amounts) {
  for (const Amount a : amounts) digest.add_signed(a);
}

void add_account(base::Digest& digest, const Account& account) {
  add_amounts(digest, account.now);
  add_amounts(digest, account.after);
  add_amounts(digest, account.protected_now);
  digest.add(static_cast<std::uint64_t>(account.past.value() >> 64U));
  digest.add(static_cast<std::uint64_t>(account.past.value()));
  digest.add_signed(account.past.at());
  digest.add(account.served);
}

void add_run(base::Digest& digest, const Run& run) {
  digest.add_signed(run.start);
  digest.add_signed(run.told_at);
  for (const Slice& slice : run.placement) {
    digest.add(slice.node.value);
    digest.add(slice.tasks);
    for (const DeviceShare& d : slice.devices)
      digest.add((std::uint64_t{d.device} << 16U) + d.milli);
  }
}

}  // namespace

std::string job_name(const State& state, JobId id) {
  const bool has = id.index() < state.names.size() && !state.names[id.index()].empty();
  return has ? state.names[id.index()] : fmt::format("job {}", id.value);
}

std::uint64_t job_digest(const State& state, JobId id) {
  const Job& job = state.jobs[id.index()];
  base::Digest digest;
  digest.add(id.value);
  digest.add(static_cast<std::uint64_t>(job.state));
  digest.add((job.held ? 1U : 0U) + (job.returned ? 2U : 0U));
  digest.add(job.runs);
  digest.add_signed(job.work_saved);
  digest.add_signed(job.first_start);
  digest.add_signed(job.end);
  digest.add_signed(static_cast<std::int64_t>(job.held_gpu_ms));
  digest.add_signed(static_cast<std::int64_t>(job.lost_gpu_ms));
  if (job.state == JobState::Running) add_run(digest, state.runs[job.run]);
  return digest.value();
}

State make_state(Cluster cluster, Tree tree, Policy policy) {
  State state;
  const std::size_t resources = cluster.resources.size();
  const Amounts zero(resources);
  state.cluster = std::move(cluster);
  state.topology = Topology(state.cluster);
  state.tree = std::move(tree);
  state.policy = policy;
  for (const Node& node : state.cluster.nodes) {
    NodeState now;
    now.free = node.has;
    if (const auto gpu = state.cluster.resources.gpu()) {
      now.devices.assign(static_cast<std::size_t>(node.has[*gpu] / base::kUnit),
                         static_cast<std::uint16_t>(base::kUnit));
      now.whole_devices = static_cast<std::uint32_t>(now.devices.size());
    }
    state.nodes.push_back(std::move(now));
  }
  Account account;
  account.now = account.after = account.protected_now = zero;
  state.queues.assign(state.tree.queues.size(), account);
  state.tenants_at.resize(state.tree.queues.size());
  for (const Queue& queue : state.tree.queues) state.guarantees.push_back(queue.guarantee);
  state.healthy = state.free = state.cluster.capacity();
  return state;
}

base::Digest digest_of(const State& state) {
  base::Digest digest = state.decisions;
  digest.add_signed(state.now);
  digest.add(state.serial);
  for (const NodeState& node : state.nodes) {
    digest.add((node.failed ? 1U : 0U) + (node.draining ? 2U : 0U));
    add_amounts(digest, node.free);
  }
  for (const Account& account : state.queues) add_account(digest, account);
  for (const Tenant& tenant : state.tenants) {
    digest.add(tenant.queue.value);
    digest.add(tenant.user.value);
    add_account(digest, tenant.account);
  }
  // A sum, so that it does not matter in which order jobs are added.
  std::uint64_t jobs = state.forgotten;
  for (std::size_t j = 0; j < state.jobs.size(); ++j) {
    if (!state.jobs.has(JobId(j)) || state.jobs[j].state == JobState::Future) continue;
    jobs += job_digest(state, JobId(j));
  }
  digest.add(jobs);
  return digest;
}

}  // namespace stint::model
