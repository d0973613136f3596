// Places a gang whole, or not at all.
//
// The search changes nothing: it returns where the tasks would go; `commit_placement` takes the
// room. Threads  const on State; a commit needs the owner of State.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "model/state.h"

namespace stint::engine {

using model::Amount;
using model::Amounts;

// What else binds a search: how much of each `gpu/MODEL` the quotas still allow (kUnlimited = any).
struct PlacementBounds {
  Amounts models;  // per resource; only entries of models are looked at
  bool models_bind = false;
};

// Which nodes a search may use, and what is free on them. `Now` is the world as it is; the others
// answer "would it fit if …" for reasons.
enum class World : std::uint8_t {
  Now,           // healthy nodes with what is free on them
  HealthyEmpty,  // healthy nodes, nothing running
  AllEmpty,      // every configured node, nothing running
  DownRepaired,  // failed and draining nodes back, runs stay where they are
};

// What is free on some nodes, where it is not what State says.
using FreeOn = std::map<base::NodeId, model::NodeState>;

// Where the tasks of `shape` would go, or nothing if they do not fit whole.
//   Shape   nodes in the order in which they are filled, each once, with at least one task each.
//   Source  DESIGN §5.4.
[[nodiscard]] std::optional<model::Placement> find_placement(const model::State& state,
                                                             const model::Shape& shape,
                                                             const PlacementBounds& bounds,
                                                             World world = World::Now);

// Whether it fits, without building the placement.
[[nodiscard]] bool can_place(const model::State& state, const model::Shape& shape, World world);

// Whether the node has every label that the shape requires.
[[nodiscard]] bool has_labels(const model::Node& node, const model::Shape& shape);

// `each` as it counts on that node: GPUs also under the node's model.
[[nodiscard]] Amounts each_on(const model::Node& node, const model::Shape& shape,
                              base::ResourceId gpu);

// Takes the room and fills in the devices; returns what the gang holds over all tasks.
Amounts commit_placement(model::State& state, const model::Shape& shape,
                         model::Placement& placement);

// Gives the room back.
void release_placement(model::State& state, const model::Shape& shape,
                       const model::Placement& placement);

}  // namespace stint::engine
