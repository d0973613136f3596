#include "sim/scenario/record.h"

#include <algorithm>

#include <fmt/format.h>

namespace stint::sim {

void ScenarioRecord::started(const engine::Engine& /*engine*/, const engine::Start& start) {
  if (start.run == 1) first_starts_.push_back(start.job);
}

void ScenarioRecord::after_event(const engine::Engine& engine) {
  note(engine, model::broken_invariants(engine.state()));
  note(engine, limits_.check(engine.state()));
}

// I6: nothing that fits and is allowed stays pending at the end of the passes.
void ScenarioRecord::instant_ends(const engine::Engine& engine) {
  const engine::State& state = engine.state();
  const bool head_blocks =
      state.policy.order == model::Order::Fifo && state.policy.reservation_count() == 0;
  const bool all_are_tried = !head_blocks && state.policy.cycle == 0;
  if (!all_are_tried) return;
  for (std::size_t j = 0; j < state.jobs.size(); ++j) {
    if (state.jobs[j].state != model::JobState::Waiting || !engine.could_start(JobId(j))) continue;
    note(engine, {fmt::format("I6: {} fits, is allowed, and was not started",
                              model::job_name(state, JobId(j)))});
    return;
  }
}

void ScenarioRecord::note(const engine::Engine& engine, const std::vector<std::string>& found) {
  for (const std::string& breach : found) {
    if (std::find(seen_.begin(), seen_.end(), breach) != seen_.end()) continue;
    seen_.push_back(breach);
    breaches_.push_back(
        fmt::format("{} (at {})", breach, base::format_duration(engine.state().now)));
  }
}

base::i128 charged_gpu_ms(const engine::State& state, base::QueueId queue) {
  const auto gpu = state.cluster.resources.gpu();
  base::i128 sum = 0;
  for (const JobId id : state.jobs.ids()) {
    const model::Job& job = state.jobs[id];
    if (!state.tree.is_ancestor_or_self(queue, job.spec.queue)) continue;
    sum += job.held_gpu_ms - job.lost_gpu_ms;
    if (job.state != model::JobState::Running || !gpu) continue;
    const model::Run& run = state.runs[job.run];
    sum += base::i128{run.holds[*gpu]} * (state.now - run.start);
  }
  return sum;
}

}  // namespace stint::sim
