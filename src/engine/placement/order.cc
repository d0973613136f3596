#include "engine/placement/order.h"

#include <algorithm>

#include "base/fraction.h"
#include "base/int128.h"

namespace stint::engine {

namespace {

// floor(a / b) with `bits` bits behind the point; a <= b < 2^44 keeps it inside 64 bits.
std::int64_t ratio(Amount a, Amount b, unsigned bits) {
  return static_cast<std::int64_t>((static_cast<base::i128>(a) << bits) / b);
}

// Equal differences of ratios come out equal although each ratio was rounded down: 16 spare bits
// are rounded away.
std::int64_t to_q32(std::int64_t q48) { return (q48 + (std::int64_t{1} << 15U)) >> 16U; }

std::uint32_t unused_resources(const OrderBasis& basis, const Amounts& has) {
  std::uint32_t count = 0;
  for (std::size_t r = 0; r < has.size(); ++r) {
    if (!basis.is_model[r] && has[r] > 0 && basis.each[r] == 0) ++count;
  }
  return count;
}

}  // namespace

OrderBasis order_basis(const model::State& state, const model::Shape& shape) {
  OrderBasis basis;
  basis.each = shape.each;
  basis.capacity = state.healthy;
  basis.gpu = state.cluster.resources.gpu().value_or(base::ResourceId());
  const std::size_t resources = shape.each.size();
  basis.is_model.resize(resources);
  base::Fraction largest{-1, 1};
  for (std::size_t r = 0; r < resources; ++r) {
    basis.is_model[r] = state.cluster.resources.is_model(base::ResourceId(r));
    if (basis.is_model[r] || basis.capacity[r] == 0 || shape.each[r] == 0) continue;
    const base::Fraction part{shape.each[r], basis.capacity[r]};
    if (largest < part) {
      largest = part;
      basis.scarcest = r;
    }
  }
  return basis;
}

std::int64_t stranding_q48(const OrderBasis& basis, const Amounts& has, const Amounts& free) {
  if (!basis.gpu.valid() || has[basis.gpu] == 0) return 0;
  const std::int64_t gpu = ratio(free[basis.gpu], has[basis.gpu], 48);
  std::int64_t worst = 0;
  for (std::size_t r = 0; r < has.size(); ++r) {
    if (r == basis.gpu.index() || basis.is_model[r] || has[r] == 0) continue;
    worst = std::max(worst, gpu - ratio(free[r], has[r], 48));
  }
  return worst;
}

std::int64_t overall_free_q32(const OrderBasis& basis, const Amounts& free) {
  std::int64_t overall = 0;
  for (std::size_t r = 0; r < free.size(); ++r) {
    if (!basis.is_model[r] && basis.capacity[r] > 0)
      overall += ratio(free[r], basis.capacity[r], 48);
  }
  return to_q32(overall);
}

NodeRank node_rank(const OrderBasis& basis, const model::Node& node, const Amounts& free,
                   base::NodeId id) {
  NodeRank rank;
  rank.unused = unused_resources(basis, node.has);
  Amounts after = free - basis.each;
  const std::int64_t growth =
      stranding_q48(basis, node.has, after) - stranding_q48(basis, node.has, free);
  rank.growth_q32 = to_q32(growth);
  rank.scarcest_free = free[basis.scarcest];
  rank.overall_q32 = overall_free_q32(basis, free);
  rank.id = id;
  return rank;
}

}  // namespace stint::engine
