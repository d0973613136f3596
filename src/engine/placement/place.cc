#include "engine/placement/place.h"

#include <algorithm>

#include "base/assert.h"
#include "engine/placement/fit.h"
#include "engine/placement/order.h"

namespace stint::engine {

namespace {

struct Candidate {
  NodeRank rank;
  std::uint32_t fits = 0;
};

bool usable(const model::NodeState& node, World world) {
  switch (world) {
    case World::Now:
    case World::HealthyEmpty:
      return node.healthy();
    case World::AllEmpty:
    case World::DownRepaired:
      return true;
  }
  return false;
}

std::uint32_t fits_on(const model::State& state, std::size_t n, const model::Shape& shape,
                      base::ResourceId gpu, World world) {
  if (world == World::Now || world == World::DownRepaired) {
    return tasks_that_fit(state.nodes[n], shape.each, gpu, shape.tasks);
  }
  return tasks_that_fit_empty(state.cluster.nodes[n].has, shape.each, gpu, shape.tasks);
}

// Tasks that the quota on the node's GPU model still allows there.
std::uint32_t model_allows(const model::Node& node, const model::Shape& shape, base::ResourceId gpu,
                           const PlacementBounds& bounds, const Amounts& models_left) {
  if (!bounds.models_bind || !node.model.valid() || !gpu.valid() || shape.each[gpu] == 0) {
    return shape.tasks;
  }
  const Amount allowed = std::max<Amount>(0, models_left[node.model]) / shape.each[gpu];
  return static_cast<std::uint32_t>(std::min<Amount>(allowed, shape.tasks));
}

bool hopeless(const model::State& state, const model::Shape& shape, World world) {
  if (world != World::Now) return false;
  for (std::size_t r = 0; r < shape.each.size(); ++r) {
    if (shape.each[r] > 0 && shape.each[r] * static_cast<Amount>(shape.tasks) > state.free[r])
      return true;
  }
  return false;
}

// Fills the candidates in their order until every task has a place.
std::optional<model::Placement> fill(const model::State& state, const model::Shape& shape,
                                     const PlacementBounds& bounds, base::ResourceId gpu,
                                     const std::vector<Candidate>& candidates) {
  model::Placement placement;
  Amounts models_left = bounds.models;
  std::uint32_t left = shape.tasks;
  for (const Candidate& candidate : candidates) {
    const model::Node& node = state.cluster.nodes[candidate.rank.id.index()];
    const std::uint32_t tasks =
        std::min({left, candidate.fits, model_allows(node, shape, gpu, bounds, models_left)});
    if (tasks == 0) continue;
    if (bounds.models_bind && node.model.valid() && gpu.valid()) {
      models_left[node.model] -= shape.each[gpu] * static_cast<Amount>(tasks);
    }
    placement.push_back({candidate.rank.id, tasks, {}});
    left -= tasks;
    if (left == 0) return placement;
  }
  return std::nullopt;
}

}  // namespace

bool has_labels(const model::Node& node, const model::Shape& shape) {
  return std::includes(node.labels.begin(), node.labels.end(), shape.where.begin(),
                       shape.where.end());
}

std::optional<model::Placement> find_placement(const model::State& state, const model::Shape& shape,
                                               const PlacementBounds& bounds, World world) {
  if (hopeless(state, shape, world)) return std::nullopt;
  const base::ResourceId gpu = state.cluster.resources.gpu().value_or(base::ResourceId());
  std::vector<Candidate> candidates;
  std::uint64_t total = 0;
  for (std::size_t n = 0; n < state.nodes.size(); ++n) {
    const model::Node& node = state.cluster.nodes[n];
    if (!usable(state.nodes[n], world) || !has_labels(node, shape)) continue;
    const std::uint32_t fits = std::min(fits_on(state, n, shape, gpu, world),
                                        model_allows(node, shape, gpu, bounds, bounds.models));
    if (fits == 0) continue;
    total += fits;
    candidates.push_back({{.id = base::NodeId(n)}, fits});
  }
  if (total < shape.tasks) return std::nullopt;
  if (candidates.size() > 1) {
    const OrderBasis basis = order_basis(state, shape);
    for (Candidate& c : candidates) {
      const std::size_t n = c.rank.id.index();
      c.rank = node_rank(basis, state.cluster.nodes[n], state.nodes[n].free, c.rank.id);
    }
    const auto better = [](const Candidate& a, const Candidate& b) { return a.rank < b.rank; };
    if (shape.tasks == 1) {
      candidates = {*std::min_element(candidates.begin(), candidates.end(), better)};
    } else {
      std::sort(candidates.begin(), candidates.end(), better);
    }
  }
  return fill(state, shape, bounds, gpu, candidates);
}

bool can_place(const model::State& state, const model::Shape& shape, World world) {
  const base::ResourceId gpu = state.cluster.resources.gpu().value_or(base::ResourceId());
  std::uint64_t total = 0;
  for (std::size_t n = 0; n < state.nodes.size() && total < shape.tasks; ++n) {
    if (!usable(state.nodes[n], world) || !has_labels(state.cluster.nodes[n], shape)) continue;
    total += fits_on(state, n, shape, gpu, world);
  }
  return total >= shape.tasks;
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
