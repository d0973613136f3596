// What a simulation prints and writes: the summary table, `jobs.csv`, `metrics.json` (DESIGN §6).
//
// Pure text; writing files is the caller's business.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "sim/metrics/collector.h"
#include "sim/metrics/records.h"

namespace stint::sim {

// The lines that every run on a trace prints first.
[[nodiscard]] std::string trace_facts(
    std::uint64_t rows_read, const std::vector<std::pair<std::string, std::uint64_t>>& rejected,
    const Summary& summary);

// The table per queue and the figures of the whole cluster.
[[nodiscard]] std::string summary_text(const Summary& summary);

// `metrics.json`; keys as DESIGN §6 names them.
[[nodiscard]] std::string metrics_json(const Summary& summary);

// A job as `jobs.csv` names it.
struct JobLine {
  std::string_view name;
  std::string_view queue;
  std::string_view user;
  Millis submit = 0;
  base::Amount gpus = 0;  // over all tasks
};

// `jobs.csv`, one row per record in their order, handed to `sink` in pieces.
void write_jobs_csv(const JobRecords& records, const std::function<JobLine(std::size_t)>& line_of,
                    const TextSink& sink);

}  // namespace stint::sim
