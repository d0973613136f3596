// What is wrong with a text before it is YAML: tabs, NUL and other control characters, bad UTF-8,
// size.
//
// The library would let tabs pass inside {} and [], takes the byte 0x04 for the end of the file,
// and guesses UTF-16 from NULs; none of these reaches it (DEPENDENCIES §3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "codec/yaml/complaints.h"
#include "codec/yaml/node.h"

namespace stint::codec {

inline constexpr std::size_t kFileBytesMax = std::size_t{16} << 20U;

// The text without a byte order mark.
[[nodiscard]] std::string_view without_bom(std::string_view text);

// Reports every tab outside of comments and quoted texts, every control character and every byte
// that is no UTF-8, each at its place.
//   Shape   false if anything was reported: the text must then not be parsed.
[[nodiscard]] bool scan_text(std::string_view text, std::uint32_t file, Complaints& complaints);

// Turns byte positions into lines and code point columns, both from 1. Asking in rising order is
// cheap, also on a line of many megabytes.
class LineIndex {
 public:
  explicit LineIndex(std::string_view text);

  // `line` and `column` as the library counts them: from 0, columns in bytes. Positions behind the
  // end are taken for the end.
  [[nodiscard]] Mark mark(std::uint32_t file, int line, int column);
  // The byte offset of that position.
  [[nodiscard]] std::size_t offset(int line, int column) const;
  [[nodiscard]] std::string_view line_text(int line) const;

 private:
  std::string_view text_;
  std::vector<std::size_t> starts_;
  std::size_t last_offset_ = 0;  // of the last answer, on line last_line_
  std::size_t last_line_ = 0;
  std::uint32_t last_column_ = 0;
};

}  // namespace stint::codec
