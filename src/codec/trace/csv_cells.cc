#include "codec/trace/csv_cells.h"

namespace stint::codec {

namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
// Above every bound that a column has, and far from overflow.
constexpr std::int64_t kHuge = 1'000'000'000'000'000'000 / 10;

constexpr std::int64_t append_digit(std::int64_t value, char c) {
  return value >= kHuge ? kHuge : value * 10 + (c - '0');
}

CellNumber in_range(std::int64_t value, const CellRange& range) {
  if (value < range.low) {
    if (range.low == 0) return {value, "is negative"};
    return {value, range.low > 0 ? "is not above 0" : "is below the smallest value"};
  }
  if (value > range.high) return {value, "is above the largest value"};
  return {value, {}};
}

}  // namespace

CellNumber parse_cell(std::string_view text, const CellRange& range) {
  if (text.empty()) return {0, "is empty"};
  std::size_t at = 0;
  const bool is_negative = text[0] == '-';
  if (is_negative) ++at;
  std::size_t digits = 0;
  std::int64_t value = 0;
  for (; at < text.size() && is_digit(text[at]); ++at, ++digits)
    value = append_digit(value, text[at]);
  int room = range.decimals;
  bool is_too_fine = false;
  if (at < text.size() && text[at] == '.') {
    for (++at; at < text.size() && is_digit(text[at]); ++at, ++digits) {
      if (room > 0) {
        value = append_digit(value, text[at]);
        --room;
      } else {
        is_too_fine = is_too_fine || (text[at] != '0' && !range.cut);
      }
    }
  }
  if (digits == 0 || at != text.size()) return {0, "is no number"};
  if (is_too_fine) {
    return {0, range.decimals == 0 ? "is no whole number" : "has more than three decimals"};
  }
  for (; room > 0; --room) value = append_digit(value, '0');
  return in_range(is_negative ? -value : value, range);
}

}  // namespace stint::codec
