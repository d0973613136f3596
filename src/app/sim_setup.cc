#include "app/sim_setup.h"

#include "app/console.h"
#include "app/read_file.h"
#include "app/sources.h"
#include "app/trace_input.h"
#include "codec/scenario/scenario.h"
#include "sim/scenario/runner.h"

namespace stint::app {

namespace {

// Resolves includes, and keeps what it has read in `sources`.
codec::IncludeLoader keeping_loader(std::vector<codec::SourceFile>& sources) {
  return [&sources, load = include_loader()](std::string_view from, std::string_view path) {
    base::Result<codec::SourceFile> file = load(from, path);
    if (file) sources.push_back(*file);
    return file;
  };
}

int set_up_scenario(Setups& setups) {
  auto read = codec::read_scenario(setups.sources[0], keeping_loader(setups.sources));
  print_diagnostics(read.diagnostics);
  if (!read.ok()) return kRefused;
  auto setup = std::make_unique<Setup>();
  setup->state = sim::initial_state(*read.value);
  setup->outside = sim::outside_of(*read.value);
  setup->jobs = std::move(read.value->jobs);
  if (read.value->until) setup->until = *read.value->until;
  setups.runs.push_back(std::move(setup));
  return kOk;
}

int set_up_trace(const std::string& path, const SimOptions& options, const sim::LoadOptions& load,
                 const codec::Config& config, Setups& setups) {
  TraceInput input = read_trace_file(path, options.flags);
  if (!input.trace) return input.code;
  auto setup = std::make_unique<Setup>();
  setup->trace = std::move(input.trace);
  setup->state = model::make_state(config.cluster, config.tree, config.policy);
  auto jobs = sim::TraceJobs::make(*setup->trace, load, setup->state);
  if (!jobs) return complain(std::move(jobs.error()).in(path));
  setup->trace_jobs = std::move(*jobs);
  setups.runs.push_back(std::move(setup));
  return kOk;
}

int set_up_traces(const SimOptions& options, Setups& setups) {
  auto read = codec::read_config(setups.sources, keeping_loader(setups.sources));
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
  int worst = kOk;
  for (const std::string& path : options.traces) {
    const int code = set_up_trace(path, options, load, *read.value, setups);
    if (worst == kOk) worst = code;
  }
  return worst;
}

int set_up_any(const SimOptions& options, Setups& setups) {
  for (const std::string& path : options.files) {
    auto source = read_source(path);
    if (!source) return complain(source.error());
    setups.sources.push_back(std::move(*source));
  }
  if (!options.traces.empty()) return set_up_traces(options, setups);
  if (setups.sources.size() != 1 || !looks_like_scenario(setups.sources[0].text)) {
    complain("nothing to simulate: give --trace FILE, or one file that has `jobs`");
    return kUsage;
  }
  return set_up_scenario(setups);
}

}  // namespace

Setups set_up(const SimOptions& options) {
  Setups setups;
  setups.code = set_up_any(options, setups);
  return setups;
}

sim::Simulator make_simulator(Setup& setup) {
  if (setup.trace) {
    return {std::move(setup.state), std::make_unique<sim::TraceSource>(*setup.trace_jobs)};
  }
  return {std::move(setup.state), std::move(setup.jobs), std::move(setup.outside)};
}

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

}  // namespace stint::app
