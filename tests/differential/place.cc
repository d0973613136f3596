// Where a gang goes (DESIGN §5.4; record 0002): all nodes sorted, then filled task by task.
#include <algorithm>
#include <tuple>

#include "scene.h"

namespace stint::differential {

namespace {

using Order = std::tuple<int, std::int64_t, Amount, std::int64_t, std::size_t>;

std::int64_t ratio_q48(Amount a, Amount b) {
  return static_cast<std::int64_t>((base::i128{a} << 48U) / b);
}
std::int64_t nearest_q32(std::int64_t q48) { return (q48 + (1 << 15)) >> 16; }

bool is_plain(const Scene& scene, std::size_t r) {
  return !scene.state.cluster.resources.is_model(base::ResourceId(r));
}

// How much of the free GPUs stands behind another resource.
std::int64_t stranded_q48(const Scene& scene, const Amounts& has, const Amounts& free) {
  const auto gpu = scene.state.cluster.resources.gpu();
  std::int64_t most = 0;
  for (std::size_t r = 0; gpu && has[*gpu] > 0 && r < has.size(); ++r) {
    if (!is_plain(scene, r) || has[r] == 0) continue;
    most = std::max(most, ratio_q48(free[*gpu], has[*gpu]) - ratio_q48(free[r], has[r]));
  }
  return most;
}

Order order_of(const Scene& scene, const model::Shape& shape, std::size_t n) {
  const Amounts& has = scene.state.cluster.nodes[n].has;
  const Amounts& free = scene.nodes[n].free;
  int unused = 0;
  std::int64_t overall = 0;
  Fraction most;
  std::size_t scarcest = 0;
  for (std::size_t r = 0; r < has.size(); ++r) {
    if (!is_plain(scene, r)) continue;
    if (has[r] > 0 && shape.each[r] == 0) ++unused;
    if (scene.healthy[r] == 0) continue;
    overall += ratio_q48(free[r], scene.healthy[r]);
    const Fraction part{shape.each[r], scene.healthy[r]};
    if (part > most) scarcest = r;
    most = std::max(most, part);
  }
  const std::int64_t growth =
      stranded_q48(scene, has, free - shape.each) - stranded_q48(scene, has, free);
  return {unused, nearest_q32(growth), free[scarcest], nearest_q32(overall), n};
}

// A task's devices: whole ones from the first untouched, the rest from the fullest that has room,
// else from the next untouched. Nothing if they are not there.
std::optional<std::vector<model::DeviceShare>> devices_for(const model::NodeState& node,
                                                           Amount gpus) {
  const std::vector<std::uint16_t>& free = node.devices;
  std::vector<model::DeviceShare> taken;
  std::vector<std::uint16_t> untouched;
  std::optional<std::uint16_t> shared;
  const auto part = static_cast<std::uint16_t>(gpus % base::kUnit);
  for (std::uint16_t d = 0; d < free.size(); ++d) {
    if (free[d] == base::kUnit) {
      untouched.push_back(d);
    } else if (free[d] >= part && (!shared || free[d] < free[*shared])) {
      shared = d;
    }
  }
  const auto whole = static_cast<std::size_t>(gpus / base::kUnit);
  if (untouched.size() < whole + (part > 0 && !shared ? 1 : 0)) return std::nullopt;
  for (std::size_t i = 0; i < whole; ++i) taken.push_back({untouched[i], base::kUnit});
  if (part > 0) taken.push_back({shared ? *shared : untouched[whole], part});
  return taken;
}

}  // namespace

std::optional<model::Placement> place(const Scene& scene, const model::Shape& shape, Amounts room) {
  const model::Cluster& cluster = scene.state.cluster;
  const auto gpu = cluster.resources.gpu();
  std::vector<Order> orders;
  for (std::size_t n = 0; n < scene.nodes.size(); ++n) {
    const bool has_labels = std::ranges::includes(cluster.nodes[n].labels, shape.where);
    if (scene.nodes[n].healthy() && has_labels) orders.push_back(order_of(scene, shape, n));
  }
  std::ranges::sort(orders);
  model::Placement placement;
  std::uint32_t tasks = 0;
  for (const Order& order : orders) {
    model::Slice slice{base::NodeId(std::get<4>(order)), 0, {}};
    model::NodeState node = scene.nodes[slice.node.index()];
    const Amounts each = each_on(scene.state, shape, slice.node);
    const base::ResourceId part = cluster.nodes[slice.node.index()].model;
    for (; tasks < shape.tasks && each.fits_in(node.free); ++tasks, ++slice.tasks) {
      if (part.valid() && each[part] > 0 && each[part] > room[part]) break;
      const auto devices = devices_for(node, gpu ? each[*gpu] : 0);
      if (!devices) break;
      for (const model::DeviceShare& d : *devices) {
        node.devices[d.device] = static_cast<std::uint16_t>(node.devices[d.device] - d.milli);
        slice.devices.push_back(d);
      }
      node.free -= each;
      if (part.valid()) room[part] -= each[part];
    }
    if (slice.tasks > 0) placement.push_back(slice);
  }
  if (tasks < shape.tasks) return std::nullopt;
  return placement;
}

}  // namespace stint::differential
