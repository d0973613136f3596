// Plain-text tables: columns aligned, numbers to the right, nothing wrapped.
#pragma once

#include <string>
#include <vector>

namespace stint::sim {

class TextTable {
 public:
  // `columns`: headings; a heading that starts with `<` aligns its column to the left.
  explicit TextTable(std::vector<std::string> columns);

  // Requires as many cells as columns.
  void add(std::vector<std::string> cells);
  // A line of dashes.
  void rule();

  [[nodiscard]] std::string text() const;

 private:
  std::vector<std::string> columns_;
  std::vector<bool> left_;
  std::vector<std::vector<std::string>> rows_;  // an empty row is a rule
};

// Number of characters (code points) of UTF-8 text: what it takes on a terminal, near enough.
[[nodiscard]] std::size_t text_width(const std::string& text);

}  // namespace stint::sim
