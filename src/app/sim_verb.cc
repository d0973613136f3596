#include <filesystem>
#include <memory>
#include <optional>

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
  // Of a trace; else `jobs`.
  std::optional<codec::Trace> trace;
  std::optional<sim::TraceJobs> trace_jobs;

  [[nodiscard]] std::size_t job_count() const { return trace ? trace->rows.size() : jobs.size(); }
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
  TraceInput input = read_trace_file(options.trace, options.flags);
  if (!input.trace) return input.code;
  setup.trace = std::move(input.trace);
  setup.state = model::make_state(std::move(read.value->cluster), std::move(read.value->tree),
                                  read.value->policy);
  auto jobs = sim::TraceJobs::make(*setup.trace, load, setup.state);
  if (!jobs) return complain(std::move(jobs.error()).in(options.trace));
  setup.trace_jobs = std::move(*jobs);
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

// How `jobs.csv` names a job of a trace, or of a scenario.
sim::JobLine line_of(const Setup& setup, const engine::State& state, std::size_t job) {
  const auto gpu = state.cluster.resources.gpu();
  const auto line = [&](std::string_view name, base::QueueId queue, base::UserId user,
                        base::ShapeId shape, base::Millis submit) -> sim::JobLine {
    const base::Amount gpus = gpu ? state.shapes[shape.index()].total()[*gpu] : 0;
    return {name, state.tree[queue].path, state.users.name(user.value), submit, gpus};
  };
  if (setup.trace) {
    const sim::TraceJobs& jobs = *setup.trace_jobs;
    return line(jobs.name(job), jobs.queue(job), jobs.user(job), jobs.shape(job),
                setup.trace->rows[job].submit);
  }
  const model::JobAsk& ask = state.jobs[job].spec;
  return line(state.names[job], ask.queue, ask.user, ask.shape, ask.submit);
}

// The files of `--out`: made before the run, so that a folder that cannot be written is known at
// once; complete or not there at all.
struct Outputs {
  PendingFile timeline;
  PendingFile jobs;
  std::string metrics;

  static base::Result<Outputs> create(const std::string& folder_name) {
    const std::filesystem::path folder(folder_name);
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
      return base::refuse(fmt::format("{}: cannot be made: {}", folder_name, error.message()));
    }
    STINT_TRY(PendingFile timeline, PendingFile::create((folder / "timeline.csv").string()));
    STINT_TRY(PendingFile jobs, PendingFile::create((folder / "jobs.csv").string()));
    return Outputs{std::move(timeline), std::move(jobs), (folder / "metrics.json").string()};
  }
};

sim::Simulator make_simulator(Setup& setup) {
  if (setup.trace) {
    return {std::move(setup.state), std::make_unique<sim::TraceSource>(*setup.trace_jobs)};
  }
  return {std::move(setup.state), std::move(setup.jobs), std::move(setup.outside)};
}

// Whether it came to its end.
bool run(sim::Simulator& simulator, const Setup& setup) {
  Progress progress(setup.job_count());
  simulator.watch(&progress);
  catch_interrupts();
  while (!interrupted() && simulator.step(setup.until)) {
  }
  if (interrupted()) return false;
  if (setup.until != base::kNever) simulator.run_until(setup.until);
  simulator.unwatch(&progress);
  return true;
}

void print_results(const SimOptions& options, const Setup& setup, const sim::Summary& summary) {
  if (options.output == "json") {
    print(sim::metrics_json(summary));
    return;
  }
  if (setup.trace) {
    std::vector<std::pair<std::string, std::uint64_t>> rejected;
    for (const codec::RejectedKind& kind : setup.trace->rejected) {
      rejected.emplace_back(kind.kind, kind.count);
    }
    print(sim::trace_facts(setup.trace->rows_read, rejected, summary) + "\n");
  }
  print(sim::summary_text(summary));
}

int simulate(const SimOptions& options, Setup& setup, base::Millis sample) {
  sim::Collector collector(setup.state);
  sim::Records records;
  std::optional<Outputs> outputs;
  if (!options.out.empty()) {
    auto created = Outputs::create(options.out);
    if (!created) {
      complain(created.error());
      return kFailed;
    }
    outputs.emplace(std::move(*created));
    collector.write_timeline([&](std::string_view text) { outputs->timeline.write(text); }, sample);
  }
  sim::Simulator simulator = make_simulator(setup);
  simulator.watch(&collector);
  if (outputs) simulator.watch(&records);
  if (!run(simulator, setup)) {
    complain("interrupted: nothing was written");
    return kInterrupted;
  }
  const sim::Summary summary = collector.summary(simulator.engine());
  if (outputs) {
    const engine::State& state = simulator.engine().state();
    const std::vector<sim::JobRecord> all = std::move(records).all(simulator.engine());
    sim::write_jobs_csv(
        all, [&](std::size_t job) { return line_of(setup, state, job); },
        [&](std::string_view text) { outputs->jobs.write(text); });
    if (auto done = outputs->timeline.commit(); !done) return complain(done.error());
    if (auto done = outputs->jobs.commit(); !done) return complain(done.error());
    if (auto done = write_file(outputs->metrics, sim::metrics_json(summary)); !done)
      return complain(done.error());
  }
  print_results(options, setup, summary);
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
  return simulate(options, setup, *sample);
}

}  // namespace stint::app
