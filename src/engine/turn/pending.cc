#include "engine/turn/pending.h"

#include <algorithm>

#include "base/assert.h"

namespace stint::engine {

namespace {

template <class Groups>
auto find_group(Groups& groups, ShapeId shape) {
  return std::lower_bound(groups.begin(), groups.end(), shape,
                          [](const PendingIndex::Group& g, ShapeId s) { return g.shape < s; });
}

}  // namespace

JobRank job_rank(const State& state, JobId id, ListOrder order) {
  const model::Job& job = state.jobs[id.index()];
  JobRank rank{true, 0, job.spec.submit, id};
  if (order == ListOrder::User) {
    rank.not_returned = !job.returned;
    rank.minus_priority = -std::int64_t{job.spec.priority};
  } else if (order == ListOrder::Work) {
    rank.minus_priority = job.spec.work;
  }
  return rank;
}

void PendingIndex::insert(const State& state, TenantId tenant, JobId job) {
  if (tenant.index() >= by_tenant_.size()) by_tenant_.resize(tenant.index() + 1);
  Groups& groups = by_tenant_[tenant.index()];
  if (groups.empty())
    active_.insert(std::lower_bound(active_.begin(), active_.end(), tenant), tenant);
  const ShapeId shape = state.jobs[job.index()].spec.shape;
  auto it = find_group(groups, shape);
  if (it == groups.end() || it->shape != shape) it = groups.insert(it, {shape, {}});
  const bool is_new = it->jobs.insert(job_rank(state, job, order_)).second;
  STINT_ASSERT(is_new);
  ++size_;
}

void PendingIndex::erase(const State& state, TenantId tenant, JobId job) {
  STINT_ASSERT(tenant.index() < by_tenant_.size());
  Groups& groups = by_tenant_[tenant.index()];
  const auto it = find_group(groups, state.jobs[job.index()].spec.shape);
  STINT_ASSERT(it != groups.end());
  const std::size_t erased = it->jobs.erase(job_rank(state, job, order_));
  STINT_ASSERT(erased == 1);
  if (it->jobs.empty()) groups.erase(it);
  if (groups.empty()) active_.erase(std::lower_bound(active_.begin(), active_.end(), tenant));
  --size_;
}

const PendingIndex::Groups& PendingIndex::groups(TenantId tenant) const {
  return tenant.index() < by_tenant_.size() ? by_tenant_[tenant.index()] : empty_;
}

}  // namespace stint::engine
