#include "sim/scenario/runner.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/assert.h"
#include "codec/snapshot/snapshot.h"
#include "sim/scenario/judge.h"
#include "sim/scenario/record.h"
#include "sim/simulator.h"

namespace stint::sim {

namespace {

using codec::EventKind;
using codec::Expectation;
using codec::Scenario;

void add_facts(const Scenario& scenario, const codec::ScenarioEvent& event, Outside& outside) {
  const auto for_nodes = [&](auto make) {
    for (const base::NodeId node : event.nodes) outside.facts.push_back(make(node));
  };
  const auto for_jobs = [&](auto make) {
    for (const JobId job : event.jobs) outside.facts.push_back(make(job));
  };
  switch (event.kind) {
    case EventKind::Fail:
      return for_nodes([](base::NodeId n) -> engine::Event { return engine::NodeFailed{n}; });
    case EventKind::Return:
      return for_nodes([](base::NodeId n) -> engine::Event { return engine::NodeReturned{n}; });
    case EventKind::Drain:
      return for_nodes([](base::NodeId n) -> engine::Event { return engine::NodeDrained{n}; });
    case EventKind::Resume:
      return for_nodes([](base::NodeId n) -> engine::Event { return engine::NodeResumed{n}; });
    case EventKind::Cancel:
      return for_jobs([](JobId j) -> engine::Event { return engine::JobCancelled{j}; });
    case EventKind::Hold:
      return for_jobs([](JobId j) -> engine::Event { return engine::JobHeld{j}; });
    case EventKind::Release:
      return for_jobs([](JobId j) -> engine::Event { return engine::JobReleased{j}; });
    case EventKind::Apply: {
      const auto& [tree, policy] = scenario.configs[*event.config];
      outside.facts.emplace_back(engine::PolicyApplied{tree, policy});
      return;
    }
    case EventKind::RestartController:
      outside.restart_controller = true;
      return;
  }
}

// The upper ends of the times that an expectation names.
Millis last_time(const Expectation& expectation) {
  Millis last = 0;
  for (const auto& range : {expectation.at, expectation.starts, expectation.ends}) {
    if (range && range->high != base::kNever) last = std::max(last, range->high);
  }
  return last;
}

Millis end_of(const Scenario& scenario) {
  if (scenario.until) return *scenario.until;
  Millis end = 0;
  for (const Expectation& expectation : scenario.expect)
    end = std::max(end, last_time(expectation));
  return end;
}

engine::State reload(engine::State state) {
  auto again = codec::decode_state(codec::encode_state(state));
  STINT_ASSERT(again.has_value());
  return std::move(*again);
}

}  // namespace

std::vector<Outside> outside_of(const Scenario& scenario) {
  std::vector<Outside> all;
  for (const codec::ScenarioEvent& event : scenario.events) {
    Outside outside;
    outside.at = event.at;
    add_facts(scenario, event, outside);
    all.push_back(std::move(outside));
  }
  return all;
}

engine::State initial_state(const Scenario& scenario) {
  engine::State state =
      model::make_state(scenario.config.cluster, scenario.config.tree, scenario.config.policy);
  state.users = scenario.users;
  state.shapes = scenario.shapes;
  return state;
}

ScenarioReport run_scenario(const Scenario& scenario) {
  ScenarioReport report;
  ScenarioRecord record;
  Simulator sim(initial_state(scenario), scenario.jobs, outside_of(scenario), reload);
  sim.watch(&record);
  std::vector<const Expectation*> timed;
  for (const Expectation& expectation : scenario.expect) {
    if (expectation.at) timed.push_back(&expectation);
  }
  // At equal times in file order: the expectations are elements of one list.
  std::sort(timed.begin(), timed.end(), [](const Expectation* a, const Expectation* b) {
    return a->at->high != b->at->high ? a->at->high < b->at->high : a < b;
  });
  const auto count = [&](const Expectation& expectation) {
    if (auto wrong = judge(expectation, sim.engine(), record)) {
      report.failures.push_back({expectation.line, std::move(*wrong)});
    } else {
      ++report.passed;
    }
  };
  const Millis end = end_of(scenario);
  for (const Expectation* expectation : timed) {
    sim.run_until(std::min(expectation->at->high, end));
    count(*expectation);
  }
  sim.run_until(end);
  for (const Expectation& expectation : scenario.expect) {
    if (!expectation.at) count(expectation);
  }
  std::sort(report.failures.begin(), report.failures.end(), [](const Failure& a, const Failure& b) {
    return a.line != b.line ? a.line < b.line : a.text < b.text;
  });
  for (const std::string& breach : record.breaches()) report.failures.push_back({0, breach});
  report.digest = model::digest_of(sim.engine().state());
  return report;
}

}  // namespace stint::sim
