// The baselines without quota (DESIGN §6 `order:`): waiting jobs by submit time or by length.
//
// One list per shape: what found no nodes for one job finds none for another of its shape.
//
// Invariants  1. `next` of a list is its first job that was not tried in this pass.
// Threads     the owner of the engine.
#pragma once

#include <optional>
#include <vector>

#include "engine/turn/job_list.h"
#include "model/state.h"

namespace stint::engine {

using base::ShapeId;

class Listed {
 public:
  Listed() = default;
  explicit Listed(const model::Policy& policy);

  void insert(const State& state, JobId job);
  void erase(const State& state, JobId job);

  // All may be tried again.
  void begin_pass(const State& state);
  // The job that is tried next, in the order of the list; jobs of dead shapes only `with_dead`.
  // None if there is none, or the head of the list blocks the others.
  [[nodiscard]] JobId next(bool with_dead) const;
  // It may not start in this pass.
  void job_tried(const State& state, JobId job);

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
  struct List {  // of one shape
    JobList jobs;
    bool was_tried = false;
  };
  struct Next {  // of a list; beside each other, because all are looked at
    JobRank rank;
    ShapeId shape;
    JobId job;  // none: all were tried
  };
  void set_next(const State& state, ShapeId shape, JobId job);

  ListOrder order_ = ListOrder::Submit;
  bool head_blocks_ = false;
  std::vector<List> lists_;            // by ShapeId
  std::vector<std::uint32_t> places_;  // by ShapeId: in nexts_
  std::vector<Next> nexts_;            // of shapes with a job, in no order that matters
  std::vector<ShapeId> tried_;         // shapes of which a job was tried in this pass
  std::vector<bool> dead_;             // by ShapeId
  std::vector<ShapeId> dead_list_;     // in no order that matters
};

}  // namespace stint::engine
