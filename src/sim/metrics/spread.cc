#include "sim/metrics/spread.h"

#include <array>
#include <cmath>

#include "base/assert.h"

namespace stint::sim {

double student_95(std::size_t degrees) {
  STINT_ASSERT(degrees >= 1);
  constexpr std::array kFew = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365,
                               2.306,  2.262, 2.228, 2.201, 2.179, 2.160, 2.145,
                               2.131,  2.120, 2.110, 2.101, 2.093, 2.086};
  if (degrees <= kFew.size()) return kFew[degrees - 1];
  // Expansion around the normal quantile (Abramowitz and Stegun 26.7.5).
  constexpr double kZ = 1.959963985;
  constexpr double kZ3 = kZ * kZ * kZ;
  constexpr double kZ5 = kZ3 * kZ * kZ;
  constexpr double kZ7 = kZ5 * kZ * kZ;
  const auto n = static_cast<double>(degrees);
  return kZ + (kZ3 + kZ) / (4 * n) + (5 * kZ5 + 16 * kZ3 + 3 * kZ) / (96 * n * n) +
         (3 * kZ7 + 19 * kZ5 + 17 * kZ3 - 15 * kZ) / (384 * n * n * n);
}

Spread spread_of(std::span<const double> values) {
  Spread spread;
  spread.count = values.size();
  if (values.empty()) return spread;
  const auto n = static_cast<double>(values.size());
  for (const double value : values) spread.mean += value / n;
  if (values.size() < 2) return spread;
  double squares = 0;
  for (const double value : values) squares += (value - spread.mean) * (value - spread.mean);
  spread.half = student_95(values.size() - 1) * std::sqrt(squares / (n - 1) / n);
  return spread;
}

}  // namespace stint::sim
