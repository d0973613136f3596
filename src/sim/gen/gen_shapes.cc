#include "sim/gen/gen_shapes.h"

#include <algorithm>

#include "base/assert.h"
#include "base/int128.h"

namespace stint::sim {

using base::kUnit;
using base::u128;

std::vector<std::int64_t> deal_out(std::int64_t total, const std::vector<std::uint64_t>& weights) {
  u128 sum = 0;
  for (const std::uint64_t weight : weights) sum += weight;
  STINT_ASSERT(sum > 0);
  std::vector<std::int64_t> parts;
  std::vector<std::pair<std::uint64_t, std::size_t>> rests;  // remainder, index
  std::int64_t left = total;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const u128 product = static_cast<u128>(total) * weights[i];
    parts.push_back(static_cast<std::int64_t>(product / sum));
    left -= parts.back();
    // Negative remainder first, so that the largest sorts first and ties by index.
    rests.emplace_back(~static_cast<std::uint64_t>(product % sum), i);
  }
  std::sort(rests.begin(), rests.end());
  for (std::size_t i = 0; left > 0; ++i, --left) ++parts[rests[i].second];
  return parts;
}

std::vector<GenNodes> deal_nodes(const std::vector<GenPool>& pools, std::int64_t nodes) {
  std::vector<std::uint64_t> weights;
  weights.reserve(pools.size());
  for (const GenPool& pool : pools) weights.push_back(static_cast<std::uint64_t>(pool.weight));
  const std::vector<std::int64_t> counts = deal_out(nodes, weights);
  std::vector<GenNodes> dealt;
  for (std::size_t i = 0; i < pools.size(); ++i) {
    if (counts[i] > 0) dealt.push_back({.pool = pools[i], .count = counts[i]});
  }
  return dealt;
}

namespace {

GenSize size_of(std::int64_t gpus_milli, std::int64_t node_gpus) {
  if (gpus_milli <= kUnit) return GenSize::One;
  if (gpus_milli < node_gpus * kUnit) return GenSize::Part;
  return gpus_milli == node_gpus * kUnit ? GenSize::Node : GenSize::Many;
}

// The fewest equal tasks of at most a node.
std::int64_t tasks_of(std::int64_t gpus_milli, std::int64_t node_gpus) {
  const std::int64_t node = node_gpus * kUnit;
  std::int64_t tasks = (gpus_milli + node - 1) / node;
  while (gpus_milli % tasks != 0 || (gpus_milli / tasks) % kUnit != 0) ++tasks;
  return tasks;
}

GenShape gpu_shape(const GenModel& model, const GenWeighted& gang, std::int64_t node_gpus) {
  GenShape shape;
  shape.size = size_of(gang.value, node_gpus);
  if (gang.value > kUnit) shape.tasks = tasks_of(gang.value, node_gpus);
  shape.gpu_milli = gang.value / shape.tasks;
  shape.cpu_milli = std::int64_t{(shape.gpu_milli * model.cpu_per_gpu_milli + kUnit - 1) / kUnit};
  shape.memory_mib = (shape.gpu_milli * model.memory_per_gpu_mib + kUnit - 1) / kUnit;
  shape.weight = gang.weight;
  shape.can_sweep = shape.size != GenSize::Many;
  return shape;
}

GenShape cpu_shape(const GenModel& model, const GenWeighted& size) {
  GenShape shape;
  shape.size = GenSize::Cpu;
  shape.cpu_milli = size.value;
  shape.memory_mib = (size.value * model.memory_per_cpu_mib + kUnit - 1) / kUnit;
  shape.weight = size.weight;
  shape.can_sweep = true;
  return shape;
}

std::uint64_t sum_of(const std::vector<GenWeighted>& list) {
  std::uint64_t sum = 0;
  for (const GenWeighted& item : list) sum += item.weight;
  return sum;
}

// Parts of `whole` = 2^40 by weight: the two lists meet on one scale.
std::uint64_t scaled(std::uint64_t weight, std::uint64_t sum, std::int64_t share_milli) {
  return static_cast<std::uint64_t>((static_cast<u128>(weight) << 40U) *
                                    static_cast<u128>(share_milli) / 1000 / sum);
}

}  // namespace

std::vector<GenShape> gen_shapes(const GenModel& model, std::int64_t node_gpus) {
  std::vector<GenShape> shapes;
  const std::uint64_t gangs = sum_of(model.gangs);
  for (const GenWeighted& gang : model.gangs) {
    GenShape shape = gpu_shape(model, gang, node_gpus);
    shape.weight = scaled(gang.weight, gangs, 1000 - model.cpu_jobs_milli);
    if (shape.weight > 0) shapes.push_back(shape);
  }
  const std::uint64_t sizes = sum_of(model.cpu_sizes);
  for (const GenWeighted& size : model.cpu_sizes) {
    GenShape shape = cpu_shape(model, size);
    shape.weight = scaled(size.weight, sizes, model.cpu_jobs_milli);
    if (shape.weight > 0) shapes.push_back(shape);
  }
  return shapes;
}

std::uint64_t mean_copies_q16(const GenModel& model) {
  u128 sum = 0;
  for (const GenWeighted& size : model.sweep_sizes) {
    sum += static_cast<u128>(size.value / kUnit - 1) * size.weight;
  }
  const u128 extra =
      (sum << 16U) * static_cast<u128>(model.sweep_share_milli) / 1000 / sum_of(model.sweep_sizes);
  return (std::uint64_t{1} << 16U) + static_cast<std::uint64_t>(extra);
}

std::uint64_t submission_weight(const GenModel& model, const GenShape& shape) {
  const u128 weight = static_cast<u128>(shape.weight) << 16U;
  if (!shape.can_sweep) return static_cast<std::uint64_t>(weight);
  return static_cast<std::uint64_t>((weight << 16U) / mean_copies_q16(model));
}

bool holds_task(const GenPool& pool, const GenShape& shape) {
  return pool.gpus * kUnit >= shape.gpu_milli && pool.cpus * kUnit >= shape.cpu_milli &&
         pool.memory_mib >= shape.memory_mib;
}

}  // namespace stint::sim
