#include "engine/turn/runs_by_limit.h"

namespace stint::engine {

RunsByLimit::RunsByLimit(const State& state) : by_leaf_(state.queues.size()) {
  for (const model::Run& run : state.runs) add(state, run.job);
}

std::pair<Millis, JobId> RunsByLimit::entry(const State& state, JobId job) {
  const model::Job& of = state.jobs[job];
  return {base::later(state.runs[of.run].start, of.spec.limit), job};
}

void RunsByLimit::add(const State& state, JobId job) {
  by_leaf_[state.jobs[job].spec.queue.index()].insert(entry(state, job));
  all_.insert(entry(state, job));
}

void RunsByLimit::remove(const State& state, JobId job) {
  by_leaf_[state.jobs[job].spec.queue.index()].erase(entry(state, job));
  all_.erase(entry(state, job));
}

}  // namespace stint::engine
