#include <fmt/format.h>

#include "app/console.h"
#include "app/trace_input.h"
#include "app/verbs.h"
#include "app/write_file.h"
#include "codec/trace/csv.h"

namespace stint::app {

int run_import(const ImportOptions& options) {
  const TraceInput input = read_trace_file(options.file, options.flags);
  if (!input.trace) return input.code;
  const codec::Trace& trace = *input.trace;
  const std::string table = codec::write_csv(trace);
  if (options.out.empty()) {
    print(table);
  } else if (auto written = write_file(options.out, table); !written) {
    return complain(written.error());
  }
  std::string facts = fmt::format("rows read {}, jobs {}, rejected {}", trace.rows_read,
                                  trace.rows.size(), trace.rejected_count());
  for (const codec::RejectedKind& kind : trace.rejected) {
    facts +=
        fmt::format("\n  {:>8}  {} (first in line {})", kind.count, kind.kind, kind.first_line);
  }
  complain(facts);
  if (trace.rows.empty()) {
    complain("no row became a job");
    return kFailed;
  }
  return kOk;
}

}  // namespace stint::app
