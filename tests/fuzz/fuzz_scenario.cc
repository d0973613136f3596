// Any bytes as a scenario: refused with a reason and a place, or ids that all exist.
#include <cstddef>
#include <cstdint>

#include "base/assert.h"
#include "codec/scenario/scenario.h"
#include "fuzz_files.h"
#include "fuzz_tree.h"

namespace {

void demand_sound_jobs(const stint::codec::Scenario& scenario) {
  const auto& tree = scenario.config.tree;
  for (const auto& job : scenario.jobs) {
    STINT_ASSERT(job.queue.index() < tree.queues.size() && tree[job.queue].is_leaf());
    STINT_ASSERT(job.user.index() < scenario.users.size());
    STINT_ASSERT(job.shape.index() < scenario.shapes.size());
    for (const auto other : job.after) STINT_ASSERT(other.index() < scenario.jobs.size());
  }
  for (const auto& shape : scenario.shapes) {
    STINT_ASSERT(shape.tasks >= 1 && shape.each.size() == scenario.config.cluster.resources.size());
    const auto total = shape.total();
    for (const auto amount : total) STINT_ASSERT(amount >= 0 && amount <= stint::base::kAmountMax);
    for (const auto label : shape.where)
      STINT_ASSERT(label.index() < scenario.config.cluster.labels.size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto files = split_files({reinterpret_cast<const char*>(data), size});
  const auto result = stint::codec::read_scenario(files.front(), loader_of(files));
  demand_sound_diagnostics(result.ok(), result.diagnostics);
  if (!result.ok()) return 0;
  const stint::codec::Scenario& scenario = *result.value;
  demand_sound_cluster(scenario.config.cluster);
  demand_sound_tree(scenario.config.cluster, scenario.config.tree);
  for (const auto& [tree, policy] : scenario.configs)
    demand_sound_tree(scenario.config.cluster, tree);
  demand_sound_jobs(scenario);
  for (const auto& event : scenario.events) {
    for (const auto node : event.nodes)
      STINT_ASSERT(node.index() < scenario.config.cluster.nodes.size());
    for (const auto job : event.jobs) STINT_ASSERT(job.index() < scenario.jobs.size());
    STINT_ASSERT(!event.config || *event.config < scenario.configs.size());
  }
  for (const auto& expectation : scenario.expect) {
    for (const auto job : expectation.running) STINT_ASSERT(job.index() < scenario.jobs.size());
  }
  return 0;
}
