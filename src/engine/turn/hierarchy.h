// Shares of inner queues for the turn: hierarchical DRF.
//
// A group whose children need different resources must not be judged by the resource that nobody
// can get any more: the children's usage above their guarantees is scaled to the poorest child that
// still wants something, and only resources of which something is free count.
//
// Source   DESIGN §5.2; Bhattacharya et al., Hierarchical scheduling for diverse datacenter
// workloads
//          (SoCC 2013); oracles O-28 to O-31.
// Threads  const on State.
#pragma once

#include <vector>

#include "base/int128.h"
#include "engine/turn/share.h"
#include "model/state.h"

namespace stint::engine {

class Hierarchy {
 public:
  // `is_blocked[q]` for every leaf: none of its untried candidates asks only for unsaturated
  // resources.
  //   Shape  one entry per queue; entries of inner queues are ignored.
  Hierarchy(const State& state, std::vector<bool> is_blocked);

  // A leaf's usage has changed, or whether it is blocked, and nothing else; some leaf is not. False
  // if a resource was saturated or freed by it, so that everything is to be made anew.
  [[nodiscard]] bool leaf_changed(const State& state, model::QueueId leaf, bool is_blocked);

  // The share by which a queue is ranked among siblings of which some are inner queues: theirs is
  // scaled and has 32 bits behind the point, rounded down once; a leaf's plain share is rounded
  // alike, so that equal shares tie. If every leaf is blocked, plain and exact shares for all.
  [[nodiscard]] Fraction share(model::QueueId queue) const;

 private:
  using Vector = std::vector<base::i128>;  // amounts with 32 bits behind the point

  void compute(model::QueueId queue);
  void compute_leaf(model::QueueId queue);
  void compute_inner(model::QueueId queue);
  [[nodiscard]] Fraction share_of(const Vector& usage, model::QueueId queue) const;

  const State* state_;  // of the pass
  bool plain_ = false;  // every leaf is blocked
  std::vector<bool> blocked_;
  std::vector<bool> saturated_;   // per resource
  std::vector<Vector> usage_;     // per queue, scaled
  std::vector<Fraction> shares_;  // per queue
};

// Per resource: no healthy node has any of it free.
[[nodiscard]] std::vector<bool> saturated_resources(const State& state);

}  // namespace stint::engine
