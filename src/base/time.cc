#include "base/time.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

#include <fmt/format.h>

#include "base/quote.h"

namespace stint::base {

namespace {

struct Unit {
  std::string_view name;
  Millis length;
};

// Largest first: a sum runs through this table from top to bottom.
constexpr std::array<Unit, 5> kUnits = {
    {{"d", kDay}, {"h", kHour}, {"m", kMinute}, {"s", kSecond}, {"ms", 1}}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Takes the longest prefix whose characters all satisfy the predicate off `rest`.
template <class Predicate>
std::string_view take_while(std::string_view& rest, Predicate predicate) {
  const auto end = std::find_if_not(rest.begin(), rest.end(), predicate);
  const std::string_view taken = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
  rest.remove_prefix(taken.size());
  return taken;
}

tl::unexpected<Error> no_duration(std::string_view text, std::string_view why) {
  return refuse(fmt::format("{} is no duration: {}", quote(text), why));
}

tl::unexpected<Error> missing_unit(std::string_view text, std::string_view number) {
  // A number that is too long to repeat four times stands for itself in the quoted text only.
  const std::string_view shown = number.size() <= 9 ? number : "7";
  return no_duration(text, fmt::format("it lacks a unit (write {0}d, {0}h, {0}m or {0}s)", shown));
}

// Mistakes that can be named before the text is taken apart.
std::optional<tl::unexpected<Error>> wrong_at_a_glance(std::string_view text) {
  if (text.empty()) return refuse("a duration is missing (write 7d, 7h, 7m or 7s)");
  if (text.find(':') != std::string_view::npos) {
    return no_duration(text, "clock notation may mean hours or minutes (write 10h, 10m or 1h30m)");
  }
  if (text.front() == '-') return no_duration(text, "it is negative (0s is the least)");
  if (text.front() == '+') return no_duration(text, "it carries a sign (leave the + out)");
  return std::nullopt;
}

// The whole number in front of a unit; everything above kSpanMax counts as kSpanMax + 1.
Millis read_number(std::string_view digits) {
  Millis value = 0;
  for (const char c : digits) value = std::min(value * 10 + (c - '0'), kSpanMax + 1);
  return value;
}

tl::unexpected<Error> unknown_unit(std::string_view text, std::string_view unit) {
  return no_duration(text, fmt::format("unknown unit {} (units are d, h, m, s, ms)", quote(unit)));
}

tl::unexpected<Error> too_long(std::string_view text) {
  return refuse(fmt::format("{} is too long (at most {}, about 139 years)", quote(text),
                            format_duration(kSpanMax)));
}

// One `30m` of a sum. `next` is the first row of kUnits that may still be used.
Result<Millis> read_term(std::string_view text, std::string_view& rest, std::size_t& next) {
  const std::string_view number = take_while(rest, is_digit);
  if (number.empty()) {
    return no_duration(text, "a whole number and its unit are expected, as in 30s or 1h30m");
  }
  if (!rest.empty() && rest.front() == '.') {
    return no_duration(text, "its numbers must be whole (write 1h30m, not 1.5h)");
  }
  const std::string_view unit = take_while(rest, is_letter);
  if (unit.empty()) return missing_unit(text, number);
  const auto row = std::ranges::find(kUnits, unit, &Unit::name);
  if (row == kUnits.end()) return unknown_unit(text, unit);
  const auto index = static_cast<std::size_t>(row - kUnits.begin());
  if (index < next) {
    return no_duration(text, "each unit stands once, largest first (write 1h30m, not 30m1h)");
  }
  next = index + 1;
  const Millis value = read_number(number);
  if (value > kSpanMax / row->length) return too_long(text);
  return value * row->length;
}

}  // namespace

Result<Millis> parse_duration(std::string_view text) {
  if (auto wrong = wrong_at_a_glance(text)) return *std::move(wrong);
  Millis total = 0;
  std::size_t next = 0;
  std::string_view rest = text;
  while (!rest.empty()) {
    STINT_TRY(const Millis term, read_term(text, rest, next));
    total += term;  // at most five terms of at most kSpanMax
  }
  if (total > kSpanMax) return too_long(text);
  return total;
}

std::string format_duration(Millis span) {
  if (span == kNever) return "never";
  if (span == 0) return "0s";
  std::string text = span < 0 ? "-" : "";
  auto rest = static_cast<std::uint64_t>(span);
  if (span < 0) rest = 0 - rest;
  for (const Unit& unit : kUnits) {
    const auto length = static_cast<std::uint64_t>(unit.length);
    if (rest >= length) text += fmt::format("{}{}", rest / length, unit.name);
    rest %= length;
  }
  return text;
}

}  // namespace stint::base
