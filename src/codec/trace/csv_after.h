// The `after` column: noted while rows are read, resolved when all ids are known. Internal to
// codec/trace.
//
// Threads  one owner.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codec/trace/csv_scanner.h"
#include "codec/trace/trace_builder.h"

namespace stint::codec {

// The entries of a list cell, separated by `;`, `,` or blanks; empty ones are left out.
[[nodiscard]] std::vector<std::string_view> split_list(std::string_view cell);

class CsvAfter {
 public:
  explicit CsvAfter(TraceErrors& errors) : errors_(errors) {}

  // Keeps the cell of row number `row`; rows come in order.
  void note(std::uint32_t row, std::string_view cell, CsvPlace place);

  // Fills trace.after.
  //   Errors  an id that no row has, the job itself, an id twice; a circle, at the first job on it.
  void resolve(Trace& trace, NameTable& names);

 private:
  struct Cell {
    std::uint32_t row = 0;
    std::string text;
    CsvPlace place;
  };
  void resolve_cell(const Cell& cell, Trace& trace, NameTable& names);
  void refuse_circles(const Trace& trace);
  void report_circle(const Trace& trace, const std::vector<std::uint32_t>& circle);

  TraceErrors& errors_;
  std::vector<Cell> cells_;
};

}  // namespace stint::codec
