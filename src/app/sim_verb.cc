#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/console.h"
#include "app/progress.h"
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

// Runs one world; `folder` for its files may be empty. The code to exit with if there is no
// summary.
struct Simulated {
  std::optional<sim::Summary> summary;
  int code = kOk;
};

Simulated simulate(Setup& setup, const Spans& spans, const std::string& folder) {
  sim::Collector collector(setup.state, spans.warmup);
  sim::Records records;
  std::optional<Outputs> outputs;
  if (!folder.empty()) {
    auto created = Outputs::create(folder);
    if (!created) return {std::nullopt, complain(created.error())};
    outputs.emplace(std::move(*created));
    collector.write_timeline([&](std::string_view text) { outputs->write_timeline(text); },
                             spans.sample);
  }
  sim::Simulator simulator = make_simulator(setup);
  simulator.watch(&collector);
  if (outputs) simulator.watch(&records);
  if (!run(simulator, setup)) {
    complain("interrupted: nothing was written");
    return {std::nullopt, kInterrupted};
  }
  Simulated result{collector.summary(simulator.engine()), kOk};
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

int simulate_one(const SimOptions& options, const Spans& spans, Setup& setup) {
  const Simulated result = simulate(setup, spans, options.out);
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
    const std::string folder =
        options.out.empty() ? std::string() : fmt::format("{}/{}", options.out, i + 1);
    const std::unique_ptr<Setup> setup = std::move(setups.runs[i]);  // gone when it has run
    Simulated result = simulate(*setup, spans, folder);
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
  return setups.runs.size() == 1 ? simulate_one(options, *spans, *setups.runs[0])
                                 : simulate_all(options, *spans, setups);
}

}  // namespace stint::app
