// What must hold of every answer of a trace reader.
#pragma once

#include <algorithm>

#include "base/assert.h"
#include "codec/trace/csv.h"
#include "codec/trace/trace.h"

namespace stint::fuzz {

inline void check_row(const codec::Trace& trace, const codec::TraceRow& row) {
  STINT_ASSERT(row.submit >= 0 && row.submit <= base::kSpanMax);
  STINT_ASSERT(row.run > 0 && row.run <= base::kSpanMax);
  STINT_ASSERT(row.limit > 0);
  STINT_ASSERT(row.tasks >= 1 && row.tasks <= codec::kTasksMax);
  STINT_ASSERT(std::size_t{row.name_begin} + row.name_size <= trace.names.size());
  STINT_ASSERT(row.name_size > 0);
  STINT_ASSERT(row.queue < trace.queues.size() && row.user < trace.users.size());
  STINT_ASSERT(row.shape < trace.shapes.size() && row.traits < trace.traits.size());
}

// The invariants of trace.h, and that the plain table gives the same jobs back.
inline void check_result(const codec::TraceResult& result) {
  if (!result) {
    STINT_ASSERT(!result.error().empty());
    STINT_ASSERT(result.error().size() <= codec::kTraceErrorsMax + 1);
    for (const codec::Diagnostic& d : result.error()) {
      STINT_ASSERT(d.line >= 1 && d.column >= 1 && !d.message.empty());
    }
    return;
  }
  STINT_ASSERT(result->rows.size() + result->rejected_count() == result->rows_read);
  for (const codec::TraceRow& row : result->rows) check_row(*result, row);
  for (const codec::TraceAfter& edge : result->after) {
    STINT_ASSERT(edge.row < result->rows.size() && edge.on < result->rows.size());
  }
  for (std::size_t i = 0; i < result->patience.size(); ++i) {
    const codec::TracePatience& patience = result->patience[i];
    STINT_ASSERT(patience.row < result->rows.size());
    STINT_ASSERT(i == 0 || result->patience[i - 1].row < patience.row);
    STINT_ASSERT(patience.span >= 0 && patience.span <= base::kSpanMax);
  }
  const codec::TraceResult again = codec::read_csv(codec::write_csv(*result), "again");
  STINT_ASSERT(again.has_value());
  STINT_ASSERT(codec::same_jobs(*result, *again));
}

}  // namespace stint::fuzz
