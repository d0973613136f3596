#include <filesystem>

#include <fmt/format.h>

#include "app/console.h"
#include "app/progress.h"
#include "app/read_file.h"
#include "app/sources.h"
#include "app/trace_input.h"
#include "app/verbs.h"
#include "app/write_file.h"
#include "codec/scenario/scenario.h"
#include "sim/metrics/collector.h"
#include "sim/report/report.h"
#include "sim/scenario/runner.h"
#include "sim/simulator.h"
#include "sim/trace/load.h"

namespace stint::app {

namespace {

// What is simulated: the world at its start, its jobs, and what happens from outside.
struct Setup {
  engine::State state;
  std::vector<model::JobSpec> jobs;
  std::vector<sim::Outside> outside;
  base::Millis until = base::kNever;
  // Of a trace.
  bool has_trace = false;
  std::uint64_t rows_read = 0;
  std::vector<std::pair<std::string, std::uint64_t>> rejected;
};

int set_up_scenario(codec::SourceFile source, Setup& setup) {
  auto read = codec::read_scenario(std::move(source), include_loader());
  print_diagnostics(read.diagnostics);
  if (!read.ok()) return kRefused;
  setup.state = sim::initial_state(*read.value);
  setup.outside = sim::outside_of(*read.value);
  setup.jobs = std::move(read.value->jobs);
  if (read.value->until) setup.until = *read.value->until;
  return kOk;
}

int set_up_trace(std::vector<codec::SourceFile> sources, const SimOptions& options, Setup& setup) {
  auto read = codec::read_config(std::move(sources), include_loader());
  print_diagnostics(read.diagnostics);
  if (!read.ok()) return kRefused;
  sim::LoadOptions load;
  load.auto_queues = options.auto_queues;
  if (!options.queue_map.empty()) {
    auto text = read_file(options.queue_map);
    if (!text) return complain(text.error());
    auto map = sim::read_queue_map(*text, options.queue_map);
    if (!map) return complain(map.error());
    load.queue_map = std::move(*map);
  }
  const TraceInput input = read_trace_file(options.trace, options.flags);
  if (!input.trace) return input.code;
  setup.state = model::make_state(std::move(read.value->cluster), std::move(read.value->tree),
                                  read.value->policy);
  auto jobs = sim::load_jobs(*input.trace, load, setup.state);
  if (!jobs) return complain(std::move(jobs.error()).in(options.trace));
  setup.jobs = std::move(*jobs);
  setup.has_trace = true;
  setup.rows_read = input.trace->rows_read;
  for (const codec::RejectedKind& kind : input.trace->rejected) {
    setup.rejected.emplace_back(kind.kind, kind.count);
  }
  return kOk;
}

int set_up(const SimOptions& options, Setup& setup) {
  std::vector<codec::SourceFile> sources;
  for (const std::string& path : options.files) {
    auto source = read_source(path);
    if (!source) return complain(source.error());
    sources.push_back(std::move(*source));
  }
  if (!options.trace.empty()) return set_up_trace(std::move(sources), options, setup);
  if (sources.size() != 1 || !looks_like_scenario(sources[0].text)) {
    complain("nothing to simulate: give --trace FILE, or one file that has `jobs`");
    return kUsage;
  }
  return set_up_scenario(std::move(sources[0]), setup);
}

base::Result<void> write_outputs(const SimOptions& options, const sim::Simulator& simulator,
                                 const sim::Summary& summary) {
  const std::filesystem::path folder(options.out);
  auto jobs = PendingFile::create((folder / "jobs.csv").string());
  if (!jobs) return tl::unexpected(std::move(jobs).error());
  sim::write_jobs_csv(simulator.engine(), [&](std::string_view text) { jobs->write(text); });
  if (auto done = jobs->commit(); !done) return done;
  return write_file((folder / "metrics.json").string(), sim::metrics_json(summary));
}

int simulate(const SimOptions& options, Setup setup, base::Millis sample) {
  sim::Collector collector(setup.state);
  std::optional<PendingFile> timeline;
  if (!options.out.empty()) {
    std::error_code error;
    std::filesystem::create_directories(options.out, error);
    if (error) {
      complain(fmt::format("{}: cannot be made: {}", options.out, error.message()));
      return kFailed;
    }
    auto file = PendingFile::create((std::filesystem::path(options.out) / "timeline.csv").string());
    if (!file) return complain(file.error());
    timeline.emplace(std::move(*file));
    collector.write_timeline([&](std::string_view text) { timeline->write(text); }, sample);
  }
  const std::size_t count = setup.jobs.size();
  sim::Simulator simulator(std::move(setup.state), std::move(setup.jobs), std::move(setup.outside));
  simulator.watch(&collector);
  {
    Progress progress(count);
    simulator.watch(&progress);
    catch_interrupts();
    while (!interrupted() && simulator.step(setup.until)) {
    }
    if (interrupted()) {
      complain("interrupted: nothing was written");
      return kInterrupted;
    }
    if (setup.until != base::kNever) simulator.run_until(setup.until);
  }
  const sim::Summary summary = collector.summary(simulator.engine());
  if (timeline) {
    if (auto done = timeline->commit(); !done) return complain(done.error());
    if (auto done = write_outputs(options, simulator, summary); !done)
      return complain(done.error());
  }
  if (options.output == "json") {
    print(sim::metrics_json(summary));
    return kOk;
  }
  if (setup.has_trace) print(sim::trace_facts(setup.rows_read, setup.rejected, summary) + "\n");
  print(sim::summary_text(summary));
  return kOk;
}

}  // namespace

int run_sim(const SimOptions& options) {
  Setup setup;
  if (const int code = set_up(options, setup); code != kOk) return code;
  if (!options.until.empty()) {
    const auto until = base::parse_duration(options.until);
    if (!until) return complain(base::Error(until.error()).in("--until"));
    setup.until = *until;
  }
  const auto sample = base::parse_duration(options.sample);
  if (!sample) return complain(base::Error(sample.error()).in("--sample"));
  if (*sample == 0) {
    complain("--sample: must be longer than 0s");
    return kRefused;
  }
  return simulate(options, std::move(setup), *sample);
}

}  // namespace stint::app
