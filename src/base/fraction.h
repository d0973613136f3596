// Non-negative fractions compared exactly by 128-bit cross products.
#pragma once

#include <compare>
#include <cstdint>

#include "base/int128.h"

namespace stint::base {

// num / den with den > 0. Both below 2^63, so that cross products fit.
struct Fraction {
  std::int64_t num = 0;
  std::int64_t den = 1;

  friend constexpr std::strong_ordering operator<=>(const Fraction& a, const Fraction& b) {
    return static_cast<i128>(a.num) * b.den <=> static_cast<i128>(b.num) * a.den;
  }
  friend constexpr bool operator==(const Fraction& a, const Fraction& b) {
    return (a <=> b) == std::strong_ordering::equal;
  }
};

}  // namespace stint::base
