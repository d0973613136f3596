// Time: signed 64-bit milliseconds, both for points (since the start of the world) and spans.
//
// Written as `30s 10m 2h 7d` and sums such as `1h30m`; a bare number or `10:00:00` is refused.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "base/result.h"

namespace stint::base {

using Millis = std::int64_t;

inline constexpr Millis kSecond = 1000;
inline constexpr Millis kMinute = 60 * kSecond;
inline constexpr Millis kHour = 60 * kMinute;
inline constexpr Millis kDay = 24 * kHour;
// Later than every event; also "no limit" and "works forever".
inline constexpr Millis kNever = std::numeric_limits<Millis>::max();
// Longest span that is accepted as input (about 139 years), so that sums of a few stay far below
// kNever.
inline constexpr Millis kSpanMax = Millis{1} << 42;

// Reads `90m`, `1h30m`, `250ms`, `0s`. Units d h m s ms, each at most once, largest first.
//   Errors  a bare number, clock notation, a sign, an unknown unit, more than kSpanMax.
[[nodiscard]] Result<Millis> parse_duration(std::string_view text);

// The shortest form that parse_duration reads back: `1h30m`, `0s`; kNever is `never`.
[[nodiscard]] std::string format_duration(Millis span);

// t + span, saturating at kNever (the rule for "forever" and "no limit").
[[nodiscard]] constexpr Millis later(Millis t, Millis span) {
  return (t == kNever || span == kNever || span > kNever - t) ? kNever : t + span;
}

}  // namespace stint::base
