#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/console.h"
#include "app/progress.h"
#include "app/record_folder.h"
#include "app/sim_outputs.h"
#include "app/sim_setup.h"
#include "app/verbs.h"
#include "sim/metrics/collector.h"
#include "sim/report/report.h"
#include "sim/report/spread_report.h"

namespace stint::app {

namespace {

// The options that are spans, as numbers.
struct Spans {
  std::optional<base::Millis> until;
  base::Millis sample = base::kHour;
  base::Millis warmup = 0;
};

base::Result<Spans> spans_of(const SimOptions& options) {
  Spans spans;
  const auto read = [](const std::string& text, const char* name) -> base::Result<base::Millis> {
    auto span = base::parse_duration(text);
    if (!span) return tl::unexpected(std::move(span.error()).in(name));
    return span;
  };
  if (!options.until.empty()) {
    STINT_TRY(spans.until, read(options.until, "--until"));
  }
  STINT_TRY(spans.warmup, read(options.warmup, "--warmup"));
  STINT_TRY(spans.sample, read(options.sample, "--sample"));
  if (spans.sample == 0) return base::refuse("--sample: must be longer than 0s");
  return spans;
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

// Where the files of one world go; empty: nowhere.
struct Folders {
  std::string out;
  std::string record;
};

Folders folders_of(const SimOptions& options, std::size_t run) {
  std::string record = options.record;
  while (record.size() > 1 && record.ends_with('/')) record.pop_back();
  if (options.traces.size() < 2) return {options.out, record};
  const auto numbered = [&](const std::string& folder) {
    return folder.empty() ? folder : fmt::format("{}/{}", folder, run + 1);
  };
  return {numbered(options.out), numbered(record)};
}

// A recording on its way.
struct Recording {
  std::unique_ptr<RecordFolder> folder;
  std::unique_ptr<sim::Recorder> recorder;
};

base::Result<Recording> start_recording(const std::string& path, const Setups& setups,
                                        const Setup& setup, sim::Simulator& simulator) {
  Recording recording;
  STINT_TRY(recording.folder,
            RecordFolder::create(path, setups.sources, simulator.engine().state()));
  sim::Recorder::Sinks sinks;
  sinks.journal = [&to = *recording.folder](std::string_view text) { to.write_journal(text); };
  sinks.keep = [&to = *recording.folder](const model::State& state) { return to.keep(state); };
  sinks.name = [&setup](const model::State& state, base::JobId job) {
    if (setup.trace) return std::string(setup.trace_jobs->name(job.index()));
    return job.index() < state.names.size() ? state.names[job.index()] : std::string();
  };
  recording.recorder = std::make_unique<sim::Recorder>(std::move(sinks));
  simulator.watch(recording.recorder.get());
  return recording;
}

// The code to exit with if there is no summary.
struct Simulated {
  std::optional<sim::Summary> summary;
  int code = kOk;
};

Simulated simulate(const Setups& setups, Setup& setup, const Spans& spans, const Folders& folders) {
  sim::Collector collector(setup.state, spans.warmup);
  sim::Records records;
  std::optional<Outputs> outputs;
  if (!folders.out.empty()) {
    auto created = Outputs::create(folders.out);
    if (!created) return {std::nullopt, complain(created.error())};
    outputs.emplace(std::move(*created));
    collector.write_timeline([&](std::string_view text) { outputs->write_timeline(text); },
                             spans.sample);
  }
  sim::Simulator simulator = make_simulator(setup);
  simulator.watch(&collector);
  if (outputs) simulator.watch(&records);
  Recording recording;
  if (!folders.record.empty()) {
    auto started = start_recording(folders.record, setups, setup, simulator);
    if (!started) return {std::nullopt, complain(started.error())};
    recording = std::move(*started);
  }
  if (!run(simulator, setup)) {
    complain("interrupted: nothing was written");
    return {std::nullopt, kInterrupted};
  }
  Simulated result{collector.summary(simulator.engine()), kOk};
  if (recording.folder) {
    recording.recorder->finish();
    const auto kept = recording.folder->finish(simulator.engine().state());
    if (!kept) return {std::nullopt, complain(kept.error())};
  }
  if (!outputs) return result;
  const auto written = outputs->finish(setup, simulator.engine(),
                                       std::move(records).all(simulator.engine()), *result.summary);
  if (!written) return {std::nullopt, complain(written.error())};
  return result;
}

std::string facts_of(const Setup& setup, const sim::Summary& summary) {
  std::vector<std::pair<std::string, std::uint64_t>> rejected;
  for (const codec::RejectedKind& kind : setup.trace->rejected) {
    rejected.emplace_back(kind.kind, kind.count);
  }
  return sim::trace_facts(setup.trace->rows_read, rejected, summary) + "\n";
}

int simulate_one(const SimOptions& options, const Spans& spans, const Setups& setups) {
  Setup& setup = *setups.runs[0];
  const Simulated result = simulate(setups, setup, spans, folders_of(options, 0));
  if (!result.summary) return result.code;
  if (options.output == "json") {
    print(sim::metrics_json(*result.summary));
    return kOk;
  }
  if (setup.trace) print(facts_of(setup, *result.summary));
  print(sim::summary_text(*result.summary));
  return kOk;
}

// Each trace in turn, then the spread over all of them.
int simulate_all(const SimOptions& options, const Spans& spans, Setups& setups) {
  std::vector<sim::Summary> summaries;
  for (std::size_t i = 0; i < setups.runs.size(); ++i) {
    const std::unique_ptr<Setup> setup = std::move(setups.runs[i]);  // gone when it has run
    Simulated result = simulate(setups, *setup, spans, folders_of(options, i));
    if (!result.summary) return result.code;
    if (options.output == "table") {
      print(fmt::format("{}: {}", options.traces[i], facts_of(*setup, *result.summary)));
    }
    summaries.push_back(std::move(*result.summary));
  }
  const std::string json = sim::spread_json(summaries);
  if (!options.out.empty()) {
    const auto written = write_file(fmt::format("{}/metrics.json", options.out), json);
    if (!written) return complain(written.error());
  }
  print(options.output == "json" ? json : sim::spread_text(summaries));
  return kOk;
}

}  // namespace

int run_sim(const SimOptions& options) {
  const auto spans = spans_of(options);
  if (!spans) return complain(spans.error());
  Setups setups = set_up(options);
  if (setups.code != kOk) return setups.code;
  if (spans->until) {
    for (const auto& setup : setups.runs) setup->until = *spans->until;
  }
  for (std::size_t i = 0; i < setups.runs.size() && !options.record.empty(); ++i) {
    const auto is_free = RecordFolder::check_free(folders_of(options, i).record);
    if (!is_free) return complain(is_free.error());
  }
  return setups.runs.size() == 1 ? simulate_one(options, *spans, setups)
                                 : simulate_all(options, *spans, setups);
}

}  // namespace stint::app
