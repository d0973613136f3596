#include "scene.h"

namespace stint::differential {

namespace {

bool could_be_tried(const model::State& state, JobId id) {
  const model::Job& job = state.jobs[id.index()];
  if (job.state != model::JobState::Waiting || job.held || job.spec.impossible) return false;
  const auto after = state.after.find(id);
  if (after == state.after.end()) return true;
  for (const JobId before : after->second) {
    const model::JobState end = state.jobs.state_of(before);
    if (end != model::JobState::Done && end != model::JobState::Timeout) return false;
  }
  return true;
}

}  // namespace

Amounts each_on(const model::State& state, const model::Shape& shape, base::NodeId n) {
  Amounts each = shape.each;
  const base::ResourceId part = state.cluster.nodes[n.index()].model;
  if (part.valid()) each[part] = each[*state.cluster.resources.gpu()];
  return each;
}

Scene::Scene(const model::State& before, Millis at)
    : state(before),
      now(at),
      queues(before.queues),
      nodes(before.nodes.size()),
      guarantees(before.queues.size()),
      healthy(before.cluster.resources.size()),
      serial(before.serial) {
  const Amounts zero(healthy.size());
  for (std::size_t j = 0; j < state.jobs.size(); ++j) {
    for (QueueId q = spec(JobId(j)).queue; q.valid(); q = state.tree[q].parent) {
      users[{q, spec(JobId(j)).user}].now = zero;
    }
  }
  for (const model::Tenant& t : state.tenants) users[{t.queue, t.user}] = t.account;
  recount();  // no run, and every node well: what does not fit now never will
  for (std::size_t j = 0; j < state.jobs.size(); ++j) {
    if (!could_be_tried(state, JobId(j))) continue;
    if (place(*this, shape(JobId(j)), all_of_it())) waiting.emplace_back(j);
  }
  runs = state.runs;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    nodes[n].failed = state.nodes[n].failed;
    nodes[n].draining = state.nodes[n].draining;
    if (nodes[n].healthy()) healthy += state.cluster.nodes[n].has;
  }
  scale_guarantees();
  recount();
  // From here on `past` stands at now, with what was held until now.
  const Millis half_life = state.policy.half_life;
  for (std::size_t q = 0; q < queues.size(); ++q) {
    queues[q].past.advance(now, share(QueueId(q)), half_life);
  }
  for (auto& [who, account] : users) {
    account.past.advance(now, share(account, zero, who.first), half_life);
  }
}

void Scene::scale_guarantees() {
  Amounts promised(healthy.size());
  for (const QueueId q : state.tree[model::Tree::root()].children) {
    promised += state.tree[q].guarantee;
  }
  for (std::size_t q = 0; q < guarantees.size(); ++q) {
    guarantees[q] = state.tree.queues[q].guarantee;
    for (std::size_t r = 0; r < healthy.size(); ++r) {
      if (promised[r] <= healthy[r]) continue;
      guarantees[q][r] =
          static_cast<Amount>(base::i128{guarantees[q][r]} * healthy[r] / promised[r]);
    }
  }
}

void Scene::recount() {
  const Amounts zero(healthy.size());
  std::vector<Account*> all;
  for (Account& queue : queues) all.push_back(&queue);
  for (auto& [who, user] : users) all.push_back(&user);
  for (Account* account : all) account->now = account->after = account->protected_now = zero;
  const auto gpu = state.cluster.resources.gpu();
  free = zero;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    nodes[n].free = state.cluster.nodes[n].has;
    if (gpu)
      nodes[n].devices.assign(static_cast<std::size_t>(nodes[n].free[*gpu] / base::kUnit),
                              base::kUnit);
    if (nodes[n].healthy()) free += nodes[n].free;
  }
  for (model::Run& run : runs) {
    run.holds = zero;
    for (const model::Slice& slice : run.placement) {
      const Amounts sum = each_on(state, shape(run.job), slice.node) * slice.tasks;
      run.holds += sum;
      model::NodeState& node = nodes[slice.node.index()];
      node.free -= sum;
      if (node.healthy()) free -= sum;
      for (const model::DeviceShare& d : slice.devices) {
        node.devices[d.device] = static_cast<std::uint16_t>(node.devices[d.device] - d.milli);
      }
    }
    for (QueueId q = spec(run.job).queue; q.valid(); q = state.tree[q].parent) {
      for (Account* account : {&queues[q.index()], &users[{q, spec(run.job).user}]}) {
        account->now += run.holds;
        if (run.told_at == base::kNever) account->after += run.holds;
        if (!spec(run.job).preemptible) account->protected_now += run.holds;
      }
    }
  }
}

void Scene::start(JobId job, model::Placement placement) {
  std::erase(waiting, job);
  model::Run run;
  run.job = job;
  run.start = now;
  run.placement = std::move(placement);
  runs.push_back(std::move(run));
  ++serial;
  for (QueueId q = spec(job).queue; q.valid(); q = state.tree[q].parent) {
    queues[q.index()].served = users[{q, spec(job).user}].served = serial;
  }
  recount();
}

Amounts Scene::all_of_it() const {
  Amounts all(healthy.size());
  for (std::size_t r = 0; r < all.size(); ++r) all[r] = model::kUnlimited;
  return all;
}

Fraction Scene::share(const Account& of, const Amounts& guarantee, QueueId q) const {
  Fraction most;
  for (std::size_t r = 0; r < healthy.size(); ++r) {
    if (healthy[r] <= 0 || !state.tree[q].counts[r]) continue;
    const Amount over = usage(of, r) - guarantee[r];
    most = std::max(most, Fraction{std::max<Amount>(0, over), healthy[r]});
  }
  return most;
}

}  // namespace stint::differential
