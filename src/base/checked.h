// Sums and products of 64-bit integers that notice an overflow (DESIGN §4: all sums are checked).
//
//   const auto total = checked_add(used, request);
//   if (!total) return refuse("…");
#pragma once

#include <cstdint>
#include <optional>

namespace stint::base {

// a + b, or nothing if it does not fit 64 bits.
[[nodiscard]] constexpr std::optional<std::int64_t> checked_add(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) return std::nullopt;
  return result;
}

// a * b, or nothing if it does not fit 64 bits.
[[nodiscard]] constexpr std::optional<std::int64_t> checked_mul(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
  return result;
}

}  // namespace stint::base
