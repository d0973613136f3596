// Shapes of jobs and the nodes that hold them. Internal to sim/gen.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "sim/gen/gen_plan.h"

namespace stint::sim {

// `total` things dealt out in proportion to `weights`, whole ones, by largest remainder; ties go to
// the earlier. Requires a sum of weights above 0.
[[nodiscard]] std::vector<std::int64_t> deal_out(std::int64_t total,
                                                 const std::vector<std::uint64_t>& weights);

// The pools with their nodes; pools that get none are left out.
[[nodiscard]] std::vector<GenNodes> deal_nodes(const std::vector<GenPool>& pools,
                                               std::int64_t nodes);

// All shapes that model.gangs and model.cpu_sizes ask for, with tasks of at most `node_gpus`.
// Weights are shares of the jobs; `count` of the GPU shapes that does not divide into equal tasks
// of at most a node takes more of them.
[[nodiscard]] std::vector<GenShape> gen_shapes(const GenModel& model, std::int64_t node_gpus);

// How often a submission of this shape is drawn, so that jobs come out by weight although sweeps
// bring many at once. Scaled by 2^16.
[[nodiscard]] std::uint64_t submission_weight(const GenModel& model, const GenShape& shape);

// Mean number of jobs of a submission that may be a sweep, scaled by 2^16.
[[nodiscard]] std::uint64_t mean_copies_q16(const GenModel& model);

// Whether some node of the pool holds a task of that shape.
[[nodiscard]] bool holds_task(const GenPool& pool, const GenShape& shape);

}  // namespace stint::sim
