#include "engine/forward/slot.h"

#include <algorithm>

#include "engine/placement/fit.h"
#include "engine/placement/search.h"

namespace stint::engine {

namespace {

// Takes what the slice would take if it started now, on the same devices: what is free now is free
// later.
void take_as_now(const State& state, const model::Shape& shape, const model::Slice& slice,
                 model::NodeState& node) {
  const Amounts each = each_on(state.cluster.nodes[slice.node.index()], shape, gpu_of(state));
  model::NodeState now = state.nodes[slice.node.index()];
  take_these(node, each, slice.tasks, take(now, each, gpu_of(state), slice.tasks));
}

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
  // What would start now goes on, on the devices that it would take now.
  void hold(const model::Shape& shape, const model::Placement& placement) {
    for (const model::Slice& slice : placement) {
      change(slice.node, [&](model::NodeState& node) { take_as_now(state_, shape, slice, node); });
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

FreeOn state_of(const Later& later, const model::Placement& nodes) {
  FreeOn then;
  for (const model::Slice& slice : nodes) then.emplace(slice.node, later[slice.node]);
  return then;
}

const model::Shape& shape_of(const State& state, JobId job) {
  return state.shapes[state.jobs[job].spec.shape.index()];
}

// The tasks of the slot's job on a node.
const model::Slice& slice_on(const Slot& slot, NodeId node) {
  return *std::find_if(slot.nodes.begin(), slot.nodes.end(),
                       [&](const model::Slice& slice) { return slice.node == node; });
}

// Whether the slot's job still fits on its nodes with the placement beside it, which is noted then.
bool fits_beside(const State& state, const model::Shape& shape, const model::Placement& placement,
                 Slot& slot) {
  const model::Shape& of_slot = shape_of(state, slot.job);
  FreeOn changed;
  for (const model::Slice& slice : placement) {
    const auto then = slot.then.find(slice.node);
    if (then == slot.then.end()) continue;
    model::NodeState node = then->second;
    const std::uint32_t tasks = slice_on(slot, slice.node).tasks;
    take_as_now(state, shape, slice, node);
    if (tasks_that_fit(node, of_slot.each, gpu_of(state), tasks) < tasks) return false;
    changed.emplace(slice.node, std::move(node));
  }
  for (auto& [id, node] : changed) slot.then[id] = std::move(node);
  return true;
}

// What may be used on the slot's nodes now and beyond its start: a guess, to be checked.
FreeOn narrowed(const State& state, const Slot& slot) {
  const model::Shape& of_slot = shape_of(state, slot.job);
  FreeOn free;
  for (const auto& [id, then] : slot.then) {
    model::NodeState node = state.nodes[id.index()];
    model::NodeState spare = then;
    static_cast<void>(take(spare, each_on(state.cluster.nodes[id.index()], of_slot, gpu_of(state)),
                           gpu_of(state), slice_on(slot, id).tasks));
    for (std::size_t r = 0; r < node.free.size(); ++r) {
      node.free[r] = std::min(node.free[r], spare.free[r]);
    }
    node.whole_devices = std::min(node.whole_devices, spare.whole_devices);
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
  slot.then = state_of(later, slot.nodes);
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
      FreeOn then = state_of(later, *nodes);
      return Slot{job, at, std::move(*nodes), std::move(then)};
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
