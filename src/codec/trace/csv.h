// The plain trace table (`csv`): a header in any order, one job per row.
//
// Required columns are id, queue, user, submit_s and run_s; csv_columns() lists all. Amounts are
// per task. An empty cell of an optional column is the default. Seconds and counts of GPUs and CPUs
// have at most three decimals. Lists (`where`, `after`) are separated by `;` (`,` and blanks work
// too). The table is ours, so a malformed value is an error; what real logs hold broken is the
// business of the importers (swf.h, philly.h).
//
//   id,queue,user,submit_s,run_s,gpu,where,after
//   prepare,vision,ann,0,600,1,,
//   train,vision,ann,60,7200.5,8,model=h100;zone=a,prepare
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "codec/trace/trace.h"

namespace stint::codec {

struct CsvColumn {
  std::string_view name;
  bool is_required = false;
  std::string_view meaning;  // one phrase with unit and default
};

// All columns, in the order in which write_csv writes them.
[[nodiscard]] std::span<const CsvColumn> csv_columns();

struct CsvOptions {
  LimitMode limits = LimitMode::File;
};

// Reads a whole unpacked table; `file` is its name for messages.
//   Shape   rows in file order, not sorted by submit time; no row is ever rejected.
//   Errors  all at once up to kTraceErrorsMax, each with line and column of the field: unknown,
//           missing or doubled column, wrong number of fields, broken quotes, malformed or empty
//           value, an id used twice, `after` that names no id or runs in a circle.
//   Source  RFC 4180 for the text, DESIGN §6 "Traces" for the columns.
[[nodiscard]] TraceResult read_csv(std::string_view text, std::string_view file,
                                   const CsvOptions& options = {});

// The table of a trace, with those optional columns that some row uses; read_csv gives the
// same_jobs back.
[[nodiscard]] std::string write_csv(const Trace& trace);

}  // namespace stint::codec
