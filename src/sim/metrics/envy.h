// Envy between backlogged leaves, looked at every six hours: whether somebody would rather hold
// what another holds (oracles §8).
//
// A leaf's task is the mean of what waits there; its bundle what it holds. Where many are
// backlogged it is looked at less often, so that the pairs of a long run stay a bounded number per
// hour.
//
// Threads  one owner.
#pragma once

#include <span>
#include <vector>

#include "engine/engine.h"
#include "sim/metrics/formulas.h"

namespace stint::sim {

class Envy {
 public:
  // State holds until `next`; it is looked at if six hours have passed since the last time.
  void look(const engine::Engine& engine, std::span<const base::QueueId> backlog,
            base::Millis next);
  // The most of all times; 0 if two were never backlogged.
  [[nodiscard]] double most() const { return most_; }

 private:
  base::Millis next_ = 0;
  std::vector<Bundle> bundles_;  // scratch, as is the next
  std::vector<double> values_;   // demand and holdings of each
  double most_ = 0;
};

}  // namespace stint::sim
