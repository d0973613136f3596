#include "codec/yaml/scan.h"

#include <algorithm>

#include <fmt/format.h>

namespace stint::codec {

namespace {

constexpr std::string_view kBom = "\xef\xbb\xbf";

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

// Length of the UTF-8 character at the front, 0 if it is none (too short, overlong, a surrogate,
// above U+10FFFF).  Source: RFC 3629 section 4.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(text[i])) return 0;
  }
  if (lead == 0xe0 && byte(1) < 0xa0) return 0;
  if (lead == 0xed && byte(1) > 0x9f) return 0;
  if (lead == 0xf0 && byte(1) < 0x90) return 0;
  if (lead == 0xf4 && byte(1) > 0x8f) return 0;
  return length;
}

// Walks once over the text; knows just enough YAML to tell comments and quoted texts from the rest.
class Scanner {
 public:
  Scanner(std::string_view text, std::uint32_t file, Complaints& complaints)
      : text_(text), file_(file), complaints_(complaints) {}

  bool run() {
    while (at_ < text_.size()) step();
    return clean_;
  }

 private:
  enum class Inside { Plain, Comment, Single, Double };

  void report(std::string message) {
    clean_ = false;
    complaints_.error({file_, line_, column_}, std::move(message));
  }

  void step() {
    const std::size_t length = utf8_length(text_.substr(at_));
    if (length == 0) {
      report(fmt::format("the byte 0x{:02x} is no UTF-8 (save the file as UTF-8)",
                         static_cast<unsigned char>(text_[at_])));
      advance(1);
      while (at_ < text_.size() && is_continuation(text_[at_]))
        ++at_;  // of the same broken character
      return;
    }
    const char c = text_[at_];
    if (length == 1) check_control(c);
    if (text_.substr(at_, length) == kBom) report("an invisible character U+FEFF stands here");
    if (c == '\n') {
      new_line();
      return;
    }
    if (is_escaped_quote()) {
      advance(1);
      advance(1);
      return;
    }
    follow(c);
    advance(length);
  }

  // `\"` and `\\` in double quotes, `''` in single ones.
  [[nodiscard]] bool is_escaped_quote() const {
    if (at_ + 1 >= text_.size()) return false;
    const char c = text_[at_];
    const char next = text_[at_ + 1];
    if (inside_ == Inside::Single) return c == '\'' && next == '\'';
    return inside_ == Inside::Double && c == '\\' && (next == '"' || next == '\\');
  }

  void check_control(char c) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\t') {
      if (inside_ == Inside::Plain) report("a tab stands here (indent and separate with blanks)");
      return;
    }
    if (c == '\n') return;
    if (c == '\r') {
      if (at_ + 1 >= text_.size() || text_[at_ + 1] != '\n') {
        report("a carriage return stands here without its line feed");
      }
      return;
    }
    if (byte < 0x20 || byte == 0x7f)
      report(fmt::format("a control character 0x{:02x} stands here", byte));
  }

  void new_line() {
    ++at_;
    ++line_;
    column_ = 1;
    if (inside_ == Inside::Comment) inside_ = Inside::Plain;
    token_start_ = true;
    after_blank_ = true;
  }

  void advance(std::size_t bytes) {
    at_ += bytes;
    ++column_;
  }

  // A quote opens a text only where a token may start; inside a word it is a letter like any other.
  void follow(char c) {
    const bool blank = c == ' ' || c == '\t' || c == '\r';
    switch (inside_) {
      case Inside::Comment:
        return;
      case Inside::Single:
        if (c == '\'') inside_ = Inside::Plain;
        break;
      case Inside::Double:
        if (c == '"') inside_ = Inside::Plain;
        break;
      case Inside::Plain:
        if (c == '#' && after_blank_) inside_ = Inside::Comment;
        if (c == '\'' && token_start_) inside_ = Inside::Single;
        if (c == '"' && token_start_) inside_ = Inside::Double;
        if (!blank) token_start_ = c == '[' || c == '{' || c == ',';
        if (blank && (previous_ == ':' || previous_ == '-' || previous_ == '?'))
          token_start_ = true;
        break;
    }
    after_blank_ = blank;
    previous_ = c;
  }

  std::string_view text_;
  std::uint32_t file_;
  Complaints& complaints_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t column_ = 1;
  Inside inside_ = Inside::Plain;
  bool token_start_ = true;
  bool after_blank_ = true;
  char previous_ = '\n';
  bool clean_ = true;
};

}  // namespace

std::string_view without_bom(std::string_view text) {
  return text.starts_with(kBom) ? text.substr(kBom.size()) : text;
}

bool scan_text(std::string_view text, std::uint32_t file, Complaints& complaints) {
  if (text.size() > kFileBytesMax) {
    complaints.error({file, 1, 1}, fmt::format("the file has {} bytes, at most {} are read",
                                               text.size(), kFileBytesMax));
    return false;
  }
  return Scanner(text, file, complaints).run();
}

LineIndex::LineIndex(std::string_view text) : text_(text), starts_{0} {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') starts_.push_back(i + 1);
  }
}

std::size_t LineIndex::offset(int line, int column) const {
  if (line < 0 || column < 0) return 0;
  const auto row = static_cast<std::size_t>(line);
  if (row >= starts_.size()) return text_.size();
  return std::min(starts_[row] + static_cast<std::size_t>(column), text_.size());
}

std::string_view LineIndex::line_text(int line) const {
  const std::size_t start = offset(line, 0);
  return text_.substr(start, text_.find('\n', start) - start);
}

Mark LineIndex::mark(std::uint32_t file, int line, int column) {
  const std::size_t row = std::min(static_cast<std::size_t>(std::max(line, 0)), starts_.size() - 1);
  const std::size_t target = offset(static_cast<int>(row), column);
  if (row != last_line_ || target < last_offset_) {
    last_line_ = row;
    last_offset_ = starts_[row];
    last_column_ = 0;
  }
  for (; last_offset_ < target; ++last_offset_) {
    if (!is_continuation(text_[last_offset_])) ++last_column_;
  }
  return {file, static_cast<std::uint32_t>(row + 1), last_column_ + 1};
}

}  // namespace stint::codec
