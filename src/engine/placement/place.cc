#include "engine/placement/place.h"

#include <algorithm>

#include "base/assert.h"
#include "engine/placement/fit.h"
#include "engine/placement/search.h"

namespace stint::engine {

namespace {

bool hopeless(const model::State& state, const model::Shape& shape, World world) {
  if (world != World::Now) return false;
  for (std::size_t r = 0; r < shape.each.size(); ++r) {
    if (shape.each[r] > 0 && shape.each[r] * static_cast<Amount>(shape.tasks) > state.free[r])
      return true;
  }
  return false;
}

}  // namespace

bool has_labels(const model::Node& node, const model::Shape& shape) {
  return std::includes(node.labels.begin(), node.labels.end(), shape.where.begin(),
                       shape.where.end());
}

std::optional<model::Placement> find_placement(const Search& search) {
  std::vector<Candidate> candidates = search.candidates();
  if (!search.are_enough(candidates)) return std::nullopt;
  if (search.shape().wish.level != model::kWholeCluster) {
    return find_together(search, std::move(candidates));
  }
  search.rank(candidates);
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.rank < b.rank; });
  return search.fill(candidates);
}

std::optional<model::Placement> find_placement(const model::State& state, const model::Shape& shape,
                                               const PlacementBounds& bounds, World world) {
  if (hopeless(state, shape, world)) return std::nullopt;
  return find_placement(Search(state, shape, bounds, world));
}

bool can_place(const model::State& state, const model::Shape& shape, World world) {
  const PlacementBounds unbound{};
  const Search search(state, shape, unbound, world);
  return can_stand_together(search, search.candidates());
}

Amounts each_on(const model::Node& node, const model::Shape& shape, base::ResourceId gpu) {
  Amounts each = shape.each;
  if (gpu.valid() && node.model.valid()) each[node.model] = each[gpu];
  return each;
}

Amounts commit_placement(model::State& state, const model::Shape& shape,
                         model::Placement& placement) {
  const base::ResourceId gpu = state.cluster.resources.gpu().value_or(base::ResourceId());
  Amounts holds(shape.each.size());
  for (model::Slice& slice : placement) {
    model::NodeState& node = state.nodes[slice.node.index()];
    const Amounts each = each_on(state.cluster.nodes[slice.node.index()], shape, gpu);
    STINT_ASSERT(node.healthy());
    slice.devices = take(node, each, gpu, slice.tasks);
    const Amounts sum = each * static_cast<std::int64_t>(slice.tasks);
    state.free -= sum;
    holds += sum;
  }
  return holds;
}

void release_placement(model::State& state, const model::Shape& shape,
                       const model::Placement& placement) {
  const base::ResourceId gpu = state.cluster.resources.gpu().value_or(base::ResourceId());
  for (const model::Slice& slice : placement) {
    model::NodeState& node = state.nodes[slice.node.index()];
    const Amounts each = each_on(state.cluster.nodes[slice.node.index()], shape, gpu);
    give_back(node, each, slice.tasks, slice.devices);
    if (node.healthy()) state.free += each * static_cast<std::int64_t>(slice.tasks);
  }
}

}  // namespace stint::engine
