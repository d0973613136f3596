#include "engine/turn/quota.h"

#include <algorithm>

#include "engine/turn/account.h"

namespace stint::engine {

namespace {

void add_exceeded(const model::Account& account, const Amounts& asks, const Amounts& limit,
                  QueueId queue, TenantId tenant, std::vector<Scope>& exceeded) {
  for (std::size_t r = 0; r < asks.size(); ++r) {
    if (asks[r] > 0 && usage(account, r) + asks[r] > limit[r])
      exceeded.push_back({queue, tenant, ResourceId(r)});
  }
}

const model::UserRule* rule_of(const State& state, const model::Tenant& tenant) {
  if (state.tree[tenant.queue].users.empty()) return nullptr;
  return state.tree[tenant.queue].rule_for(state.users.name(tenant.user.value));
}

// max(0, G - U - lend), or what its children keep back together if that is more.
Amounts kept_back_below(const State& state, QueueId queue) {
  const model::Queue& q = state.tree[queue];
  const Amounts& used = state.queues[queue.index()].after;
  const Amounts& guarantee = state.guarantees[queue.index()];
  Amounts children(used.size());
  for (const QueueId child : q.children) children += kept_back_below(state, child);
  Amounts kept(used.size());
  for (std::size_t r = 0; r < used.size(); ++r) {
    kept[r] = std::max({Amount{0}, guarantee[r] - used[r] - q.lend[r], children[r]});
  }
  return kept;
}

// Whether a queue on the path from `leaf` up to below the scope's queue is guaranteed the resource
// itself: protected work there stands on that guarantee and not in the scope's own part.
bool has_own_guarantee(const State& state, QueueId leaf, const Scope& scope) {
  for (QueueId q = leaf; q.valid() && q != scope.queue; q = state.tree[q].parent) {
    if (state.guarantees[q.index()][scope.resource] > 0) return true;
  }
  return false;
}

bool counts_under(const State& state, const model::Run& run, const Scope& scope,
                  bool protected_only) {
  const model::JobAsk& spec = state.jobs[run.job].spec;
  if (protected_only && (spec.preemptible || has_own_guarantee(state, spec.queue, scope)))
    return false;
  if (run.holds[scope.resource] == 0) return false;
  if (!state.tree.is_ancestor_or_self(scope.queue, spec.queue)) return false;
  return !scope.tenant.valid() || state.tenants[scope.tenant.index()].user == spec.user;
}

}  // namespace

std::vector<Scope> exceeded_limits(const State& state, const Request& request) {
  std::vector<Scope> exceeded;
  for (const TenantId t : *request.tenants) {
    const model::Tenant& tenant = state.tenants[t.index()];
    const model::UserRule* rule = rule_of(state, tenant);
    if (!rule) continue;
    add_exceeded(tenant.account, *request.total, rule->limit, tenant.queue, t, exceeded);
  }
  for (QueueId q = request.leaf; q.valid(); q = state.tree[q].parent) {
    add_exceeded(state.queues[q.index()], *request.total, state.tree[q].limit, q, {}, exceeded);
  }
  return exceeded;
}

bool user_limit_may_bind(const State& state, TenantId tenant, const Amounts& most,
                         const Amounts& more) {
  const model::Tenant& in_leaf = state.tenants[tenant.index()];
  for (QueueId q = in_leaf.queue; q.valid(); q = state.tree[q].parent) {
    if (state.tree[q].users.empty()) continue;
    const auto* rule = state.tree[q].rule_for(state.users.name(in_leaf.user.value));
    if (!rule) continue;
    const TenantId there = find_tenant(state, q, in_leaf.user);
    for (std::size_t r = 0; r < most.size(); ++r) {
      const Amount used = there.valid() ? usage(state.tenants[there.index()].account, r) : 0;
      if (most[r] > 0 && used + more[r] + most[r] > rule->limit[r]) return true;
    }
  }
  return false;
}

PlacementBounds model_bounds(const State& state, const Request& request) {
  return model_bounds(state, request, kept_back(state, request.leaf));
}

PlacementBounds model_bounds(const State& state, const Request& request, const Amounts& kept) {
  const std::size_t resources = request.total->size();
  PlacementBounds bounds{Amounts(resources), false};
  if (!state.cluster.resources.has_models()) return bounds;
  for (std::size_t r = 0; r < resources; ++r) bounds.models[r] = model::kUnlimited;
  const auto narrow = [&](std::size_t r, Amount left) {
    if (left >= model::kUnlimited / 2) return;
    bounds.models[r] = std::min(bounds.models[r], left);
    bounds.models_bind = true;
  };
  for (std::size_t r = 0; r < resources; ++r) {
    if (!state.cluster.resources.is_model(ResourceId(r))) continue;
    if (kept[r] > 0) narrow(r, state.free[r] - kept[r]);
    for (const TenantId t : *request.tenants) {
      const model::Tenant& tenant = state.tenants[t.index()];
      if (const auto* rule = rule_of(state, tenant))
        narrow(r, rule->limit[r] - usage(tenant.account, r));
    }
    for (QueueId q = request.leaf; q.valid(); q = state.tree[q].parent) {
      narrow(r, state.tree[q].limit[r] - usage(state.queues[q.index()], r));
    }
  }
  return bounds;
}

Amounts kept_back(const State& state, QueueId leaf) {
  Amounts sum(state.healthy.size());
  for (QueueId q = leaf; !state.tree[q].is_root(); q = state.tree[q].parent) {
    for (const QueueId sibling : state.tree[state.tree[q].parent].children) {
      if (sibling != q) sum += kept_back_below(state, sibling);
    }
  }
  return sum;
}

bool lending_allows(const State& state, const Request& request) {
  return !state.tree.keeps_back || lending_allows(state, request, kept_back(state, request.leaf));
}

bool lending_allows(const State& state, const Request& request, const Amounts& kept) {
  for (std::size_t r = 0; r < kept.size(); ++r) {
    const Amount asks = (*request.total)[r];
    if (asks > 0 && state.free[r] - asks < kept[r]) return false;
  }
  return true;
}

OwnPart own_part(const State& state, const Request& request) {
  QueueId below;
  for (QueueId q = request.leaf; !state.tree[q].is_root(); q = state.tree[q].parent) {
    const Amounts& guarantee = state.guarantees[q.index()];
    bool guaranteed = false;
    for (std::size_t r = 0; r < guarantee.size(); ++r) {
      guaranteed = guaranteed || ((*request.total)[r] > 0 && guarantee[r] > 0);
    }
    if (guaranteed) {
      OwnPart part{q, below, guarantee};
      for (const QueueId child : state.tree[q].children) {
        if (child != below) part.size -= state.guarantees[child.index()];
      }
      return part;
    }
    below = q;
  }
  return {{}, {}, Amounts(request.total->size())};
}

Amounts protected_usage(const State& state, const OwnPart& part) {
  if (!part.below.valid()) return state.queues[part.queue.index()].protected_now;
  Amounts used(part.size.size());
  for (const QueueId child : state.tree[part.queue].children) {
    Amounts held = state.queues[child.index()].protected_now;
    if (child != part.below) {
      for (std::size_t r = 0; r < held.size(); ++r) {
        held[r] = std::max<Amount>(0, held[r] - state.guarantees[child.index()][r]);
      }
    }
    used += held;
  }
  return used;
}

std::vector<Scope> outside_own_part(const State& state, const Request& request) {
  std::vector<Scope> outside;
  if (request.is_preemptible) return outside;
  const OwnPart part = own_part(state, request);
  const Amounts used =
      part.queue.valid() ? protected_usage(state, part) : Amounts(request.total->size());
  for (std::size_t r = 0; r < used.size(); ++r) {
    if (part.queue.valid() && !state.tree[part.queue].counts[r]) continue;
    const Amount asks = (*request.total)[r];
    if (asks > 0 && used[r] + asks > part.size[r])
      outside.push_back({part.queue, {}, ResourceId(r)});
  }
  return outside;
}

namespace {

// The runs below a queue in order of their limits: the first of the leaves' first ones each time.
class Merged {
 public:
  Merged(const State& state, const RunsByLimit& by_limit, QueueId queue) {
    if (state.tree[queue].is_leaf()) {
      walks_.push_back(by_limit.of_leaf(queue).walk());
      return;
    }
    for (std::size_t q = queue.index() + 1; q < state.queues.size(); ++q) {
      const QueueId leaf(q);
      if (!state.tree[leaf].is_leaf() || by_limit.of_leaf(leaf).empty()) continue;
      if (state.tree.is_ancestor_or_self(queue, leaf))
        walks_.push_back(by_limit.of_leaf(leaf).walk());
    }
  }

  // The next (limit, job); an invalid job at the end.
  [[nodiscard]] std::pair<Millis, base::JobId> next() {
    RunsByLimit::Runs::Walk* first = nullptr;
    for (RunsByLimit::Runs::Walk& walk : walks_) {
      if (!walk.at_end() && (!first || *walk < **first)) first = &walk;
    }
    if (!first) return {base::kNever, base::JobId()};
    const std::pair<Millis, base::JobId> run = **first;
    first->next();
    return run;
  }

 private:
  std::vector<RunsByLimit::Runs::Walk> walks_;  // one per leaf
};

}  // namespace

Millis earliest_room(const State& state, const RunsByLimit& by_limit, const Scope& scope,
                     Amount excess, bool protected_only, std::size_t runs) {
  Merged merged(state, by_limit, scope.queue);
  while (true) {
    const auto [limit, job] = merged.next();
    if (!job.valid() || limit == base::kNever) return base::kNever;
    const std::uint32_t run = state.jobs[job].run;
    if (run >= runs || !counts_under(state, state.runs[run], scope, protected_only)) continue;
    excess -= state.runs[run].holds[scope.resource];
    if (excess <= 0) return limit;
  }
}

}  // namespace stint::engine
