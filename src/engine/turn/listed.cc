#include "engine/turn/listed.h"

#include <algorithm>

namespace stint::engine {

Listed::Listed(model::Order order)
    : order_(order == model::Order::SjfSkip ? ListOrder::Work : ListOrder::Submit),
      head_blocks_(order == model::Order::Fifo) {}

void Listed::insert(const State& state, JobId job) {
  if (head_blocks_) {
    all_.insert(state, order_, job);
    return;
  }
  const ShapeId shape = state.jobs[job].spec.shape;
  if (shape.index() >= by_shape_.size()) by_shape_.resize(shape.index() + 1);
  JobList& list = by_shape_[shape.index()];
  if (list.empty()) waiting_.push_back(shape);
  list.insert(state, order_, job);
}

void Listed::erase(const State& state, JobId job) {
  if (head_blocks_) {
    all_.erase(state, order_, job);
    return;
  }
  const ShapeId shape = state.jobs[job].spec.shape;
  by_shape_[shape.index()].erase(state, order_, job);
  if (by_shape_[shape.index()].empty()) std::erase(waiting_, shape);
}

JobId Listed::next(const State& state) const {
  if (head_blocks_) {
    if (all_.empty() || is_dead(state.jobs[all_.front()].spec.shape)) return {};
    return all_.front();
  }
  JobId first;
  JobRank best;
  for (const ShapeId shape : waiting_) {
    if (is_dead(shape)) continue;
    const JobId job = by_shape_[shape.index()].front();
    const JobRank rank = job_rank(state, job, order_);
    if (first.valid() && best < rank) continue;
    first = job;
    best = rank;
  }
  return first;
}

void Listed::shape_died(ShapeId shape) {
  if (shape.index() >= dead_.size()) dead_.resize(shape.index() + 1);
  if (dead_[shape.index()]) return;
  dead_[shape.index()] = true;
  dead_list_.push_back(shape);
}

}  // namespace stint::engine
