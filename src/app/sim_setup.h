// What `stint sim` runs: every world with its jobs, read and checked before anything runs.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/verbs.h"
#include "codec/config/config.h"
#include "codec/trace/trace.h"
#include "sim/report/report.h"
#include "sim/simulator.h"
#include "sim/trace/load.h"

namespace stint::app {

// A world at its start, its jobs, and what happens from outside. `trace_jobs` points into `trace`,
// so it stays where it is.
struct Setup {
  engine::State state;
  std::vector<model::JobSpec> jobs;
  std::vector<sim::Outside> outside;
  base::Millis until = base::kNever;
  // Of a trace; else `jobs`.
  std::optional<codec::Trace> trace;
  std::optional<sim::TraceJobs> trace_jobs;

  [[nodiscard]] std::size_t job_count() const { return trace ? trace->rows.size() : jobs.size(); }
};

// All that the command line names. `code` is kOk, or what to exit with after the complaints were
// printed: of all traces, so that none is found broken when others have run.
struct Setups {
  int code = kOk;
  std::vector<std::unique_ptr<Setup>> runs;  // one per trace, or the scenario
  std::vector<codec::SourceFile> sources;    // every file of the configuration, includes too
};
[[nodiscard]] Setups set_up(const SimOptions& options);

// Takes the setup's jobs and State along.
[[nodiscard]] sim::Simulator make_simulator(Setup& setup);

// How `jobs.csv` names a job of a trace, or of a scenario.
[[nodiscard]] sim::JobLine line_of(const Setup& setup, const engine::State& state, std::size_t job);

}  // namespace stint::app
