// A distribution of lengths, given by a few of its quantiles.
//
// Between two given quantiles the value grows geometrically (a straight line on the logarithmic
// axis on which lengths of jobs are drawn), in integers only.
//
// Threads  const after construction.
//
//   const Quantiles run({{0, kSecond}, {50'000, 10 * kMinute}, {100'000, kDay}}, 1000);
//   run.at(1U << 31U)   // the median, 10 min
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/time.h"

namespace stint::sim {

// That share of the jobs is not longer than `value`.
struct QuantileKnot {
  std::int64_t milli_percent = 0;  // thousandths of a percent, 0 to 100'000
  base::Millis value = 0;
  friend bool operator==(const QuantileKnot&, const QuantileKnot&) = default;
};

class Quantiles {
 public:
  // Every value is multiplied by `stretch_milli` / 1000.
  // Requires at least two knots, strictly rising from 0 to 100'000, values above 0 and not falling.
  Quantiles(std::span<const QuantileKnot> knots, std::int64_t stretch_milli);

  // The value at probability p / 2^32; at least 1 ms.
  [[nodiscard]] base::Millis at(std::uint32_t p) const {
    const std::uint32_t cell = p >> kFractionBits;
    const std::int64_t fraction = p & ((1U << kFractionBits) - 1);
    const base::Millis low = grid_[cell];
    return low + (((grid_[cell + 1] - low) * fraction) >> kFractionBits);
  }
  // Mean of at() over all p, exact up to rounding.
  [[nodiscard]] base::Millis mean() const;
  // Mean of what lies inside a window of length `window` > 0, if the length begins at any time in
  // it: r - r^2 / 2w for a length r up to w, and w / 2 for a longer one.
  [[nodiscard]] base::Millis mean_inside(base::Millis window) const;

 private:
  static constexpr unsigned kCellBits = 12;
  static constexpr unsigned kFractionBits = 32 - kCellBits;
  std::vector<base::Millis> grid_;  // values at multiples of 2^-12, ends included
};

}  // namespace stint::sim
