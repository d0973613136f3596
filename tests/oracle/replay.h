// Replays a trace on one pool of equal slots: one node, no collector, nothing between the trace's
// reader and the simulator. What comes out is what the engine decided, for comparison with
// schedules of other programs.
//
// Invariant  waits, runs and ends are read from what State says has happened.
// Threads    free of shared state.
//
//   const auto outcome = replay(trace, {.resource = "cpu", .slots = 100}, *policy_of("fcfs"));
//   outcome->waits[0];  // ms that the first job that ran has waited
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/int128.h"
#include "base/result.h"
#include "codec/trace/trace.h"
#include "model/state.h"
#include "sim/simulator.h"
#include "sim/trace/load.h"

namespace stint::oracle {

using base::Millis;

struct Pool {
  std::string resource;
  std::int64_t slots = 0;
};

struct Replay {
  std::vector<Millis> waits;  // of the jobs that ran, in the order of their rows
  std::vector<Millis> runs;   // how long they held their slots, alike
  std::uint64_t timed_out = 0;
  std::uint64_t rejected = 0;  // wider than the pool
  std::uint64_t astray = 0;    // left waiting, run twice, or run for another time than their work
  Millis first_submit = base::kNever;
  Millis last_end = 0;
  base::i128 held = 0;  // slots (thousandths) × ms

  [[nodiscard]] std::uint64_t waited() const {
    return static_cast<std::uint64_t>(
        std::count_if(waits.begin(), waits.end(), [](Millis wait) { return wait != 0; }));
  }
  [[nodiscard]] Millis makespan() const { return last_end - first_submit; }
};

// A machine of one node `pool`, a tree without queues, and that policy.
inline model::State pool_state(const Pool& pool, const model::Policy& policy) {
  model::Cluster cluster;
  const model::ResourceId slot = cluster.resources.intern(pool.resource);
  model::Node node;
  node.name = "pool";
  node.has = model::Amounts(cluster.resources.size());
  node.has[slot] = pool.slots * base::kUnit;
  cluster.nodes.push_back(std::move(node));
  return model::make_state(std::move(cluster), model::empty_tree(1), policy);
}

// What became of all jobs. Requires that nothing more can happen.
inline Replay read_outcome(const engine::Engine& engine, model::ResourceId slot) {
  Replay outcome;
  for (const base::JobId id : engine.state().jobs.ids()) {
    const model::Job& job = engine.state().jobs[id];
    if (job.runs == 0 && !engine.fits_machine(job.spec.shape)) {
      ++outcome.rejected;
      continue;
    }
    if (job.state == model::JobState::Timeout) ++outcome.timed_out;
    if (job.runs != 1 || job.first_start == base::kNever || job.end == base::kNever) {
      ++outcome.astray;
      continue;
    }
    const Millis run = job.end - job.first_start;
    if (run != std::min(job.spec.work, job.spec.limit)) ++outcome.astray;
    outcome.waits.push_back(job.first_start - job.spec.submit);
    outcome.runs.push_back(run);
    outcome.first_submit = std::min(outcome.first_submit, job.spec.submit);
    outcome.last_end = std::max(outcome.last_end, job.end);
    const model::Shape& shape = engine.state().shapes[job.spec.shape.index()];
    outcome.held += base::i128{shape.total()[slot]} * run;
  }
  return outcome;
}

// Runs all jobs of the trace to the end.
//   Errors  those of load_jobs.
inline base::Result<Replay> replay(const codec::Trace& trace, const Pool& pool,
                                   const model::Policy& policy) {
  model::State state = pool_state(pool, policy);
  const model::ResourceId slot = *state.cluster.resources.find(pool.resource);
  STINT_TRY(std::vector<model::JobSpec> jobs,
            sim::load_jobs(trace, {.queue_map = {}, .auto_queues = true}, state));
  sim::Simulator simulator(std::move(state), std::move(jobs));
  simulator.run_to_rest();
  return read_outcome(simulator.engine(), slot);
}

}  // namespace stint::oracle
