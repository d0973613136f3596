// Our own random numbers, so that a seed means the same on every library (STYLE §8.5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "base/assert.h"
#include "base/int128.h"

namespace stint::base {

// splitmix64 (Steele, Lea, Flood 2014): one 64-bit state, every seed is good.
class Rng {
 public:
  explicit constexpr Rng(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }
  // Uniform in [0, bound) without modulo bias (Lemire 2019). Requires bound > 0.
  constexpr std::uint64_t below(std::uint64_t bound) {
    STINT_ASSERT(bound > 0);
    const std::uint64_t threshold = (0 - bound) % bound;
    while (true) {
      const u128 product = static_cast<u128>(next()) * bound;
      if (static_cast<std::uint64_t>(product) >= threshold) {
        return static_cast<std::uint64_t>(product >> 64U);
      }
    }
  }
  // Uniform in [low, high].
  constexpr std::int64_t between(std::int64_t low, std::int64_t high) {
    STINT_ASSERT(low <= high);
    return low + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(high - low) + 1));
  }
  // Uniform in [0, 1) with 53 bits; for workloads and reports only, never in a decision.
  constexpr double unit() { return static_cast<double>(next() >> 11U) * 0x1p-53; }

  // Fisher–Yates; the order depends on the seed alone.
  template <class T>
  constexpr void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  std::uint64_t state_;
};

}  // namespace stint::base
