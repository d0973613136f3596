#include "codec/trace/swf_line.h"

namespace stint::codec {

namespace {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Times, averages and memory may have a fraction; counts and ids (1, 5, 8, 11 to 17) may not.
constexpr bool may_have_fraction(std::size_t field) {
  return field == 2 || field == 3 || field == 4 || field == 6 || field == 7 || field == 9 ||
         field == 10 || field == 18;
}

// Up to three digits become thousandths, further ones are cut.
const char* scan_fraction(const char* at, const char* end, std::int32_t& milli) {
  std::int32_t unit = 100;
  for (; at != end && is_digit(*at); ++at) {
    milli += (*at - '0') * unit;
    unit /= 10;
  }
  return at;
}

// Reads a number at `at`; answers where it ends, or nullptr if there is none.
const char* scan_number(const char* at, const char* end, SwfNumber& number, bool& has_point) {
  const bool is_negative = *at == '-';
  if (*at == '-' || *at == '+') ++at;
  const char* const digits = at;
  std::int64_t whole = 0;
  for (; at != end && is_digit(*at); ++at) {
    if (whole < kSwfHuge) whole = whole * 10 + (*at - '0');
  }
  if (whole > kSwfHuge) whole = kSwfHuge;
  std::ptrdiff_t digit_count = at - digits;
  std::int32_t milli = 0;
  has_point = at != end && *at == '.';
  if (has_point) {
    const char* const point = at;
    at = scan_fraction(at + 1, end, milli);
    digit_count += at - point - 1;
  }
  number = {is_negative ? -whole : whole, is_negative ? -milli : milli, is_negative};
  return digit_count == 0 ? nullptr : at;
}

}  // namespace

SwfLine parse_swf_line(std::string_view line) {
  SwfLine row;
  const char* const begin = line.data();
  const char* const end = begin + line.size();
  const char* at = begin;
  while (true) {
    while (at != end && is_blank(*at)) ++at;
    if (at == end) return row;
    const char* const start = at;
    const std::size_t field = ++row.columns;
    if (field <= kSwfFields) {
      bool has_point = false;
      const char* const stop = scan_number(at, end, row.fields[field - 1], has_point);
      const bool is_number = stop != nullptr && (stop == end || is_blank(*stop));
      if (is_number && (!has_point || may_have_fraction(field))) {
        at = stop;
        continue;
      }
      row.bad_field = field;
      row.bad_reason = is_number ? "must be a whole number" : "is no number";
    }
    while (at != end && !is_blank(*at)) ++at;
    if (row.bad_field != 0) {
      row.bad_at = static_cast<std::size_t>(start - begin);
      row.bad_size = static_cast<std::size_t>(at - start);
      return row;
    }
  }
}

}  // namespace stint::codec
