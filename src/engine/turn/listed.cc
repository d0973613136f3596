#include "engine/turn/listed.h"

#include <algorithm>

namespace stint::engine {

Listed::Listed(const model::Policy& policy)
    : order_(policy.order == model::Order::SjfSkip ? ListOrder::Work : ListOrder::Submit),
      head_blocks_(policy.order == model::Order::Fifo && policy.reservation_count() == 0) {}

void Listed::set_next(const State& state, ShapeId shape, JobId job) {
  Next& next = nexts_[places_[shape.index()]];
  next.job = job;
  if (job.valid()) next.rank = job_rank(state, job, order_);
}

void Listed::insert(const State& state, JobId job) {
  const ShapeId shape = state.jobs[job].spec.shape;
  if (shape.index() >= lists_.size()) {
    lists_.resize(shape.index() + 1);
    places_.resize(shape.index() + 1);
  }
  List& list = lists_[shape.index()];
  if (list.jobs.empty()) {
    places_[shape.index()] = static_cast<std::uint32_t>(nexts_.size());
    nexts_.push_back({{}, shape, {}});
  }
  list.jobs.insert(state, order_, job);
  if (!list.was_tried) set_next(state, shape, list.jobs.front());
}

void Listed::erase(const State& state, JobId job) {
  const ShapeId shape = state.jobs[job].spec.shape;
  List& list = lists_[shape.index()];
  const JobRank rank = job_rank(state, job, order_);
  list.jobs.erase(state, order_, job);
  if (list.jobs.empty()) {
    places_[nexts_.back().shape.index()] = places_[shape.index()];
    nexts_[places_[shape.index()]] = nexts_.back();
    nexts_.pop_back();
  } else if (nexts_[places_[shape.index()]].job == job) {
    set_next(state, shape, list.jobs.after(state, order_, rank));
  }
}

void Listed::begin_pass(const State& state) {
  for (const ShapeId shape : tried_) {
    List& list = lists_[shape.index()];
    list.was_tried = false;
    if (!list.jobs.empty()) set_next(state, shape, list.jobs.front());
  }
  tried_.clear();
}

JobId Listed::next(bool with_dead) const {
  if (head_blocks_ && !tried_.empty()) return {};
  const Next* first = nullptr;
  for (const Next& next : nexts_) {
    if (!next.job.valid() || (!with_dead && !head_blocks_ && is_dead(next.shape))) continue;
    if (!first || next.rank < first->rank) first = &next;
  }
  if (!first || (head_blocks_ && is_dead(first->shape))) return {};
  return first->job;
}

void Listed::job_tried(const State& state, JobId job) {
  const ShapeId shape = state.jobs[job].spec.shape;
  List& list = lists_[shape.index()];
  if (!list.was_tried) tried_.push_back(shape);
  list.was_tried = true;
  set_next(state, shape, list.jobs.after(state, order_, job_rank(state, job, order_)));
}

void Listed::shape_died(ShapeId shape) {
  if (shape.index() >= dead_.size()) dead_.resize(shape.index() + 1);
  if (dead_[shape.index()]) return;
  dead_[shape.index()] = true;
  dead_list_.push_back(shape);
}

}  // namespace stint::engine
