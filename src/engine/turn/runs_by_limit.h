// Running work by when its time limit comes. Leaf by leaf under `fair`: who asks when a limit of a
// queue has room again walks the runs that are the first to end, and no others. In one list under
// the orders without quota: who plans a start asks for all.
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
  // By (limit, job).
  using Runs = base::SortedBlocks<std::pair<Millis, JobId>>;

  RunsByLimit() = default;
  explicit RunsByLimit(const State& state);

  // The job's run has started; it is about to end. Its run is in State at both times.
  void add(const State& state, JobId job);
  void remove(const State& state, JobId job);

  // Requires `fair`.
  [[nodiscard]] const Runs& of_leaf(model::QueueId leaf) const { return lists_[leaf.index()]; }
  // Requires another order.
  [[nodiscard]] const Runs& all() const { return lists_.front(); }

 private:
  [[nodiscard]] static std::pair<Millis, JobId> entry(const State& state, JobId job);

  [[nodiscard]] Runs& list_of(const State& state, JobId job);

  bool by_leaf_ = true;
  std::vector<Runs> lists_;  // by QueueId, or one
};

}  // namespace stint::engine
