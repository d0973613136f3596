// Cells of a table to numbers. Internal to codec/trace.
//
// Threads  free of state.
#pragma once

#include <cstdint>
#include <string_view>

namespace stint::codec {

// What keeps a cell from being the number that its column wants; empty text = nothing does.
struct CellNumber {
  std::int64_t value = 0;
  std::string_view fault;
};

struct CellRange {
  int decimals = 0;
  std::int64_t low = 0;  // in units of 10^-decimals, as `high`
  std::int64_t high = 0;
  bool cut = false;
};

// Reads a plain decimal (`90`, `0.5`, `-3`) into units of 10^-decimals.
//   Errors  `fault` is a phrase such as "is no number"; finer digits than `decimals` that are not 0
//           are a fault unless `cut` says that they are dropped.
[[nodiscard]] CellNumber parse_cell(std::string_view text, const CellRange& range);

}  // namespace stint::codec
