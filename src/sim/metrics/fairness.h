// Jain's index over time: how evenly those who wait are treated, measured by what each is entitled
// to (oracles §8).
//
// Counts while at least two leaves are backlogged; the index of each span is weighted by its
// length.
//
// Threads  one owner.
#pragma once

#include <vector>

#include "engine/engine.h"
#include "sim/metrics/formulas.h"

namespace stint::sim {

class Fairness {
 public:
  explicit Fairness(base::ResourceId main) : main_(main) {}

  // The index as it stands holds for `span` ms.
  void add(const engine::Engine& engine, Millis span);
  // What a queue holds or asks for has changed.
  void changed(const engine::State& state, base::QueueId queue, bool is_backlogged);
  void everything_changed() { is_fresh_ = false; }

  [[nodiscard]] double index() const { return span_ > 0 ? sum_ / span_ : 1; }
  // Hours during which two queues were backlogged.
  [[nodiscard]] double hours() const { return span_ / 3.6e6; }

 private:
  void entitle(const engine::Engine& engine, base::QueueId queue, double total);
  [[nodiscard]] std::optional<double> present(const engine::Engine& engine);

  base::ResourceId main_;
  std::vector<bool> is_backlogged_;  // by QueueId; of leaves
  std::size_t backlogged_ = 0;
  std::vector<double> entitled_;  // by QueueId
  std::vector<double> ratios_;
  bool is_fresh_ = false;
  std::optional<double> index_;  // at present; none if fewer than two count
  double sum_ = 0;
  double span_ = 0;
};

}  // namespace stint::sim
