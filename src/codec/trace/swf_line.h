// One line of an SWF file to numbers. Internal to codec/trace.
//
// Threads  free of shared state.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace stint::codec {

inline constexpr std::size_t kSwfFields = 18;

// The 18 fields by their number in the standard: swf.at(SwfField::Run) is field 4.
enum class SwfField : std::size_t {
  Job = 1,
  Submit = 2,
  Run = 4,
  Processors = 5,
  ProcessorsAsked = 8,
  TimeAsked = 9,
  User = 12,
  Group = 13,
};

// Whole numbers of more digits than this are cut to kSwfHuge, which every range check refuses.
inline constexpr std::int64_t kSwfHuge = 1'000'000'000'000'000;

// Deliberately without initial values: 18 of them are filled per line, in the innermost loop.
struct SwfNumber {
  std::int64_t whole;  // cut towards zero
  std::int32_t milli;  // the next three digits, with the sign of the number
  bool is_negative;
};

struct SwfLine {
  std::array<SwfNumber, kSwfFields> fields;  // only the first `columns` are set
  std::size_t columns = 0;                   // all of them, also those behind the 18
  // Set if a field is no number: which (1-based), where it starts and how long it is.
  std::size_t bad_field = 0;
  std::size_t bad_at = 0;
  std::size_t bad_size = 0;
  std::string_view bad_reason;

  // Requires that the line has the field.
  [[nodiscard]] const SwfNumber& at(SwfField field) const {
    return fields[static_cast<std::size_t>(field) - 1];
  }
};

// Reads one line without its end. Stops at the first field that is no number.
[[nodiscard]] SwfLine parse_swf_line(std::string_view line);

}  // namespace stint::codec
