// Reads a trace file as the flags say; shared by `sim` and `import`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/verbs.h"
#include "codec/trace/trace_format.h"

namespace stint::app {

// The trace, or nothing after the complaints were printed; `code` is then the exit code.
struct TraceInput {
  std::optional<codec::Trace> trace;
  int code = kOk;
};

[[nodiscard]] TraceInput read_trace_file(const std::string& path, const TraceFlags& flags);

}  // namespace stint::app
