#include "sim/report/table.h"

#include <algorithm>

#include "base/assert.h"

namespace stint::sim {

std::size_t text_width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

TextTable::TextTable(std::vector<std::string> columns) {
  for (std::string& column : columns) {
    left_.push_back(column.starts_with('<'));
    columns_.push_back(left_.back() ? column.substr(1) : std::move(column));
  }
}

void TextTable::add(std::vector<std::string> cells) {
  STINT_ASSERT(cells.size() == columns_.size());
  rows_.push_back(std::move(cells));
}

void TextTable::rule() { rows_.emplace_back(); }

std::string TextTable::text() const {
  std::vector<std::size_t> widths;
  for (const std::string& column : columns_) widths.push_back(text_width(column));
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c)
      widths[c] = std::max(widths[c], text_width(row[c]));
  }
  std::string out;
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string text;
    for (std::size_t c = 0; c < widths.size(); ++c) {
      const std::string pad(widths[c] - text_width(cells[c]), ' ');
      if (c > 0) text += "  ";
      if (left_[c]) {
        text += cells[c];
        text += pad;
      } else {
        text += pad;
        text += cells[c];
      }
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out += text;
    out += '\n';
  };
  line(columns_);
  std::size_t total = 0;
  for (const std::size_t width : widths) total += width;
  const std::string dashes(total + 2 * (widths.size() - 1), '-');
  for (const auto& row : rows_) {
    if (row.empty()) {
      out += dashes;
      out += '\n';
    } else {
      line(row);
    }
  }
  return out;
}

}  // namespace stint::sim
