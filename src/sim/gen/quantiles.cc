#include "sim/gen/quantiles.h"

#include <algorithm>

#include "base/assert.h"
#include "base/int128.h"
#include "sim/gen/fixed_point.h"

namespace stint::sim {

using base::Millis;

namespace {

// The value between two knots, at `part` / `whole` of the way.
Millis between(Millis low, Millis high, std::uint64_t part, std::uint64_t whole) {
  const std::uint64_t span =
      log2_q32(static_cast<std::uint64_t>(high)) - log2_q32(static_cast<std::uint64_t>(low));
  const auto rest =
      static_cast<std::uint64_t>(static_cast<base::u128>(span) * (whole - part) / whole);
  const auto value = static_cast<Millis>(divided_by_exp2(static_cast<std::uint64_t>(high), rest));
  return std::clamp(value, low, high);
}

}  // namespace

Quantiles::Quantiles(std::span<const QuantileKnot> knots, std::int64_t stretch_milli) {
  STINT_ASSERT(knots.size() >= 2);
  STINT_ASSERT(knots.front().milli_percent == 0 && knots.back().milli_percent == 100'000);
  constexpr std::uint64_t kCells = std::uint64_t{1} << kCellBits;
  grid_.reserve(kCells + 1);
  std::size_t right = 1;
  for (std::uint64_t cell = 0; cell <= kCells; ++cell) {
    // Probabilities in units of 1 / (100'000 * kCells), so that both kinds are whole.
    const std::uint64_t p = cell * 100'000;
    while (static_cast<std::uint64_t>(knots[right].milli_percent) * kCells < p) ++right;
    const QuantileKnot& low = knots[right - 1];
    const QuantileKnot& high = knots[right];
    STINT_ASSERT(low.milli_percent < high.milli_percent);
    STINT_ASSERT(0 < low.value && low.value <= high.value);
    const std::uint64_t left = static_cast<std::uint64_t>(low.milli_percent) * kCells;
    const std::uint64_t width = static_cast<std::uint64_t>(high.milli_percent) * kCells - left;
    const auto stretched =
        static_cast<base::i128>(between(low.value, high.value, p - left, width)) * stretch_milli /
        1000;
    grid_.push_back(static_cast<Millis>(
        std::clamp<base::i128>(stretched, 1, static_cast<base::i128>(base::kSpanMax))));
  }
}

Millis Quantiles::mean() const {
  base::i128 twice = 0;
  for (std::size_t i = 1; i < grid_.size(); ++i) twice += grid_[i - 1] + grid_[i];
  return static_cast<Millis>(twice / 2 / static_cast<base::i128>(grid_.size() - 1));
}

Millis Quantiles::mean_inside(Millis window) const {
  STINT_ASSERT(window > 0);
  const auto inside = [&](Millis length) {
    if (length >= window) return window / 2;
    const base::i128 square = static_cast<base::i128>(length) * length;
    return length - static_cast<Millis>(square / (2 * static_cast<base::i128>(window)));
  };
  base::i128 twice = 0;
  for (std::size_t i = 1; i < grid_.size(); ++i) twice += inside(grid_[i - 1]) + inside(grid_[i]);
  return static_cast<Millis>(twice / 2 / static_cast<base::i128>(grid_.size() - 1));
}

}  // namespace stint::sim
