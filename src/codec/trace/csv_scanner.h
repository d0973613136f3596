// Records of a comma separated text after RFC 4180: quotes, doubled quotes, line ends inside
// quotes.
//
// Lines end with LF or CRLF; a byte order mark before the first record is skipped, and so are empty
// lines. Blanks belong to a field. Internal to codec/trace.
//
// Invariant  fields of a record live until the next call of next().
// Threads    one owner.
//
//   CsvScanner scanner(text);
//   while (scanner.next()) use(scanner.field(0), scanner.line());
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stint::codec {

struct CsvPlace {
  std::uint32_t line = 1;    // 1-based
  std::uint32_t column = 1;  // 1-based, in characters
};

class CsvScanner {
 public:
  explicit CsvScanner(std::string_view text);

  // Steps to the next record; false at the end of the text. A record with a fault is still stepped
  // over: up to the end of its line, or of the text if a quote is never closed.
  [[nodiscard]] bool next();

  [[nodiscard]] std::size_t size() const { return fields_.size(); }
  // Content of field `i` without its quotes.
  [[nodiscard]] std::string_view field(std::size_t i) const {
    const Field& field = fields_[i];
    const std::string_view source = field.is_unescaped ? std::string_view(unescaped_) : text_;
    return source.substr(field.begin, field.size);
  }
  // Where field `i` starts (its quote, if it has one); i = size() is the end of the record.
  [[nodiscard]] CsvPlace place(std::size_t i) const;
  // Line on which the record starts.
  [[nodiscard]] std::uint32_t line() const { return record_line_; }
  // What breaks RFC 4180 in this record (empty if nothing does), and in which field.
  [[nodiscard]] std::string_view fault() const { return fault_; }
  [[nodiscard]] std::size_t fault_field() const { return fields_.empty() ? 0 : fields_.size() - 1; }

 private:
  struct Field {
    std::size_t start = 0;  // in text_, with quote
    std::size_t begin = 0;  // of the content, in text_ or unescaped_
    std::size_t size = 0;
    bool is_unescaped = false;
  };
  void scan_plain_field();
  void scan_quoted_field();
  void skip_line();
  [[nodiscard]] bool at_line_end() const;
  void step_over_line_end();

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::size_t record_begin_ = 0;
  std::uint32_t record_line_ = 1;
  std::vector<Field> fields_;
  std::string unescaped_;
  std::string_view fault_;
};

}  // namespace stint::codec
