// What a simulation prints and writes: the summary table, `jobs.csv`, `metrics.json` (DESIGN §6).
//
// Pure text; writing files is the caller's business.
#pragma once

#include <string>
#include <vector>

#include "engine/engine.h"
#include "sim/metrics/collector.h"

namespace stint::sim {

// The lines that every run on a trace prints first.
[[nodiscard]] std::string trace_facts(
    std::uint64_t rows_read, const std::vector<std::pair<std::string, std::uint64_t>>& rejected,
    const Summary& summary);

// The table per queue and the figures of the whole cluster.
[[nodiscard]] std::string summary_text(const Summary& summary);

// `metrics.json`; keys as DESIGN §6 names them.
[[nodiscard]] std::string metrics_json(const Summary& summary);

// `jobs.csv`, one row per job in trace order, handed to `sink` in pieces.
void write_jobs_csv(const engine::Engine& engine, const TextSink& sink);

}  // namespace stint::sim
