// Calendar dates to seconds since 1970-01-01 00:00:00 UTC, without any time zone data.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace stint::codec {

// Days from 1970-01-01 to a date of the proleptic Gregorian calendar.
//   Source  the era of 400 years has 146,097 days; years are taken to start in March, so that the
//           leap day is the last.
[[nodiscard]] std::int64_t days_from_civil(std::int64_t year, unsigned month, unsigned day);

// Reads `YYYY-MM-DD HH:MM:SS` (also with a `T`), taken as UTC, into seconds since the epoch.
//   Errors  nothing: any other form, a date that does not exist, an hour above 23 and so on.
[[nodiscard]] std::optional<std::int64_t> parse_timestamp(std::string_view text);

}  // namespace stint::codec
