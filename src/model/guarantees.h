// From guarantees as written to guarantees as amounts: named, percent, implied, per GPU model.
//
// What is written for a queue splits into a *named* part, which is checked (children against their
// parent, roots against the cluster), and an *implied* part: the other resources, in the proportion
// of the largest named fraction of the cluster (half the GPUs bring half the CPUs). Implied parts
// that do not fit beside the named ones are scaled down, level by level from the top. Everything is
// rounded down to the unit.
//
// Threads  free of state.
//
//   const auto problems = resolve_guarantees(tree, requests, resources, cluster.capacity());
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.h"
#include "model/amounts.h"
#include "model/resources.h"
#include "model/tree.h"

namespace stint::model {

// 100% in the unit of percentages (thousandths of a percent).
inline constexpr std::int64_t kPercentWhole = 100'000;

struct GuaranteeEntry {
  enum class Kind : std::uint8_t { Unnamed, Absolute, Percent };
  Kind kind = Kind::Unnamed;
  std::int64_t value = 0;  // base units, or thousandths of a percent of the parent's guarantee
};

// The `guarantee:` of one queue. Without one, an inner queue is guaranteed the sum of its children,
// a leaf 0.
struct GuaranteeRequest {
  bool written = false;
  std::vector<GuaranteeEntry> entries;  // by resource; only if written
};

enum class GuaranteeFault : std::uint8_t {
  ChildrenAboveParent,  // asked: named sum of the children, available: the queue's own
  RootsAboveCluster,    // queue: the tree's root; asked: named sum, available: capacity
  PercentOfNothing,     // the parent has no guarantee of its own in this resource
  PercentRoundsToZero,  // asked: the percentage, available: what it is of
  ModelsAboveGpu,       // asked: sum of the models named, available: the gpu named beside them
};

struct GuaranteeProblem {
  GuaranteeFault fault;
  QueueId queue;
  ResourceId resource;
  std::int64_t asked = 0;
  std::int64_t available = 0;
};

// Sets `guarantee` and `counts` of every queue but the root.
//   Shape   one request per queue, by QueueId; parents come before children (Tree's invariant).
//   Errors  the problems found, in order of QueueId and resource; with any, the result is not to be
//   used. Source  DESIGN §5.1. A model takes no part in the proportion and is never implied: a
//   queue that names
//           none has 0 of it with `counts` false; a queue without a `guarantee:` counts it if every
//           child with GPUs does.
[[nodiscard]] std::vector<GuaranteeProblem> resolve_guarantees(
    Tree& tree, std::span<const GuaranteeRequest> requests, const Resources& resources,
    const Amounts& capacity);

// `value` thousandths of a percent of `whole`, rounded down.
[[nodiscard]] Amount percent_of(std::int64_t value, Amount whole);

}  // namespace stint::model
