// Importer of the flat files made from the Microsoft Philly log (Jeon et al., USENIX ATC 2019).
//
// Two layouts, told apart by their header (columns in any order):
//   job_id,submit_s,duration_s,vc,num_gpus
//   timestamp,duration,num_gpus,gpu_time,cluster     naive time, taken as UTC; ids are j0, j1, ...
//                                                    by the number of the row
// A row becomes one job: the virtual cluster (vc, cluster) is its queue and, as the data names
// nobody, its user too; no limit. Rows that are no job (duration or GPUs not above 0, submit time
// missing or negative, wrong number of fields, an id used before) are counted by kind and dropped;
// a cell that is no number or no date is an error with its place.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "codec/trace/trace.h"

namespace stint::codec {

struct PhillyOptions {
  base::Amount cpu_per_gpu = 0;         // thousandths of a CPU for each GPU asked for
  base::Amount memory_mib_per_gpu = 0;  // MiB
  std::uint32_t task_size = 0;  // 0 = one task; N = equal tasks of at most N GPUs, see split_tasks
  LimitMode limits = LimitMode::File;
};

// Has the text the header of one of the two layouts?
[[nodiscard]] bool is_philly(std::string_view text);

// Reads a whole unpacked file; `file` is its name for messages.
//   Shape   rows in file order, not sorted by submit time; totals and rejected kinds as for SWF.
//   Units   submit times as they are: seconds from the file's own zero, or since 1970 (UTC).
//   Errors  as for read_csv; also an unknown header.
[[nodiscard]] TraceResult read_philly(std::string_view text, std::string_view file,
                                      const PhillyOptions& options = {});

}  // namespace stint::codec
