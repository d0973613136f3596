// Amounts of a resource: signed 64-bit integers in base units (thousandths for counts, MiB for
// memory).
//
// Invariant  every amount of a configured or requested thing lies in [0, kAmountMax]; sums of a few
//            thousand of them cannot overflow, and a cross product of shares fits 128 bits (DESIGN
//            §4).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace stint::base {

using Amount = std::int64_t;

inline constexpr Amount kAmountMax = Amount{1} << 44;
inline constexpr Amount kUnit = 1000;  // one whole GPU, CPU, licence … in base units

// Reads a count such as `8` or `0.5` into thousandths.
//   Errors  negative, not a number, finer than a thousandth, more than kAmountMax; each is named.
[[nodiscard]] Result<Amount> parse_count(std::string_view text);

// Reads a memory size such as `512Gi`, `2Ti`, `1.5Gi`, `64Mi` into MiB. A bare number lacks its
// unit.
[[nodiscard]] Result<Amount> parse_memory(std::string_view text);

// Text that the readers above take back: `0.5`, `8`; `512Gi`, `1Mi`.
[[nodiscard]] std::string format_count(Amount amount);
[[nodiscard]] std::string format_memory(Amount mib);

// Reads a plain decimal with at most `decimals` digits behind the point into units of 10^-decimals.
//   Errors  sign, exponent, letters, too fine, more than `max`.
[[nodiscard]] Result<std::int64_t> parse_decimal(std::string_view text, int decimals,
                                                 std::int64_t max);

// Text of a number in units of 10^-decimals, without trailing zeros.
[[nodiscard]] std::string format_decimal(std::int64_t value, int decimals);

}  // namespace stint::base
