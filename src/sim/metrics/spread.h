// How far a number scatters over independent runs: mean and confidence interval.
//
// Threads  pure functions.
//
//   const Spread wait = spread_of(std::vector<double>{10, 12, 14});  // mean 12, half 4.97
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace stint::sim {

struct Spread {
  double mean = 0;
  std::optional<double> half;  // of the 95 % confidence interval; none for fewer than two values
  std::size_t count = 0;
};

// Mean ± t · s / √n with Student's t for n - 1 degrees of freedom: what holds for independent
// values that are about normal.
[[nodiscard]] Spread spread_of(std::span<const double> values);

// The 97.5 % quantile of Student's t: two-sided 95 %. Right to three decimals. Requires
// degrees >= 1.
[[nodiscard]] double student_95(std::size_t degrees);

}  // namespace stint::sim
