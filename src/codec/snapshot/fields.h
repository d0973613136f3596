// The fields of State in the order of the snapshot format, for writer and reader alike.
#pragma once

#include "codec/snapshot/archive.h"
#include "model/state.h"

namespace stint::codec {

template <class Archive, class Tag>
void field(Archive& archive, base::Id<Tag>& id) {
  archive.number(id.value);
}

template <class Archive>
void field(Archive& archive, model::Amounts& amounts) {
  auto size = static_cast<std::uint8_t>(amounts.size());
  archive.number(size);
  if (size > model::kResourcesMax) return archive.refuse();
  if constexpr (Archive::kReads) amounts = model::Amounts(size);
  for (std::size_t r = 0; r < size; ++r) archive.number(amounts[r]);
}

template <class Archive>
void field(Archive& archive, std::string& text) {
  archive.text(text);
}

template <class Archive>
void field(Archive& archive, base::StringIndex& index) {
  std::size_t size = index.size();
  archive.length(size, 8);
  for (std::size_t i = 0; i < size && archive.ok(); ++i) {
    std::string name = Archive::kReads ? std::string() : index.name(static_cast<std::uint32_t>(i));
    archive.text(name);
    if constexpr (Archive::kReads) {
      if (index.intern(name) != i) archive.refuse();  // a name twice
    }
  }
}

template <class Archive>
void field(Archive& archive, model::Resources& resources) {
  std::size_t size = resources.size();
  archive.length(size, 8);
  if (size > model::kResourcesMax) return archive.refuse();
  for (std::size_t i = 0; i < size && archive.ok(); ++i) {
    std::string name = Archive::kReads ? std::string() : resources.name(base::ResourceId(i));
    archive.text(name);
    if constexpr (Archive::kReads) {
      if (resources.intern(name).index() != i) archive.refuse();
    }
  }
}

template <class Archive>
void field(Archive& archive, model::Node& node) {
  archive.text(node.name);
  field(archive, node.has);
  list(archive, node.labels, 4, [](Archive& a, base::LabelId& v) { field(a, v); });
  field(archive, node.model);
  list(archive, node.domains, 8, [](Archive& a, std::string& v) { a.text(v); });
}

template <class Archive>
void field(Archive& archive, model::Cluster& cluster) {
  field(archive, cluster.resources);
  field(archive, cluster.labels);
  list(archive, cluster.levels, 8, [](Archive& a, std::string& v) { a.text(v); });
  list(archive, cluster.nodes, 20, [](Archive& a, model::Node& v) { field(a, v); });
}

template <class Archive>
void field(Archive& archive, model::UserRule& rule) {
  archive.text(rule.name);
  field(archive, rule.limit);
  archive.number(rule.weight);
}

template <class Archive>
void field(Archive& archive, std::vector<bool>& flags) {
  std::size_t size = flags.size();
  archive.length(size, 1);
  if constexpr (Archive::kReads) flags.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    bool value = flags[i];
    flag(archive, value);
    flags[i] = value;
  }
}

template <class Archive>
void field(Archive& archive, model::Queue& queue) {
  archive.text(queue.name);
  archive.text(queue.path);
  field(archive, queue.parent);
  list(archive, queue.children, 4, [](Archive& a, base::QueueId& v) { field(a, v); });
  field(archive, queue.guarantee);
  field(archive, queue.counts);
  field(archive, queue.limit);
  field(archive, queue.lend);
  archive.number(queue.weight);
  archive.number(queue.priority);
  enumerator(archive, queue.priority_scope, model::PriorityScope::Queue);
  list(archive, queue.users, 17, [](Archive& a, model::UserRule& v) { field(a, v); });
  archive.number(queue.path_rank);
}

template <class Archive>
void field(Archive& archive, model::Tree& tree) {
  list(archive, tree.queues, 40, [](Archive& a, model::Queue& v) { field(a, v); });
  flag(archive, tree.keeps_back);
  flag(archive, tree.is_nested);
}

template <class Archive>
void field(Archive& archive, model::Policy& policy) {
  enumerator(archive, policy.order, model::Order::SjfSkip);
  enumerator(archive, policy.instant, model::Instant::EachEnd);
  archive.number(policy.cycle);
  archive.number(policy.half_life);
  archive.number(policy.history);
  flag(archive, policy.preemption);
  archive.number(policy.reclaim_within);
  archive.number(policy.grace);
  archive.number(policy.min_run);
  archive.number(policy.max_per_day);
  archive.number(policy.loss_cap);
  archive.number(policy.claim_for);
  flag(archive, policy.between_borrowers);
  archive.number(policy.between_borrowers_after);
  archive.number(policy.reservations);
  archive.number(policy.firm_after);
  archive.number(policy.default_time);
  archive.number(policy.max_time);
  archive.number(policy.repair_within);
  archive.number(policy.quarantine_after);
}

template <class Archive>
void field(Archive& archive, model::Shape& shape) {
  archive.number(shape.tasks);
  field(archive, shape.each);
  list(archive, shape.where, 4, [](Archive& a, base::LabelId& v) { field(a, v); });
  archive.number(shape.wish.level);
  flag(archive, shape.wish.must);
}

template <class Archive>
void field(Archive& archive, model::Habit& habit) {
  archive.number(habit.checkpoint.every);
  archive.number(habit.checkpoint.takes);
  archive.number(habit.checkpoint.restart);
  flag(archive, habit.checkpoint.on_notice);
  archive.number(habit.stops_in);
}

