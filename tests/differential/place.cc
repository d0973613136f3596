// Where a gang goes (DESIGN §5.4; record 0002): all nodes sorted, then filled task by task.
#include <algorithm>
#include <tuple>

#include "scene.h"

namespace stint::differential {

namespace {

using Order = std::tuple<int, std::int64_t, Amount, std::int64_t, std::size_t>;

std::int64_t ratio_q48(Amount a, Amount b) {
  return static_cast<std::int64_t>(base::i128{a} * (base::i128{1} << 48) / b);
}
std::int64_t nearest_q32(std::int64_t q48) { return (q48 + (1 << 15)) >> 16; }

class Nodes {
 public:
  Nodes(const Scene& scene, const model::Shape& shape) : scene_(scene), shape_(shape) {
    const model::Resources& resources = scene.state.cluster.resources;
    gpu_ = resources.gpu();
    Fraction most;
    for (std::size_t r = 0; r < resources.size(); ++r) {
      if (resources.is_model(base::ResourceId(r))) continue;
      plain_.push_back(r);
      if (scene.healthy[r] == 0) continue;
      const Fraction part{shape.each[r], scene.healthy[r]};
      if (part > most) scarcest_ = r;
      most = std::max(most, part);
    }
  }

  [[nodiscard]] Order order(std::size_t n) const {
    const Amounts& has = scene_.state.cluster.nodes[n].has;
    const Amounts& free = scene_.nodes[n].free;
    int unused = 0;
    std::int64_t overall = 0;
    for (const std::size_t r : plain_) {
      if (has[r] > 0 && shape_.each[r] == 0) ++unused;
      if (scene_.healthy[r] > 0) overall += ratio_q48(free[r], scene_.healthy[r]);
    }
    const std::int64_t growth = stranded(has, free - shape_.each) - stranded(has, free);
    return {unused, nearest_q32(growth), free[scarcest_], nearest_q32(overall), n};
  }

  // Takes the room of one task on the node, if it is there.
  [[nodiscard]] bool take_one(model::NodeState& node, const Amounts& each,
                              model::Slice& slice) const {
    if (!each.fits_in(node.free)) return false;
    if (gpu_) {
      std::vector<model::DeviceShare> taken;
      const auto part = static_cast<std::uint16_t>(each[*gpu_] % base::kUnit);
      std::vector<std::uint16_t>& devices = node.devices;
      std::size_t shared = devices.size();  // the fullest that has room for the part
      for (std::size_t d = 0; d < devices.size(); ++d) {
        if (devices[d] == base::kUnit || devices[d] < part) continue;
        if (shared == devices.size() || devices[d] < devices[shared]) shared = d;
      }
      Amount whole = each[*gpu_] / base::kUnit;
      for (std::size_t d = 0; d < devices.size(); ++d) {
        if (devices[d] != base::kUnit) continue;
        if (whole > 0) {
          taken.push_back({static_cast<std::uint16_t>(d), base::kUnit});
          --whole;
        } else if (shared == devices.size()) {
          shared = d;
        }
      }
      if (whole > 0 || (part > 0 && shared == devices.size())) return false;
      if (part > 0) taken.push_back({static_cast<std::uint16_t>(shared), part});
      for (const model::DeviceShare& d : taken) {
        devices[d.device] = static_cast<std::uint16_t>(devices[d.device] - d.milli);
        slice.devices.push_back(d);
      }
    }
    node.free -= each;
    ++slice.tasks;
    return true;
  }

 private:
  // How much of the free GPUs stands behind another resource.
  [[nodiscard]] std::int64_t stranded(const Amounts& has, const Amounts& free) const {
    if (!gpu_ || has[*gpu_] == 0) return 0;
    std::int64_t most = 0;
    for (const std::size_t r : plain_) {
      if (has[r] == 0) continue;
      most = std::max(most, ratio_q48(free[*gpu_], has[*gpu_]) - ratio_q48(free[r], has[r]));
    }
    return most;
  }

  const Scene& scene_;
  const model::Shape& shape_;
  std::optional<base::ResourceId> gpu_;
  std::vector<std::size_t> plain_;  // resources that are no model
  std::size_t scarcest_ = 0;
};

}  // namespace

std::optional<model::Placement> place(const Scene& scene, const model::Shape& shape, Amounts room) {
  const Nodes nodes(scene, shape);
  const model::Cluster& cluster = scene.state.cluster;
  std::vector<Order> orders;
  for (std::size_t n = 0; n < scene.nodes.size(); ++n) {
    bool fits = scene.nodes[n].healthy();
    for (const base::LabelId wish : shape.where)
      fits = fits && std::ranges::count(cluster.nodes[n].labels, wish) > 0;
    if (fits) orders.push_back(nodes.order(n));
  }
  std::ranges::sort(orders);
  model::Placement placement;
  std::uint32_t tasks = 0;
  for (const Order& order : orders) {
    const base::NodeId n(std::get<4>(order));
    const base::ResourceId part = cluster.nodes[n.index()].model;
    const Amounts each = each_on(scene.state, shape, n);
    model::NodeState node = scene.nodes[n.index()];
    model::Slice slice{n, 0, {}};
    while (tasks < shape.tasks && (!part.valid() || each[part] == 0 || each[part] <= room[part]) &&
           nodes.take_one(node, each, slice)) {
      ++tasks;
      if (part.valid()) room[part] -= each[part];
    }
    if (slice.tasks > 0) placement.push_back(slice);
  }
  if (tasks < shape.tasks) return std::nullopt;
  return placement;
}

}  // namespace stint::differential
