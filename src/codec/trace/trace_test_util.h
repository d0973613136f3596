// Helpers of the trace tests.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "codec/trace/trace.h"

namespace stint::codec {

// The complaints as `line:col: message`, none if the text was read.
inline std::vector<std::string> complaints(const TraceResult& result) {
  std::vector<std::string> texts;
  if (result) return texts;
  for (const Diagnostic& d : result.error()) {
    texts.push_back(fmt::format("{}:{}: {}", d.line, d.column, d.message));
  }
  return texts;
}

// A row in one line: name queue user submit run limit tasks gpu/cpu/memory priority.
inline std::string row_text(const Trace& trace, std::size_t i) {
  const TraceRow& row = trace.rows.at(i);
  const TraceShape& shape = trace.shapes.at(row.shape);
  const std::string limit = row.limit == base::kNever ? "-" : fmt::format("{}", row.limit);
  return fmt::format("{} {} {} {} {} {} {}x{}/{}/{} {}", trace.name(row),
                     trace.queues.name(row.queue), trace.users.name(row.user), row.submit, row.run,
                     limit, row.tasks, shape.gpu, shape.cpu, shape.memory_mib, row.priority);
}

// Rejected rows as `kind: count from line`.
inline std::vector<std::string> rejected(const Trace& trace) {
  std::vector<std::string> texts;
  for (const RejectedKind& kind : trace.rejected) {
    texts.push_back(fmt::format("{}: {} from {}", kind.kind, kind.count, kind.first_line));
  }
  return texts;
}

}  // namespace stint::codec
