#include "codec/trace/civil.h"

#include <array>

namespace stint::codec {

namespace {

constexpr std::int64_t kDaysOfEra = 146'097;    // 400 years
constexpr std::int64_t kDaysToEpoch = 719'468;  // 0000-03-01 to 1970-01-01
constexpr std::int64_t kSecondsOfDay = 86'400;

constexpr bool is_leap(std::int64_t year) {
  return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

constexpr unsigned days_of_month(std::int64_t year, unsigned month) {
  constexpr std::array<unsigned, 12> kDays{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return kDays[month - 1] + (month == 2 && is_leap(year) ? 1U : 0U);
}

// The digits of text[at, at + count) as a number, nothing if one is no digit.
std::optional<unsigned> digits(std::string_view text, std::size_t at, std::size_t count) {
  unsigned value = 0;
  for (const char c : text.substr(at, count)) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + static_cast<unsigned>(c - '0');
  }
  return value;
}

}  // namespace

std::int64_t days_from_civil(std::int64_t year, unsigned month, unsigned day) {
  const std::int64_t y = month <= 2 ? year - 1 : year;
  const std::int64_t era = (y >= 0 ? y : y - 399) / 400;
  const std::int64_t year_of_era = y - era * 400;
  const unsigned month_from_march = month > 2 ? month - 3 : month + 9;
  // The months from March on have 31 30 31 30 31 | 31 30 31 30 31 | 31 days: 153 per five.
  const unsigned day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
  const std::int64_t day_of_era =
      year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * kDaysOfEra + day_of_era - kDaysToEpoch;
}

std::optional<std::int64_t> parse_timestamp(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00 00:00:00";
  if (text.size() != kForm.size() || text[4] != '-' || text[7] != '-' || text[13] != ':' ||
      text[16] != ':' || (text[10] != ' ' && text[10] != 'T')) {
    return std::nullopt;
  }
  const auto year = digits(text, 0, 4);
  const auto month = digits(text, 5, 2);
  const auto day = digits(text, 8, 2);
  const auto hour = digits(text, 11, 2);
  const auto minute = digits(text, 14, 2);
  const auto second = digits(text, 17, 2);
  if (!year || !month || !day || !hour || !minute || !second) return std::nullopt;
  if (*month < 1 || *month > 12 || *day < 1 || *day > days_of_month(*year, *month)) {
    return std::nullopt;
  }
  if (*hour > 23 || *minute > 59 || *second > 59) return std::nullopt;
  return days_from_civil(*year, *month, *day) * kSecondsOfDay + std::int64_t{*hour} * 3600 +
         std::int64_t{*minute} * 60 + *second;
}

}  // namespace stint::codec
