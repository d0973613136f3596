#include "base/amount.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/int128.h"
#include "base/quote.h"

namespace stint::base {

namespace {

// The digits before and behind the point; `fraction` has no trailing zeros.
struct Digits {
  std::string_view whole;
  std::string_view fraction;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool starts_a_number(std::string_view text) {
  if (!text.empty() && text.front() == '.') text.remove_prefix(1);
  return !text.empty() && is_digit(text.front());
}

std::size_t count_digits(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
}

// What is wrong with a number that has `rest` behind its digits.
tl::unexpected<Error> wrong_tail(std::string_view text, std::string_view digits,
                                 std::string_view rest) {
  const char first = rest.front();
  const bool is_long_enough = rest.size() > 1;
  if (digits == "0" && (first == 'x' || first == 'X')) {
    return refuse(fmt::format("{} is hexadecimal (write decimal digits)", quote(text)));
  }
  if ((first == 'e' || first == 'E') && is_long_enough &&
      (is_digit(rest[1]) || rest[1] == '+' || rest[1] == '-')) {
    return refuse(fmt::format("{} has an exponent (write all digits)", quote(text)));
  }
  return refuse(
      fmt::format("{} is not a number: {} follows the digits (write a decimal such as 8 or 0.5)",
                  quote(text), quote(rest)));
}

// Takes a plain decimal apart; `text` is the whole input for the messages.
Result<Digits> read_digits(std::string_view number, std::string_view text) {
  if (text.empty())
    return refuse("a number is missing: the text is empty (write a decimal such as 8 or 0.5)");
  if (!number.empty() && starts_a_number(number.substr(1))) {
    if (number.front() == '-') {
      return refuse(fmt::format("{} is negative (0 is the least)", quote(text)));
    }
    if (number.front() == '+') {
      return refuse(fmt::format("{} carries a sign (leave the + out)", quote(text)));
    }
  }
  if (!starts_a_number(number)) {
    return refuse(
        fmt::format("{} is not a number (write a decimal such as 8 or 0.5)", quote(text)));
  }
  Digits digits{number.substr(0, count_digits(number)), {}};
  std::string_view rest = number.substr(digits.whole.size());
  if (!rest.empty() && rest.front() == '.') {
    digits.fraction = rest.substr(1, count_digits(rest.substr(1)));
    if (digits.whole.empty() || digits.fraction.empty()) {
      return refuse(fmt::format("{} lacks a digit beside its point (write 0.5 or 5)", quote(text)));
    }
    rest.remove_prefix(1 + digits.fraction.size());
  }
  if (!rest.empty()) return wrong_tail(text, number.substr(0, number.size() - rest.size()), rest);
  if (digits.whole.size() > 1 && digits.whole.front() == '0') {
    return refuse(fmt::format(
        "{} has leading zeros, which some readers take for octal (leave them out)", quote(text)));
  }
  while (!digits.fraction.empty() && digits.fraction.back() == '0')
    digits.fraction.remove_suffix(1);
  return digits;
}

// value * 10^k + digits, where everything above `limit` counts as limit + 1. Requires limit <
// 2^120.
u128 append_digits(u128 value, std::string_view digits, u128 limit) {
  for (const char c : digits) {
    value = std::min(value * 10 + static_cast<unsigned>(c - '0'), limit + 1);
  }
  return value;
}

std::string name_of_step(int decimals) {
  constexpr std::array<std::string_view, 4> kNames = {"a whole number", "a tenth", "a hundredth",
                                                      "a thousandth"};
  const auto index = static_cast<std::size_t>(decimals);
  if (index < kNames.size()) return std::string(kNames[index]);
  return decimals == 6 ? "a millionth" : fmt::format("10^-{}", decimals);
}

struct MemoryUnit {
  std::string_view name;
  int mib_bits;  // one of it is 2^mib_bits MiB
};
constexpr std::array<MemoryUnit, 4> kMemoryUnits = {
    {{"Pi", 30}, {"Ti", 20}, {"Gi", 10}, {"Mi", 0}}};

tl::unexpected<Error> unknown_memory_unit(std::string_view text, std::string_view unit) {
  constexpr std::string_view kPrefixes = "kmgtpKMGTP";
  // GB, GiB, G, gi: the unit that was probably meant, spelled our way.
  if (kPrefixes.find(unit.front()) != std::string_view::npos && unit.size() <= 3) {
    const char upper = static_cast<char>(unit.front() & ~0x20);
    return refuse(fmt::format("{} has the unit {} (memory is binary; write {}iB as {}i)",
                              quote(text), unit, upper, upper));
  }
  return refuse(fmt::format("{} has an unknown unit {} (units are Ki, Mi, Gi, Ti, Pi)", quote(text),
                            quote(unit)));
}

tl::unexpected<Error> too_much_memory(std::string_view text) {
  return refuse(
      fmt::format("{} is too large (at most {})", quote(text), format_memory(kAmountMax)));
}

tl::unexpected<Error> no_whole_mib(std::string_view text) {
  return refuse(fmt::format("{} is no whole number of MiB (write it in Mi)", quote(text)));
}

Result<Amount> memory_from_ki(std::string_view text, const Digits& digits) {
  constexpr u128 kLimit = static_cast<u128>(kAmountMax) << 10U;
  const u128 ki = append_digits(0, digits.whole, kLimit);
  if (ki > kLimit) return too_much_memory(text);
  if (!digits.fraction.empty() || ki % 1024 != 0) return no_whole_mib(text);
  return static_cast<Amount>(ki / 1024);
}

// f / 10^k of 2^b MiB, f ending in a digit other than 0, is whole iff 5^k divides f and k <= b:
// then f is odd (an even multiple of 5 ends in 0), so that all k factors 2 must come from the unit.
Result<Amount> memory_in_unit(std::string_view text, const Digits& digits, int mib_bits) {
  const auto bits = static_cast<unsigned>(mib_bits);
  const u128 limit = static_cast<u128>(kAmountMax) >> bits;
  const u128 whole = append_digits(0, digits.whole, limit);
  if (whole > limit) return too_much_memory(text);
  const std::size_t places = digits.fraction.size();
  if (places > bits) return no_whole_mib(text);
  u128 fives = 1;
  for (std::size_t i = 0; i < places; ++i) fives *= 5;
  const u128 fraction = append_digits(0, digits.fraction, static_cast<u128>(1) << 110U);
  if (fraction % fives != 0) return no_whole_mib(text);
  const u128 mib = (whole << bits) + (fraction / fives << (bits - places));
  if (mib > static_cast<u128>(kAmountMax)) return too_much_memory(text);
  return static_cast<Amount>(mib);
}

}  // namespace

Result<std::int64_t> parse_decimal(std::string_view text, int decimals, std::int64_t max) {
  STINT_ASSERT(decimals >= 0 && decimals <= 18 && max >= 0);
  STINT_TRY(const Digits digits, read_digits(text, text));
  const auto places = static_cast<std::size_t>(decimals);
  if (digits.fraction.size() > places) {
    return refuse(
        fmt::format("{} is finer than {} (the least step)", quote(text), name_of_step(decimals)));
  }
  const auto limit = static_cast<u128>(max);
  u128 value = append_digits(append_digits(0, digits.whole, limit), digits.fraction, limit);
  const std::string zeros(places - digits.fraction.size(), '0');
  value = append_digits(value, zeros, limit);
  if (value > limit) {
    return refuse(
        fmt::format("{} is too large (at most {})", quote(text), format_decimal(max, decimals)));
  }
  return static_cast<std::int64_t>(value);
}

Result<Amount> parse_count(std::string_view text) { return parse_decimal(text, 3, kAmountMax); }

Result<Amount> parse_memory(std::string_view text) {
  const auto tail = std::find_if_not(text.rbegin(), text.rend(), is_letter);
  const auto length = static_cast<std::size_t>(text.rend() - tail);
  const std::string_view number = text.substr(0, length);
  const std::string_view unit = text.substr(length);
  STINT_TRY(const Digits digits, read_digits(number, text));
  if (unit.empty()) {
    const std::string_view shown = number.size() <= 9 ? number : "8";
    return refuse(
        fmt::format("{0} lacks its unit (write {1}Mi, {1}Gi or {1}Ti)", quote(text), shown));
  }
  if (unit == "Ki") return memory_from_ki(text, digits);
  const auto row = std::ranges::find(kMemoryUnits, unit, &MemoryUnit::name);
  if (row == kMemoryUnits.end()) return unknown_memory_unit(text, unit);
  return memory_in_unit(text, digits, row->mib_bits);
}

std::string format_count(Amount amount) { return format_decimal(amount, 3); }

std::string format_memory(Amount mib) {
  if (mib == 0) return "0Mi";
  for (const MemoryUnit& unit : kMemoryUnits) {
    const Amount size = Amount{1} << unit.mib_bits;
    if (mib % size == 0) return fmt::format("{}{}", mib / size, unit.name);
  }
  return fmt::format("{}Mi", mib);
}

std::string format_decimal(std::int64_t value, int decimals) {
  STINT_ASSERT(decimals >= 0 && decimals <= 18);
  auto magnitude = static_cast<std::uint64_t>(value);
  if (value < 0) magnitude = 0 - magnitude;
  std::uint64_t scale = 1;
  for (int i = 0; i < decimals; ++i) scale *= 10;
  std::string text = fmt::format("{}{}", value < 0 ? "-" : "", magnitude / scale);
  if (magnitude % scale == 0) return text;
  text += fmt::format(".{:0{}}", magnitude % scale, decimals);
  while (text.back() == '0') text.pop_back();
  return text;
}

}  // namespace stint::base
