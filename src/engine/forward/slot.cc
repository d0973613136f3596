#include "engine/forward/slot.h"

#include <algorithm>

#include "base/assert.h"
#include "engine/placement/fit.h"
#include "engine/placement/search.h"

namespace stint::engine {

namespace {

// The cluster as it will be, as far as it differs from now.
class Later {
 public:
  Later(const State& state, const model::Shape& shape)
      : state_(state), shape_(shape), search_(state, shape, kUnbound, World::Now, &free_) {
    for (const Candidate& candidate : search_.candidates()) fits_ += candidate.fits;
  }
  Later(const Later&) = delete;
  Later& operator=(const Later&) = delete;
  ~Later() = default;

  void release(const model::Run& run) {
    const model::Shape& shape = state_.shapes[state_.jobs[run.job].spec.shape.index()];
    for (const model::Slice& slice : run.placement) {
      if (!state_.nodes[slice.node.index()].healthy()) continue;
      change(slice.node, [&](model::NodeState& node) {
        give_back(node, each(shape, slice.node), slice.tasks, slice.devices);
      });
    }
  }
  void hold(const model::Shape& shape, const model::Placement& placement) {
    for (const model::Slice& slice : placement) {
      change(slice.node, [&](model::NodeState& node) {
        static_cast<void>(take(node, each(shape, slice.node), gpu_of(state_), slice.tasks));
      });
    }
  }
  [[nodiscard]] std::optional<model::Placement> find() const {
    if (fits_ < shape_.tasks) return std::nullopt;
    return find_placement(search_);
  }
  // The node as it will be.
  [[nodiscard]] const model::NodeState& operator[](NodeId node) const {
    const auto it = free_.find(node);
    return it == free_.end() ? state_.nodes[node.index()] : it->second;
  }

 private:
  static inline const PlacementBounds kUnbound{};

  [[nodiscard]] Amounts each(const model::Shape& shape, NodeId node) const {
    return each_on(state_.cluster.nodes[node.index()], shape, gpu_of(state_));
  }
  template <class How>
  void change(NodeId node, const How& how) {
    const bool may_use = has_labels(state_.cluster.nodes[node.index()], shape_);
    const auto it = free_.try_emplace(node, state_.nodes[node.index()]).first;
    if (may_use) fits_ -= search_.fits_on(node);
    how(it->second);
    if (may_use) fits_ += search_.fits_on(node);
  }

  const State& state_;
  const model::Shape& shape_;
  FreeOn free_;
  Search search_;
  std::uint64_t fits_ = 0;  // tasks, over all nodes
};

FreeOn spare_of(const State& state, const model::Shape& shape, const Later& later,
                const model::Placement& nodes) {
  FreeOn spare;
  for (const model::Slice& slice : nodes) {
    model::NodeState node = later[slice.node];
    static_cast<void>(take(node,
                           each_on(state.cluster.nodes[slice.node.index()], shape, gpu_of(state)),
                           gpu_of(state), slice.tasks));
    spare.emplace(slice.node, std::move(node));
  }
  return spare;
}

const model::Shape& shape_of(const State& state, JobId job) {
  return state.shapes[state.jobs[job].spec.shape.index()];
}

// Whether the slot's nodes keep room for it beside the placement; takes it from the spare room.
bool fits_beside(const State& state, const model::Shape& shape, const model::Placement& placement,
                 Slot& slot) {
  const auto on_spare = [&](const auto& use) {
    return std::all_of(placement.begin(), placement.end(), [&](const model::Slice& slice) {
      const auto it = slot.spare.find(slice.node);
      if (it == slot.spare.end()) return true;
      return use(it->second, each_on(state.cluster.nodes[slice.node.index()], shape, gpu_of(state)),
                 slice);
    });
  };
  const bool fits =
      on_spare([&](const model::NodeState& node, const Amounts& each, const model::Slice& slice) {
        return tasks_that_fit(node, each, gpu_of(state), slice.tasks) >= slice.tasks;
      });
  if (!fits) return false;
  return on_spare([&](model::NodeState& node, const Amounts& each, const model::Slice& slice) {
    static_cast<void>(take(node, each, gpu_of(state), slice.tasks));
    return true;
  });
}

// What may be used on the slot's nodes now and beyond its start.
FreeOn narrowed(const State& state, const Slot& slot) {
  FreeOn free;
  for (const auto& [id, spare] : slot.spare) {
    model::NodeState node = state.nodes[id.index()];
    for (std::size_t r = 0; r < node.free.size(); ++r) {
      node.free[r] = std::min(node.free[r], spare.free[r]);
    }
    for (std::size_t d = 0; d < node.devices.size(); ++d) {
      node.devices[d] = std::min(node.devices[d], spare.devices[d]);
    }
    node.whole_devices = static_cast<std::uint32_t>(
        std::count(node.devices.begin(), node.devices.end(), base::kUnit));
    free.emplace(id, std::move(node));
  }
  return free;
}

// The slot's job at the same instant, beside the placement, on whatever nodes.
bool move_slot(const State& state, const RunsByLimit& by_limit, const model::Shape& shape,
               const model::Placement& placement, Slot& slot) {
  const model::Shape& of_slot = shape_of(state, slot.job);
  Later later(state, of_slot);
  for (auto walk = by_limit.all().walk(); !walk.at_end() && (*walk).first <= slot.start;
       walk.next()) {
    later.release(state.runs[state.jobs[(*walk).second].run]);
  }
  later.hold(shape, placement);
  auto nodes = later.find();
  if (!nodes) return false;
  slot.nodes = std::move(*nodes);
  slot.spare = spare_of(state, of_slot, later, slot.nodes);
  return true;
}

}  // namespace

std::optional<Slot> earliest_slot(const State& state, const RunsByLimit& by_limit, JobId job) {
  const model::Shape& shape = shape_of(state, job);
  Later later(state, shape);
  for (auto walk = by_limit.all().walk(); !walk.at_end();) {
    const Millis at = (*walk).first;
    if (at == base::kNever) return std::nullopt;
    for (; !walk.at_end() && (*walk).first == at; walk.next()) {
      later.release(state.runs[state.jobs[(*walk).second].run]);
    }
    if (auto nodes = later.find()) {
      FreeOn spare = spare_of(state, shape, later, *nodes);
      return Slot{job, at, std::move(*nodes), std::move(spare)};
    }
  }
  return std::nullopt;
}

std::optional<model::Placement> place_beside(const State& state, const RunsByLimit& by_limit,
                                             const model::Shape& shape, model::Placement wanted,
                                             Slot& slot) {
  if (fits_beside(state, shape, wanted, slot)) return wanted;
  if (state.nodes.size() == 1) return std::nullopt;
  const PlacementBounds unbound{};
  const FreeOn free = narrowed(state, slot);
  if (auto beside = find_placement(Search(state, shape, unbound, World::Now, &free))) {
    if (fits_beside(state, shape, *beside, slot)) return beside;
  }
  if (move_slot(state, by_limit, shape, wanted, slot)) return wanted;
  return std::nullopt;
}

}  // namespace stint::engine
