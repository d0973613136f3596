// Metrics by their exact definitions (oracles §8). Floating point is for reports only.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/time.h"

namespace stint::sim {

using base::Millis;

// Element of rank ceil(p/100 · n) of the sorted values (nearest rank); 0 for no values.
[[nodiscard]] Millis nearest_rank(std::span<const Millis> sorted, double percent);

// The same of `zeros` zeros and the sorted values, none of which is below 0.
[[nodiscard]] Millis nearest_rank_after(std::uint64_t zeros, std::span<const Millis> sorted,
                                        double percent);

// The same of values in any order, which are put into another order.
[[nodiscard]] Millis select_rank(std::span<Millis> values, double percent);

[[nodiscard]] double mean(std::span<const Millis> values);

// max(1, (wait + run) / max(run, 10 s)).
[[nodiscard]] double bounded_slowdown(Millis wait, Millis run);

// (Σx)² / (n Σx²); 1 for no or only zero values.
[[nodiscard]] double jain_index(std::span<const double> values);

// One child of a queue, in units of one resource.
struct Claimant {
  double guarantee = 0;
  double weight = 1;
  double demand = 0;
  double limit = 0;
};

// What each is entitled to of `total`: min(guarantee, demand) first, the rest by weighted max-min
// on what is still wanted, capped by the limit.
//   Source  oracles 2.2. Order independent.
[[nodiscard]] std::vector<double> entitlements(double total, std::span<const Claimant> claimants);

// Finish-time fairness: how long a job took in the shared cluster, over how long it takes alone in
// its queue's private part of it (weight over all weights, same jobs). Above 1 sharing costs it.
//   Source  oracles §8 ρ. The private run is a simulation of its own (docs/reference/outputs.md).
[[nodiscard]] constexpr double finish_time_ratio(double shared, double independent) {
  return shared / independent;
}

// What somebody asks for per task and holds, by resource, and their weight.
struct Bundle {
  std::span<const double> demand;
  std::span<const double> holds;
  double weight = 1;
};

// max over pairs of tasks_i(holds_j · w_i / w_j) / tasks_i(holds_i), tasks counted in fractions:
// above 1 somebody would rather have another's bundle. Pairs whose first holds nothing are left
// out.
//   Source  oracles §8 envy: at most 1 plus one task.
[[nodiscard]] double envy(std::span<const Bundle> bundles);

// ∫ max(0, min(guarantee, demand) - held) dt of a constant stretch, in the amounts' unit × ms.
[[nodiscard]] constexpr std::int64_t violation(std::int64_t guarantee, std::int64_t demand,
                                               std::int64_t held) {
  const std::int64_t owed = guarantee < demand ? guarantee : demand;
  return owed > held ? owed - held : 0;
}

}  // namespace stint::sim
