#include "codec/trace/trace_format.h"

#include <algorithm>
#include <array>

#include "codec/trace/csv.h"
#include "codec/trace/swf_line.h"
#include "codec/trace/trace_builder.h"

namespace stint::codec {

namespace {
struct Name {
  TraceFormat format;
  std::string_view name;
};
constexpr std::array<Name, 3> kNames{
    {{TraceFormat::Csv, "csv"}, {TraceFormat::Swf, "swf"}, {TraceFormat::Philly, "philly"}}};
}  // namespace

std::string_view name_of(TraceFormat format) {
  return std::ranges::find(kNames, format, &Name::format)->name;
}

std::optional<TraceFormat> format_of(std::string_view name) {
  const auto found = std::ranges::find(kNames, name, &Name::name);
  return found == kNames.end() ? std::nullopt : std::optional(found->format);
}

TraceFormat detect_trace_format(std::string_view text) {
  if (text.starts_with(kUtf8Mark)) text.remove_prefix(kUtf8Mark.size());
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return TraceFormat::Csv;
  if (text[first] == ';') return TraceFormat::Swf;
  // Two numbers between blanks: the other formats start with names between commas.
  const SwfLine row = parse_swf_line(text.substr(first, text.find('\n', first) - first));
  if (row.columns > 2 && (row.bad_field == 0 || row.bad_field > 2)) return TraceFormat::Swf;
  return is_philly(text) ? TraceFormat::Philly : TraceFormat::Csv;
}

TraceResult read_trace(std::string_view text, std::string_view file, const TraceOptions& options) {
  switch (options.format.value_or(detect_trace_format(text))) {
    case TraceFormat::Swf:
      return read_swf(text, file,
                      {.as = options.as, .task_size = options.task_size, .limits = options.limits});
    case TraceFormat::Philly:
      return read_philly(text, file,
                         {.cpu_per_gpu = options.cpu_per_gpu,
                          .memory_mib_per_gpu = options.memory_mib_per_gpu,
                          .task_size = options.task_size,
                          .limits = options.limits});
    case TraceFormat::Csv:
      break;
  }
  return read_csv(text, file, {.limits = options.limits});
}

}  // namespace stint::codec
