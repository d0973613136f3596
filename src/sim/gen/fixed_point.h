// Logarithms and powers of two in integers: the same bits on every machine.
//
// Libraries disagree in the last bits of std::log and std::exp, and one bit is enough to give a
// generated trace other bytes. Numbers called Q32 have 32 bits behind the point.
//
// Threads  free of state.
#pragma once

#include <bit>
#include <cstdint>

#include "base/assert.h"
#include "base/decay.h"
#include "base/int128.h"

namespace stint::sim {

inline constexpr std::uint64_t kOneQ32 = std::uint64_t{1} << 32U;

// log2(value) with 32 bits behind the point, rounded down. Requires value > 0.
//   Source  squaring digit by digit (Knuth, TAOCP 1.2.2 exercise 25).
constexpr std::uint64_t log2_q32(std::uint64_t value) {
  STINT_ASSERT(value > 0);
  const auto zeros = static_cast<unsigned>(std::countl_zero(value));
  std::uint64_t result = 63U - zeros;
  std::uint64_t mantissa = value << zeros;  // in [1, 2) with 63 bits behind the point
  for (int bit = 0; bit < 32; ++bit) {
    const base::u128 square = static_cast<base::u128>(mantissa) * mantissa;
    const bool is_two = (square >> 127U) != 0;
    mantissa = static_cast<std::uint64_t>(square >> (is_two ? 64U : 63U));
    result = (result << 1U) | (is_two ? 1U : 0U);
  }
  return result;
}

// value * 2^(-exponent), rounded down. Requires exponent below 2^40 (2^-256 is 0 anyway).
inline std::uint64_t divided_by_exp2(std::uint64_t value, std::uint64_t exponent_q32) {
  const base::u128 factor = base::decay_factor_q64(static_cast<base::Millis>(exponent_q32),
                                                   static_cast<base::Millis>(kOneQ32));
  if (factor == base::kOneQ64) return value;
  return static_cast<std::uint64_t>((value * factor) >> 64U);
}

// -ln(u) for u = (draw + 1) / 2^64: an exponential variate of mean 1, as Q32.
constexpr std::uint64_t exponential_q32(std::uint64_t draw) {
  constexpr std::uint64_t kLn2Q32 = 2'977'044'471U;  // floor(ln 2 * 2^32)
  const std::uint64_t log2 = draw == ~std::uint64_t{0} ? 64U * kOneQ32 : log2_q32(draw + 1);
  return static_cast<std::uint64_t>((static_cast<base::u128>(64U * kOneQ32 - log2) * kLn2Q32) >>
                                    32U);
}

}  // namespace stint::sim
