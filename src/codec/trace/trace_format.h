// One door for all trace formats: which one a text is in, and a reader that takes any of them.
//
//   STINT_TRY(const std::string text, unpack(std::move(bytes)));
//   const TraceResult trace = read_trace(text, "week.csv.gz", {.limits = LimitMode::None});
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "codec/trace/philly.h"
#include "codec/trace/swf.h"
#include "codec/trace/trace.h"

namespace stint::codec {

enum class TraceFormat { Csv, Swf, Philly };

// `csv`, `swf` or `philly`, as `--format` takes them.
[[nodiscard]] std::string_view name_of(TraceFormat format);
[[nodiscard]] std::optional<TraceFormat> format_of(std::string_view name);

// By content alone: SWF starts with a `;` comment or a row of numbers, Philly with one of its
// headers; anything else is taken for the plain table, whose reader says what it misses.
[[nodiscard]] TraceFormat detect_trace_format(std::string_view text);

struct TraceOptions {
  std::optional<TraceFormat> format{};  // nothing = by content
  LimitMode limits = LimitMode::File;
  SwfResource as = SwfResource::Cpu;    // SWF only
  std::uint32_t task_size = 0;          // SWF and Philly
  base::Amount cpu_per_gpu = 0;         // Philly only, thousandths
  base::Amount memory_mib_per_gpu = 0;  // Philly only
};

// Reads a whole unpacked trace; shape and errors as for the reader of its format.
[[nodiscard]] TraceResult read_trace(std::string_view text, std::string_view file,
                                     const TraceOptions& options = {});

}  // namespace stint::codec
