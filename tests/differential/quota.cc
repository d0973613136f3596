#include "quota.h"

#include <algorithm>

namespace stint::differential {

namespace {

bool is_guaranteed(const Scene& scene, QueueId q, JobId job) {
  const Amounts& each = scene.shape(job).each;
  for (std::size_t r = 0; r < each.size(); ++r) {
    if (each[r] > 0 && scene.guarantees[q.index()][r] > 0) return true;
  }
  return false;
}

}  // namespace

// What is held under the scope by runs that, by their own limits, are not gone by then.
Amount Quota::held(const Scope& scope, bool only_protected, Millis gone_by) const {
  Amount sum = 0;
  for (const model::Run& run : scene_.runs) {
    const model::JobAsk& spec = scene_.spec(run.job);
    if (base::later(run.start, spec.limit) <= gone_by || (only_protected && spec.preemptible))
      continue;
    if (covers(scope, spec)) sum += run.holds[scope.r];
  }
  return sum;
}

bool Quota::covers(const Scope& scope, const model::JobAsk& spec) const {
  return tree_.is_ancestor_or_self(scope.queue, spec.queue) &&
         (!scope.user.valid() || scope.user == spec.user);
}

// Every limit above the job: of queues on its path, of its user below them.
std::vector<std::pair<Scope, Amount>> Quota::limits_of(JobId job) const {
  std::vector<std::pair<Scope, Amount>> limits;
  const model::JobAsk& spec = scene_.spec(job);
  for (QueueId q = spec.queue; q.valid(); q = tree_[q].parent) {
    const auto* rule = tree_[q].rule_for(scene_.state.users.name(spec.user.value));
    for (std::size_t r = 0; r < scene_.free.size(); ++r) {
      limits.push_back({{q, {}, r}, tree_[q].limit[r]});
      if (rule) limits.push_back({{q, spec.user, r}, rule->limit[r]});
    }
  }
  return limits;
}

std::vector<Scope> Quota::reached_limits(JobId job, Millis gone_by) const {
  std::vector<Scope> reached;
  const Amounts asks = scene_.shape(job).total();
  for (const auto& [scope, limit] : limits_of(job)) {
    if (asks[scope.r] > 0 && held(scope, false, gone_by) + asks[scope.r] > limit)
      reached.push_back(scope);
  }
  return reached;
}

std::pair<QueueId, QueueId> Quota::own_part(JobId job) const {
  QueueId below;
  for (QueueId q = scene_.spec(job).queue; !tree_[q].is_root(); below = q, q = tree_[q].parent) {
    if (is_guaranteed(scene_, q, job)) return {q, below};
  }
  return {};
}

std::vector<Scope> Quota::outside_own_part(JobId job, Millis gone_by) const {
  std::vector<Scope> outside;
  if (scene_.spec(job).preemptible) return outside;
  const auto [queue, below] = own_part(job);
  const Amounts asks = scene_.shape(job).total();
  for (std::size_t r = 0; r < asks.size(); ++r) {
    if (asks[r] == 0) continue;
    if (!queue.valid()) outside.push_back({queue, {}, r});
    if (!queue.valid() || !tree_[queue].counts[r]) continue;
    Amount room = scene_.guarantees[queue.index()][r];
    if (!below.valid()) room -= held({queue, {}, r}, true, gone_by);
    for (const QueueId child : tree_[queue].children) {
      const Amount used = held({child, {}, r}, true, gone_by);
      const Amount guarantee = scene_.guarantees[child.index()][r];
      room -= child == below ? used : std::max(used, guarantee);
    }
    if (asks[r] > room) outside.push_back({queue, {}, r});
  }
  return outside;
}

// What the subtree does not lend: its own, or its children's if that is more.
Amounts Quota::kept_below(QueueId q) const {
  Amounts sum(scene_.free.size());
  for (const QueueId child : tree_[q].children) sum += kept_below(child);
  for (std::size_t r = 0; r < sum.size(); ++r) {
    const Amount idle = scene_.guarantees[q.index()][r] - scene_.queues[q.index()].after[r];
    sum[r] = std::max(sum[r], idle - tree_[q].lend[r]);
  }
  return sum;
}

Amounts Quota::kept_back(JobId job) const {
  Amounts kept(scene_.free.size());
  for (QueueId q = scene_.spec(job).queue; !tree_[q].is_root(); q = tree_[q].parent) {
    for (const QueueId beside : tree_[tree_[q].parent].children) {
      if (beside != q) kept += kept_below(beside);
    }
  }
  return kept;
}

Amounts Quota::model_room(JobId job, const Amounts& kept) const {
  Amounts room = scene_.all_of_it();
  for (const auto& [scope, limit] : limits_of(job)) {
    room[scope.r] = std::min(room[scope.r], limit - held(scope, false, kEverybody));
  }
  for (std::size_t r = 0; r < kept.size(); ++r) {
    if (kept[r] > 0) room[r] = std::min(room[r], scene_.free[r] - kept[r]);
  }
  return room;
}

}  // namespace stint::differential
