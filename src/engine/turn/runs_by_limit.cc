#include "engine/turn/runs_by_limit.h"

namespace stint::engine {

RunsByLimit::RunsByLimit(const State& state)
    : by_leaf_(state.policy.order == model::Order::Fair),
      lists_(by_leaf_ ? state.queues.size() : 1) {
  for (const model::Run& run : state.runs) add(state, run.job);
}

RunsByLimit::Runs& RunsByLimit::list_of(const State& state, JobId job) {
  return lists_[by_leaf_ ? state.jobs[job].spec.queue.index() : 0];
}

std::pair<Millis, JobId> RunsByLimit::entry(const State& state, JobId job) {
  const model::Job& of = state.jobs[job];
  return {base::later(state.runs[of.run].start, of.spec.limit), job};
}

void RunsByLimit::add(const State& state, JobId job) {
  list_of(state, job).insert(entry(state, job));
}

void RunsByLimit::remove(const State& state, JobId job) {
  list_of(state, job).erase(entry(state, job));
}

}  // namespace stint::engine
