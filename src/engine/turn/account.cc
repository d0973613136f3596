#include "engine/turn/account.h"

#include <algorithm>

#include "base/assert.h"
#include "base/int128.h"
#include "engine/turn/share.h"

namespace stint::engine {

TenantId find_tenant(const model::State& state, model::QueueId queue, base::UserId user) {
  const auto& at_queue = state.tenants_at[queue.index()];
  const auto it = std::lower_bound(
      at_queue.begin(), at_queue.end(), user,
      [&](TenantId t, base::UserId u) { return state.tenants[t.index()].user < u; });
  if (it == at_queue.end() || state.tenants[it->index()].user != user) return {};
  return *it;
}

namespace {

TenantId ensure_tenant(model::State& state, model::QueueId queue, base::UserId user) {
  if (const TenantId found = find_tenant(state, queue, user); found.valid()) return found;
  const TenantId id(state.tenants.size());
  model::Tenant tenant;
  tenant.queue = queue;
  tenant.user = user;
  const model::UserRule* rule = state.tree[queue].rule_for(state.users.name(user.value));
  if (rule) tenant.weight = rule->weight;
  const std::size_t resources = state.cluster.resources.size();
  tenant.account.now = tenant.account.after = tenant.account.protected_now = Amounts(resources);
  tenant.account.past = base::DecayedAverage(0, state.now);
  state.tenants.push_back(std::move(tenant));
  auto& at_queue = state.tenants_at[queue.index()];
  const auto place = std::lower_bound(
      at_queue.begin(), at_queue.end(), user,
      [&](TenantId t, base::UserId u) { return state.tenants[t.index()].user < u; });
  at_queue.insert(place, id);
  return id;
}

void apply_change(model::Account& account, const Amounts& amounts, bool is_preemptible,
                  Change change) {
  const bool takes = change == Change::Start;
  const bool leaves = change == Change::End || change == Change::Left;
  if (takes) account.now += amounts;
  if (leaves) account.now -= amounts;
  if (takes) account.after += amounts;
  if (change == Change::Notice || change == Change::End) account.after -= amounts;
  if (!is_preemptible && takes) account.protected_now += amounts;
  if (!is_preemptible && leaves) account.protected_now -= amounts;
  if (takes) ++account.running_jobs;
  if (leaves) --account.running_jobs;
}

}  // namespace

std::vector<TenantId> tenants_of(model::State& state, model::QueueId leaf, base::UserId user) {
  std::vector<TenantId> tenants{ensure_tenant(state, leaf, user)};
  for (model::QueueId q = state.tree[leaf].parent; q.valid(); q = state.tree[q].parent) {
    if (!state.tree[q].users.empty()) tenants.push_back(ensure_tenant(state, q, user));
  }
  return tenants;
}

std::vector<TenantId> known_tenants_of(const model::State& state, model::QueueId leaf,
                                       base::UserId user) {
  std::vector<TenantId> tenants;
  for (model::QueueId q = leaf; q.valid(); q = state.tree[q].parent) {
    if (q != leaf && state.tree[q].users.empty()) continue;
    const TenantId tenant = find_tenant(state, q, user);
    if (tenant.valid()) tenants.push_back(tenant);
  }
  return tenants;
}

void book(model::State& state, model::QueueId leaf, const std::vector<TenantId>& tenants,
          const Amounts& amounts, bool is_preemptible, Change change, Millis now) {
  const Millis half_life = state.policy.half_life;
  // A steady share needs no accrual: `past` moves in closed form from where the share last changed.
  for (model::QueueId q = leaf; q.valid(); q = state.tree[q].parent) {
    model::Account& account = state.queues[q.index()];
    const Fraction before = queue_share(state, q);
    apply_change(account, amounts, is_preemptible, change);
    if (state.tree[q].is_root()) continue;  // it has no siblings
    if (queue_share(state, q) != before) account.past.advance(now, before, half_life);
  }
  for (const TenantId t : tenants) {
    model::Tenant& tenant = state.tenants[t.index()];
    const Fraction before = tenant_share(state, tenant);
    apply_change(tenant.account, amounts, is_preemptible, change);
    if (tenant_share(state, tenant) != before) tenant.account.past.advance(now, before, half_life);
  }
}

void accrue_all(model::State& state, Millis now) {
  for (std::size_t q = 1; q < state.queues.size(); ++q) {
    state.queues[q].past.advance(now, queue_share(state, model::QueueId(q)),
                                 state.policy.half_life);
  }
  for (model::Tenant& tenant : state.tenants) {
    tenant.account.past.advance(now, tenant_share(state, tenant), state.policy.half_life);
  }
}

void refresh_tenants(model::State& state) {
  for (model::Tenant& tenant : state.tenants) {
    const model::Queue& queue = state.tree[tenant.queue];
    const model::UserRule* rule = queue.rule_for(state.users.name(tenant.user.value));
    tenant.weight = rule ? rule->weight : model::kWeightOne;
    if (queue.is_leaf()) continue;
    const Amounts zero(state.cluster.resources.size());
    tenant.account.now = tenant.account.after = tenant.account.protected_now = zero;
    tenant.account.running_jobs = 0;
  }
  // Waiting jobs need their tenants too, and every one with a run is recounted.
  for (const base::JobId id : state.jobs.ids()) {
    const model::Job& job = state.jobs[id];
    if (job.state != model::JobState::Waiting && job.state != model::JobState::Running) continue;
    const std::vector<TenantId> tenants = tenants_of(state, job.spec.queue, job.spec.user);
    if (job.state != model::JobState::Running) continue;
    const model::Run& run = state.runs[job.run];
    for (std::size_t t = 1; t < tenants.size(); ++t) {
      model::Account& account = state.tenants[tenants[t].index()].account;
      apply_change(account, run.holds, job.spec.preemptible, Change::Start);
      if (run.told_at != base::kNever) {
        apply_change(account, run.holds, job.spec.preemptible, Change::Notice);
      }
    }
  }
}

void refresh_capacity(model::State& state) {
  const std::size_t resources = state.cluster.resources.size();
  state.healthy = Amounts(resources);
  state.free = Amounts(resources);
  for (std::size_t n = 0; n < state.nodes.size(); ++n) {
    if (!state.nodes[n].healthy()) continue;
    state.healthy += state.cluster.nodes[n].has;
    state.free += state.nodes[n].free;
  }
  Amounts promised(resources);
  for (const model::QueueId q : state.tree[model::Tree::root()].children) {
    promised += state.tree[q].guarantee;
  }
  for (std::size_t q = 0; q < state.guarantees.size(); ++q) {
    state.guarantees[q] = state.tree.queues[q].guarantee;
    for (std::size_t r = 0; r < resources; ++r) {
      if (promised[r] <= state.healthy[r]) continue;
      const base::i128 scaled = static_cast<base::i128>(state.guarantees[q][r]) * state.healthy[r];
      state.guarantees[q][r] = static_cast<model::Amount>(scaled / promised[r]);
    }
  }
}

}  // namespace stint::engine
