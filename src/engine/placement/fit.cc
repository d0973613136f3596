#include "engine/placement/fit.h"

#include <algorithm>

#include "base/assert.h"

namespace stint::engine {

namespace {

constexpr std::uint16_t kWhole = static_cast<std::uint16_t>(base::kUnit);

// Tasks that the plain amounts allow, devices aside. Model parts follow from `gpu`.
std::uint32_t by_amounts(const Amounts& free, const Amounts& each, std::uint32_t most) {
  Amount fit = most;
  for (std::size_t r = 0; r < each.size(); ++r) {
    if (each[r] > 0) fit = std::min(fit, free[r] / each[r]);
  }
  return static_cast<std::uint32_t>(std::max<Amount>(fit, 0));
}

// Takes one task's devices from `devices`: the fraction from the fullest shared device that has
// room, else from an untouched one. Returns false, with nothing taken, if they are not there.
bool take_one(std::vector<std::uint16_t>& devices, std::uint32_t whole, std::uint16_t part,
              std::vector<model::DeviceShare>* used) {
  std::size_t shared = devices.size();
  std::uint32_t untouched = 0;
  for (std::size_t d = 0; d < devices.size(); ++d) {
    if (devices[d] == kWhole) ++untouched;
    const bool has_room = part > 0 && devices[d] < kWhole && devices[d] >= part;
    if (has_room && (shared == devices.size() || devices[d] < devices[shared])) shared = d;
  }
  const bool part_needs_fresh = part > 0 && shared == devices.size();
  if (untouched < whole + (part_needs_fresh ? 1U : 0U)) return false;
  std::uint32_t left = whole;
  for (std::size_t d = 0; d < devices.size(); ++d) {
    if (devices[d] != kWhole) continue;
    if (left > 0) {
      devices[d] = 0;
      --left;
      if (used) used->push_back({static_cast<std::uint16_t>(d), kWhole});
    } else if (part_needs_fresh && shared == devices.size()) {
      shared = d;
    } else {
      break;
    }
  }
  if (part > 0) {
    devices[shared] = static_cast<std::uint16_t>(devices[shared] - part);
    if (used) used->push_back({static_cast<std::uint16_t>(shared), part});
  }
  return true;
}

}  // namespace

std::uint32_t tasks_that_fit(const model::NodeState& node, const Amounts& each,
                             base::ResourceId gpu, std::uint32_t most) {
  const std::uint32_t fit = by_amounts(node.free, each, most);
  if (fit == 0 || !gpu.valid() || each[gpu] == 0) return fit;
  const auto whole = static_cast<std::uint32_t>(each[gpu] / base::kUnit);
  const auto part = static_cast<std::uint16_t>(each[gpu] % base::kUnit);
  if (part == 0) return std::min(fit, node.whole_devices / whole);
  std::vector<std::uint16_t> devices = node.devices;
  std::uint32_t count = 0;
  while (count < fit && take_one(devices, whole, part, nullptr)) ++count;
  return count;
}

std::uint32_t tasks_that_fit_empty(const Amounts& has, const Amounts& each, base::ResourceId gpu,
                                   std::uint32_t most) {
  model::NodeState node;
  node.free = has;
  if (gpu.valid()) {
    node.devices.assign(static_cast<std::size_t>(has[gpu] / base::kUnit), kWhole);
    node.whole_devices = static_cast<std::uint32_t>(node.devices.size());
  }
  return tasks_that_fit(node, each, gpu, most);
}

std::vector<model::DeviceShare> take(model::NodeState& node, const Amounts& each,
                                     base::ResourceId gpu, std::uint32_t tasks) {
  node.free -= each * static_cast<std::int64_t>(tasks);
  std::vector<model::DeviceShare> used;
  if (!gpu.valid() || each[gpu] == 0) return used;
  const auto whole = static_cast<std::uint32_t>(each[gpu] / base::kUnit);
  const auto part = static_cast<std::uint16_t>(each[gpu] % base::kUnit);
  used.reserve(static_cast<std::size_t>(tasks) * (whole + (part > 0 ? 1U : 0U)));
  if (part == 0) {
    // Whole devices: the first untouched ones.
    std::uint32_t left = whole * tasks;
    node.whole_devices -= left;
    for (std::size_t d = 0; left > 0; ++d) {
      if (node.devices[d] != kWhole) continue;
      node.devices[d] = 0;
      used.push_back({static_cast<std::uint16_t>(d), kWhole});
      --left;
    }
    return used;
  }
  for (std::uint32_t t = 0; t < tasks; ++t) {
    const bool taken = take_one(node.devices, whole, part, &used);
    STINT_ASSERT(taken);
  }
  node.whole_devices =
      static_cast<std::uint32_t>(std::count(node.devices.begin(), node.devices.end(), kWhole));
  return used;
}

void take_these(model::NodeState& node, const Amounts& each, std::uint32_t tasks,
                const std::vector<model::DeviceShare>& devices) {
  node.free -= each * static_cast<std::int64_t>(tasks);
  for (const model::DeviceShare& share : devices) {
    std::uint16_t& free = node.devices[share.device];
    STINT_ASSERT(free >= share.milli);
    if (free == kWhole) --node.whole_devices;
    free = static_cast<std::uint16_t>(free - share.milli);
  }
}

void give_back(model::NodeState& node, const Amounts& each, std::uint32_t tasks,
               const std::vector<model::DeviceShare>& devices) {
  node.free += each * static_cast<std::int64_t>(tasks);
  for (const model::DeviceShare& share : devices) {
    std::uint16_t& free = node.devices[share.device];
    STINT_ASSERT(free + share.milli <= kWhole);
    free = static_cast<std::uint16_t>(free + share.milli);
    if (free == kWhole) ++node.whole_devices;
  }
}

}  // namespace stint::engine
