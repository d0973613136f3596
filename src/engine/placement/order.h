// The order in which nodes are filled (DESIGN §5.4, whole devices).
//
// Nodes that lack what the job does not use come first; then least growth of stranding by one task;
// then best fit: least free of the job's scarcest resource, then least free overall; then id.
//
// Invariant  a strict total order: it ends in NodeId.
#pragma once

#include <compare>
#include <cstdint>

#include "model/state.h"

namespace stint::engine {

using model::Amount;
using model::Amounts;

struct NodeRank {
  std::uint32_t unused = 0;     // resources the node has and the job does not ask for
  std::int64_t growth_q32 = 0;  // stranding after minus before, rounded to 2^-32
  Amount scarcest_free = 0;
  std::int64_t overall_q32 = 0;  // sum of free/capacity
  base::NodeId id;

  friend auto operator<=>(const NodeRank&, const NodeRank&) = default;
};

// What of a shape the order needs, computed once per search.
struct OrderBasis {
  Amounts each;
  Amounts capacity;  // of the healthy cluster
  base::ResourceId gpu;
  std::size_t scarcest = 0;    // index of the largest each/capacity
  std::vector<bool> is_model;  // per resource
};

[[nodiscard]] OrderBasis order_basis(const model::State& state, const model::Shape& shape);

[[nodiscard]] NodeRank node_rank(const OrderBasis& basis, const model::Node& node,
                                 const Amounts& free, base::NodeId id);

// Sum over resources of free/capacity, in 2^-32.
[[nodiscard]] std::int64_t overall_free_q32(const OrderBasis& basis, const Amounts& free);

// How much of the node's free GPUs is stranded behind another resource: max over the others of
// max(0, free_gpu/cap_gpu - free_r/cap_r), in 2^-48; 0 on a node without GPUs.
[[nodiscard]] std::int64_t stranding_q48(const OrderBasis& basis, const Amounts& has,
                                         const Amounts& free);

}  // namespace stint::engine
