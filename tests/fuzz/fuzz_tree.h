// What every accepted configuration keeps, whatever its text was.
#pragma once

#include <vector>

#include "base/amount.h"
#include "base/assert.h"
#include "codec/diagnostic.h"
#include "model/cluster.h"
#include "model/tree.h"

inline void demand_sound_diagnostics(bool ok,
                                     const std::vector<stint::codec::Diagnostic>& diagnostics) {
  bool has_error = false;
  for (const auto& diagnostic : diagnostics) {
    has_error = has_error || diagnostic.severity == stint::codec::Severity::Error;
    STINT_ASSERT(!diagnostic.message.empty());
    STINT_ASSERT(!diagnostic.file.empty());
  }
  STINT_ASSERT(ok != has_error);
}

inline void demand_sound_cluster(const stint::model::Cluster& cluster) {
  const auto capacity = cluster.capacity();
  for (const auto amount : capacity) STINT_ASSERT(amount >= 0 && amount <= stint::base::kAmountMax);
  for (const auto& node : cluster.nodes) {
    STINT_ASSERT(node.has.size() == cluster.resources.size());
    STINT_ASSERT(node.domains.size() == cluster.levels.size());
    if (node.model.valid())
      STINT_ASSERT(node.has[node.model] == node.has[*cluster.resources.gpu()]);
  }
}

inline void demand_sound_tree(const stint::model::Cluster& cluster,
                              const stint::model::Tree& tree) {
  using stint::base::QueueId;
  const auto capacity = cluster.capacity();
  for (std::size_t q = 0; q < tree.queues.size(); ++q) {
    const auto& queue = tree.queues[q];
    STINT_ASSERT(queue.is_root() == (q == 0));
    STINT_ASSERT(q == 0 || queue.parent.index() < q);
    STINT_ASSERT(queue.weight >= 0 && queue.weight <= stint::model::kWeightMax);
    stint::model::Amounts sum(capacity.size());
    for (const QueueId child : queue.children) sum += tree[child].guarantee;
    const auto& own = q == 0 ? capacity : queue.guarantee;
    for (std::size_t r = 0; r < capacity.size(); ++r) {
      STINT_ASSERT(queue.guarantee[r] >= 0 && queue.limit[r] >= 0 && queue.lend[r] >= 0);
      STINT_ASSERT(!queue.counts[r] || sum[r] <= own[r]);
      STINT_ASSERT(queue.counts[r] || queue.guarantee[r] == 0);
    }
  }
}
