#include "base/hostlist.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/quote.h"

namespace stint::base {

namespace {

// Longer numbers are refused, so that a value fits 64 bits.
constexpr std::size_t kDigitsMax = 18;

struct Range {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  std::size_t width = 0;  // zero-padded to this many digits

  [[nodiscard]] std::uint64_t size() const { return high - low + 1; }
};

// A stretch of a name: fixed text, or a number out of the ranges of one bracket.
struct Part {
  std::string_view text;
  std::vector<Range> ranges;
};

using Item = std::vector<Part>;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Blanks, control characters, and what means something in globs and in other dialects of host
// lists.
bool may_stand_in_a_name(char c) {
  constexpr std::string_view kForbidden = "\"'*?{}()";
  const auto byte = static_cast<unsigned char>(c);
  return byte > 0x20 && byte != 0x7f && kForbidden.find(c) == std::string_view::npos;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text), rest_(text) {}

  Result<std::vector<std::string>> read() {
    if (text_.empty()) return bad("it is empty (write a name such as n1 or n[1-4])");
    // All of the text is read and counted before the first name is made: refusing is cheap.
    std::vector<Item> items;
    std::size_t size = 0;
    while (true) {
      STINT_TRY(Item item, read_item());
      STINT_TRY(const std::size_t names_of_item, size_of(item));
      size += names_of_item;
      if (size > kHostListMax) return too_many();
      items.push_back(std::move(item));
      if (rest_.empty()) break;
      rest_.remove_prefix(1);  // the comma
    }
    std::vector<std::string> names;
    names.reserve(size);
    for (const Item& item : items) expand(item, names);
    if (const auto twice = a_repeated_name(names)) {
      return bad(fmt::format("the name {} stands twice", quote(*twice)));
    }
    return names;
  }

 private:
  [[nodiscard]] tl::unexpected<Error> bad(std::string_view why) const {
    return refuse(fmt::format("bad host list {}: {}", quote(text_), why));
  }
  [[nodiscard]] tl::unexpected<Error> too_many() const {
    return bad(fmt::format("it expands to more than {} names", kHostListMax));
  }

  // One name with its brackets, up to the next comma outside of them.
  Result<Item> read_item() {
    Item item;
    while (!rest_.empty() && rest_.front() != ',') {
      if (rest_.front() == '[') {
        STINT_TRY(Part part, read_bracket());
        item.push_back(std::move(part));
      } else {
        STINT_TRY(Part part, read_text());
        item.push_back(std::move(part));
      }
    }
    if (item.empty()) return bad("a name is missing beside a comma");
    return item;
  }

  Result<Part> read_text() {
    const std::string_view taken = rest_.substr(0, rest_.find_first_of("[],"));
    if (taken.empty()) return bad("a ] has no [ before it");
    for (const char c : taken) {
      if (!may_stand_in_a_name(c)) {
        return bad(fmt::format("{} may not stand in a name", quote({&c, 1})));
      }
    }
    rest_.remove_prefix(taken.size());
    return Part{taken, {}};
  }

  Result<Part> read_bracket() {
    const std::size_t end = rest_.find(']');
    if (end == std::string_view::npos) return bad("a [ is never closed");
    std::string_view inside = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    if (inside.empty()) return bad("the bracket [] is empty (write a range such as [1-4])");
    Part part;
    while (true) {
      const std::size_t comma = inside.find(',');
      STINT_TRY(const Range range, read_range(inside.substr(0, comma)));
      part.ranges.push_back(range);
      if (comma == std::string_view::npos) return part;
      inside.remove_prefix(comma + 1);
    }
  }

  // `7`, `3-5` or `001-064`.
  [[nodiscard]] Result<Range> read_range(std::string_view range) const {
    const std::size_t dash = range.find('-');
    const std::string_view low = range.substr(0, dash);
    const std::string_view high = dash == std::string_view::npos ? low : range.substr(dash + 1);
    for (const std::string_view number : {low, high}) {
      if (number.empty() || !std::ranges::all_of(number, is_digit)) {
        return bad(fmt::format("{} is no range of numbers (write 3 or 1-4)", quote(range)));
      }
      if (number.size() > kDigitsMax) {
        return bad(fmt::format("{} has more than {} digits", quote(number), kDigitsMax));
      }
    }
    const Range result{value_of(low), value_of(high), is_padded(low) ? low.size() : 0};
    if (result.low > result.high) return bad(fmt::format("the range {} runs backwards", range));
    if ((is_padded(low) || is_padded(high)) && low.size() != high.size()) {
      return bad(fmt::format("the range {} pads its ends to unequal widths (write {:0{}}-{})",
                             range, result.low, high.size(), high));
    }
    return result;
  }

  static bool is_padded(std::string_view number) { return number.size() > 1 && number[0] == '0'; }
  static std::uint64_t value_of(std::string_view digits) {
    std::uint64_t value = 0;
    for (const char c : digits) value = value * 10 + static_cast<std::uint64_t>(c - '0');
    return value;
  }

  // Names that the item stands for; checked before any of them is made.
  [[nodiscard]] Result<std::size_t> size_of(const Item& item) const {
    std::size_t names = 1;
    std::size_t longest = 0;
    for (const Part& part : item) {
      longest += part.text.size();
      if (part.ranges.empty()) continue;
      std::size_t numbers = 0;
      std::size_t digits = 0;
      for (const Range& range : part.ranges) {
        if (range.size() > kHostListMax - numbers) return too_many();
        numbers += range.size();
        digits = std::max(digits, fmt::formatted_size("{:0{}}", range.high, range.width));
      }
      longest += digits;
      if (numbers > kHostListMax / names) return too_many();
      names *= numbers;
    }
    if (longest > kHostNameMax) return bad(fmt::format("a name is longer than {}", kHostNameMax));
    return names;
  }

  // Appends `number`, padded with zeros.
  static void append_number(std::string& name, std::uint64_t number, std::size_t width) {
    std::array<char, 20> digits{};
    const char* end = std::to_chars(digits.begin(), digits.end(), number).ptr;
    const auto length = static_cast<std::size_t>(end - digits.data());
    if (length < width) name.append(width - length, '0');
    name.append(digits.data(), length);
  }

  static void expand(const Item& item, std::vector<std::string>& names) {
    std::vector<std::string> heads = {""};
    for (const Part& part : item) {
      std::vector<std::string> longer;
      for (std::string& head : heads) {
        head += part.text;
        for (const Range& range : part.ranges) {
          for (std::uint64_t n = range.low; n <= range.high; ++n) {
            append_number(longer.emplace_back(head), n, range.width);
          }
        }
      }
      if (!part.ranges.empty()) heads = std::move(longer);
    }
    std::ranges::move(heads, std::back_inserter(names));
  }

  static std::optional<std::string> a_repeated_name(const std::vector<std::string>& names) {
    // By length first: most lists stand in this order already, and large ones need no sort.
    const auto before = [](std::string_view a, std::string_view b) {
      return a.size() != b.size() ? a.size() < b.size() : a < b;
    };
    std::vector<std::string_view> sorted(names.begin(), names.end());
    if (!std::ranges::is_sorted(sorted, before)) std::ranges::sort(sorted, before);
    const auto twice = std::ranges::adjacent_find(sorted);
    if (twice == sorted.end()) return std::nullopt;
    return std::string(*twice);
  }

  std::string_view text_;
  std::string_view rest_;
};

}  // namespace

Result<std::vector<std::string>> expand_host_list(std::string_view text) {
  return Reader(text).read();
}

}  // namespace stint::base
