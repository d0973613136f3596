// Reader of the Standard Workload Format: 18 numbers per job, `;` starts a comment line.
//
// Source  Chapin et al., "Benchmarks and standards for the evaluation of parallel job schedulers",
//         JSSPP 1999; version 2.2 of the format at the Parallel Workloads Archive.
//
// A row becomes one job. Field 1 is its name (`lineN` where it is
// missing or stands on an earlier row), field 2 the submit
// time, field 4 the run time cut to whole seconds, field 5 the processors (field 8 where field 5 is
// not above 0), field 9 the limit (none where it is not above 0), field 12 the user, field 13 (the
// group) the queue. Unknown users and groups (-1) are called `unknown`. The other fields are
// checked and dropped. Rows of 21 columns (18, then nodes, queue and request, as MetaCentrum logs
// have them) are read by their first 18.
//
// Three kinds of trouble are kept apart: a row of numbers that is no job (run time or processors
// not above 0, submit time missing, another number of columns) is counted by kind and dropped, as
// real logs hold such rows; a row that holds no numbers is an error with its place; a file in which
// every row has a wrong number of columns is no SWF and an error.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "codec/trace/trace.h"

namespace stint::codec {

enum class SwfResource { Cpu, Gpu };

struct SwfOptions {
  SwfResource as = SwfResource::Cpu;  // what a processor becomes
  std::uint32_t task_size = 0;        // 0 = one task; N = equal tasks of at most N, see split_tasks
  LimitMode limits = LimitMode::File;
  std::string_view queue_prefix = "g";  // group 7 is queue `g7`
  std::string_view user_prefix = "u";   // user 7 is `u7`
};

// Reads a whole unpacked file; `file` is its name for messages.
//   Shape   rows in file order, not sorted by submit time; `; Key: value` comments in `header`.
//   Errors  every row that is no row of numbers, with line and column, up to kTraceErrorsMax.
[[nodiscard]] TraceResult read_swf(std::string_view text, std::string_view file,
                                   const SwfOptions& options = {});

}  // namespace stint::codec
