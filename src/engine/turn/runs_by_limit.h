// Running work by when its time limit comes, leaf by leaf: who asks when a limit of a queue has
// room again walks the runs that are the first to end, and no others.
//
// Derived from State, never saved.
// Threads  the owner of the engine.
#pragma once

#include <utility>
#include <vector>

#include "base/sorted_blocks.h"
#include "model/state.h"

namespace stint::engine {

using base::JobId;
using base::Millis;
using model::State;

class RunsByLimit {
 public:
  // Runs of one leaf by (limit, job).
  using Runs = base::SortedBlocks<std::pair<Millis, JobId>>;

  RunsByLimit() = default;
  explicit RunsByLimit(const State& state);

  // The job's run has started; it is about to end. Its run is in State at both times.
  void add(const State& state, JobId job);
  void remove(const State& state, JobId job);

  [[nodiscard]] const Runs& of_leaf(model::QueueId leaf) const { return by_leaf_[leaf.index()]; }
  [[nodiscard]] const Runs& all() const { return all_; }

 private:
  [[nodiscard]] static std::pair<Millis, JobId> entry(const State& state, JobId job);

  std::vector<Runs> by_leaf_;  // by QueueId
  Runs all_;
};

}  // namespace stint::engine
