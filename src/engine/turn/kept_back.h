// What queues keep back of idle guarantees that they do not lend, kept up to date along the path of
// each booking; kept_back() in quota.h is the definition.
//
// Threads  the owner of the engine.
#pragma once

#include <vector>

#include "model/state.h"

namespace stint::engine {

class KeptBack {
 public:
  // Reads the whole State: after guarantees, lending or the tree have changed.
  void renew(const model::State& state);
  // Usage of `leaf` has changed.
  void account_changed(const model::State& state, model::QueueId leaf);

  // Per resource, what must stay free because queues beside the leaf's path do not lend it.
  [[nodiscard]] model::Amounts beside(const model::State& state, model::QueueId leaf) const;

 private:
  void look(const model::State& state, model::QueueId queue);

  std::vector<model::Amounts> kept_;      // by QueueId; empty if everybody lends everything
  std::vector<model::Amounts> children_;  // by QueueId: sum over its children
};

}  // namespace stint::engine
