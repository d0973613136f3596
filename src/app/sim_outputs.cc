#include "app/sim_outputs.h"

#include <filesystem>

#include <fmt/format.h>

#include "sim/report/report.h"

namespace stint::app {

base::Result<Outputs> Outputs::create(const std::string& folder_name) {
  const std::filesystem::path folder(folder_name);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    return base::fail(fmt::format("{}: cannot be made: {}", folder_name, error.message()));
  }
  STINT_TRY(PendingFile timeline, PendingFile::create((folder / "timeline.csv").string()));
  STINT_TRY(PendingFile jobs, PendingFile::create((folder / "jobs.csv").string()));
  return Outputs(std::move(timeline), std::move(jobs), (folder / "metrics.json").string());
}

base::Result<void> Outputs::finish(const Setup& setup, const engine::Engine& engine,
                                   const sim::JobRecords& records,
                                   const sim::Summary& summary) {
  sim::write_jobs_csv(
      records, [&](std::size_t job) { return line_of(setup, engine.state(), job); },
      [&](std::string_view text) { jobs_.write(text); });
  if (auto done = timeline_.commit(); !done) return done;
  if (auto done = jobs_.commit(); !done) return done;
  return write_file(metrics_, sim::metrics_json(summary));
}

}  // namespace stint::app