template <class Archive>
void field(Archive& archive, model::JobAsk& spec) {
  field(archive, spec.queue);
  field(archive, spec.user);
  field(archive, spec.shape);
  archive.number(spec.habit);
  archive.number(spec.priority);
  flag(archive, spec.preemptible);
  flag(archive, spec.impossible);
  archive.number(spec.submit);
  archive.number(spec.work);
  archive.number(spec.limit);
}

template <class Archive>
void field(Archive& archive, model::Job& job) {
  field(archive, job.spec);
  enumerator(archive, job.state, model::JobState::Cancelled);
  flag(archive, job.held);
  flag(archive, job.returned);
  archive.number(job.runs);
  archive.number(job.failures);
  archive.number(job.run);
  field(archive, job.tenant);
  archive.number(job.first_start);
  archive.number(job.end);
  archive.number(job.work_saved);
  wide(archive, job.held_gpu_ms);
  wide(archive, job.lost_gpu_ms);
}

// Who waits for whom, by the waiting job's id.
template <class Archive>
void waits_for(Archive& archive, std::map<base::JobId, std::vector<base::JobId>>& after) {
  std::vector<std::pair<base::JobId, std::vector<base::JobId>>> entries(after.begin(), after.end());
  list(archive, entries, 12, [](Archive& a, auto& entry) {
    field(a, entry.first);
    list(a, entry.second, 4, [](Archive& b, base::JobId& id) { field(b, id); });
  });
  if constexpr (Archive::kReads) after = {entries.begin(), entries.end()};
}

// Every id in turn: whether the job is kept, then the job or how it ended.
template <class Archive>
void field(Archive& archive, model::JobTable& jobs) {
  std::size_t size = jobs.size();
  archive.length(size, 2);
  for (std::size_t j = 0; j < size; ++j) {
    const base::JobId id(j);
    bool kept = jobs.has(id);
    flag(archive, kept);
    if (kept) {
      model::Job job;
      if constexpr (!Archive::kReads) job = jobs[id];
      field(archive, job);
      if constexpr (Archive::kReads) jobs.add(id, job);
    } else {
      model::JobState state = jobs.state_of(id);
      enumerator(archive, state, model::JobState::Cancelled);
      if constexpr (Archive::kReads) jobs.add_forgotten(id, state);
    }
  }
}

template <class Archive>
void field(Archive& archive, model::Slice& slice) {
  field(archive, slice.node);
  archive.number(slice.tasks);
  list(archive, slice.devices, 4, [](Archive& a, model::DeviceShare& v) {
    a.number(v.device);
    a.number(v.milli);
  });
}

template <class Archive>
void field(Archive& archive, model::Run& run) {
  field(archive, run.job);
  archive.number(run.start);
  archive.number(run.work_before);
  archive.number(run.number);
  list(archive, run.placement, 16, [](Archive& a, model::Slice& v) { field(a, v); });
  field(archive, run.holds);
  archive.number(run.told_at);
  enumerator(archive, run.cause, model::StopCause::NodeFailure);
}

template <class Archive>
void field(Archive& archive, model::NodeState& node) {
  flag(archive, node.failed);
  flag(archive, node.draining);
  field(archive, node.free);
  list(archive, node.devices, 2, [](Archive& a, std::uint16_t& v) { a.number(v); });
  archive.number(node.whole_devices);
}

template <class Archive>
void field(Archive& archive, model::Account& account) {
  field(archive, account.now);
  field(archive, account.after);
  field(archive, account.protected_now);
  base::u128 value = account.past.value();
  base::Millis at = account.past.at();
  wide(archive, value);
  archive.number(at);
  if constexpr (Archive::kReads) account.past = base::DecayedAverage(value, at);
  archive.number(account.served);
  archive.number(account.running_jobs);
}

template <class Archive>
void field(Archive& archive, model::Tenant& tenant) {
  field(archive, tenant.queue);
  field(archive, tenant.user);
  archive.number(tenant.weight);
  field(archive, tenant.account);
}

template <class Archive>
void field(Archive& archive, model::State& state) {
  field(archive, state.cluster);
  field(archive, state.tree);
  field(archive, state.policy);
  field(archive, state.users);
  list(archive, state.shapes, 13, [](Archive& a, model::Shape& v) { field(a, v); });
  list(archive, state.habits, 33, [](Archive& a, model::Habit& v) { field(a, v); });
  field(archive, state.jobs);
  waits_for(archive, state.after);
  list(archive, state.names, 8, [](Archive& a, std::string& v) { a.text(v); });
  list(archive, state.runs, 40, [](Archive& a, model::Run& v) { field(a, v); });
  list(archive, state.nodes, 15, [](Archive& a, model::NodeState& v) { field(a, v); });
  list(archive, state.queues, 39, [](Archive& a, model::Account& v) { field(a, v); });
  list(archive, state.tenants, 50, [](Archive& a, model::Tenant& v) { field(a, v); });
  list(archive, state.tenants_at, 8, [](Archive& a, std::vector<model::TenantId>& v) {
    list(a, v, 4, [](Archive& b, model::TenantId& id) { field(b, id); });
  });
  list(archive, state.guarantees, 1, [](Archive& a, model::Amounts& v) { field(a, v); });
  field(archive, state.healthy);
  field(archive, state.free);
  archive.number(state.serial);
  archive.number(state.now);
  std::uint64_t digest = state.decisions.value();
  archive.number(digest);
  archive.number(state.forgotten);
  if constexpr (Archive::kReads) state.decisions = base::Digest::resume(digest);
}

}  // namespace stint::codec
