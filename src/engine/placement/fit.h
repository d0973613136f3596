// What fits on one node, device by device.
//
// A task that asks for 1.5 GPUs takes one whole device and half of another; a fraction is never
// split over two devices and a whole-GPU task never sits on a shared one (DESIGN §5.4, §5.8).
#pragma once

#include <cstdint>
#include <vector>

#include "model/state.h"

namespace stint::engine {

using model::Amount;
using model::Amounts;

// The resource `gpu`; none if the cluster has none.
[[nodiscard]] inline base::ResourceId gpu_of(const model::State& state) {
  return state.cluster.resources.gpu().value_or(base::ResourceId());
}

// How many tasks of `each` fit on the node now, at most `most`.
//   Shape  `gpu` is the gpu resource's id, or none if the cluster has none. Health is the caller's
//   business.
[[nodiscard]] std::uint32_t tasks_that_fit(const model::NodeState& node, const Amounts& each,
                                           base::ResourceId gpu, std::uint32_t most);

// The same for an empty node that has `has`.
[[nodiscard]] std::uint32_t tasks_that_fit_empty(const Amounts& has, const Amounts& each,
                                                 base::ResourceId gpu, std::uint32_t most);

// Takes `tasks` tasks from the node's free amounts and devices and returns the devices used.
//   Requires tasks_that_fit(...) >= tasks.
[[nodiscard]] std::vector<model::DeviceShare> take(model::NodeState& node, const Amounts& each,
                                                   base::ResourceId gpu, std::uint32_t tasks);

// Takes tasks whose devices were chosen elsewhere. Requires that all of it is free.
void take_these(model::NodeState& node, const Amounts& each, std::uint32_t tasks,
                const std::vector<model::DeviceShare>& devices);

// Gives them back.
void give_back(model::NodeState& node, const Amounts& each, std::uint32_t tasks,
               const std::vector<model::DeviceShare>& devices);

}  // namespace stint::engine
