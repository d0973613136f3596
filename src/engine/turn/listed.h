// The baselines without quota (DESIGN §6 `order:`): one list of waiting jobs, by submit time or by
// length.
//
// Threads  the owner of the engine.
#pragma once

#include <vector>

#include "engine/turn/job_list.h"
#include "model/state.h"

namespace stint::engine {

using base::ShapeId;

class Listed {
 public:
  explicit Listed(model::Order order);

  void insert(const State& state, JobId job);
  void erase(const State& state, JobId job);

  // The job that is tried next: the head of the list, or, where the head does not block, the first
  // whose shape is not dead. None if there is none.
  [[nodiscard]] JobId next(const State& state) const;

  // The shape finds no nodes until something is released.
  void shape_died(ShapeId shape);
  [[nodiscard]] bool is_dead(ShapeId shape) const {
    return shape.index() < dead_.size() && dead_[shape.index()];
  }
  template <class MayFit>
  void released(const MayFit& may_fit) {
    std::erase_if(dead_list_, [&](ShapeId shape) {
      if (!may_fit(shape)) return false;
      dead_[shape.index()] = false;
      return true;
    });
  }

 private:
  ListOrder order_;
  bool head_blocks_;
  JobList all_;                     // where the head blocks
  std::vector<JobList> by_shape_;   // where it does not
  std::vector<ShapeId> waiting_;    // shapes with a job
  std::vector<bool> dead_;          // by ShapeId
  std::vector<ShapeId> dead_list_;  // in no order that matters
};

}  // namespace stint::engine
