#include "base/quote.h"

#include <fmt/format.h>

namespace stint::base {

namespace {
bool is_control(unsigned char byte) { return byte < 0x20 || byte == 0x7f; }
bool continues_a_character(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }
}  // namespace

std::string quote(std::string_view text) {
  std::string_view shown = text.substr(0, kQuoteMax);
  if (shown.size() < text.size()) {
    while (!shown.empty() && continues_a_character(text[shown.size()])) shown.remove_suffix(1);
  }
  std::string result = "\"";
  for (const char c : shown) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_control(byte)) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += c;
    }
  }
  result += shown.size() < text.size() ? "...\"" : "\"";
  return result;
}

}  // namespace stint::base
