#include "sim/metrics/run_costs.h"

#include <algorithm>

namespace stint::sim {

using model::StopCause;

void RunCosts::add(Sums& sums, const engine::Engine& engine, const model::Run& run, Millis now,
                   Millis from, Close close, base::ResourceId main) {
  const Millis begin = std::max(run.start, from);
  if (now <= begin) return;
  // What was worked before the count began is not counted, whether it was saved then or later.
  const Millis before =
      run.start < from ? engine::progress_at(engine.course_of(run.job), from).worked : 0;
  const base::i128 amount = run.holds[main];
  const Millis useful = std::max<Millis>(0, close.kept - before);
  const Millis lost = std::min(close.lost, now - begin);
  sums.useful += amount * useful;
  sums.lost += amount * lost;
  sums.overhead += amount * (now - begin - useful - lost);
}

void RunCosts::stopped(const engine::Engine& engine, const engine::RunStopped& fact, Millis now,
                       Millis from) {
  const engine::State& state = engine.state();
  const model::Job& job = state.jobs[fact.job];
  const model::Run& run = state.runs[job.run];
  const model::Checkpoint& saves = state.habits[job.spec.habit].checkpoint;
  const bool saved_on_notice = saves.on_notice && saves.every > 0;
  Close close{fact.work_saved - run.work_before, fact.lost};
  if (run.cause == StopCause::Cancel) {
    // Its owner wanted no more: nothing of it is lost to anybody.
    close.lost = 0;
    if (!saved_on_notice) {
      close.kept = engine::progress_at(engine.course_of(fact.job), now).worked;
    }
  } else if (now > from) {
    const Millis lost = std::min(close.lost, now - std::max(run.start, from));
    sums_.preemption += base::i128{run.holds[main_]} * (lost + saves.restart);
  }
  add(sums_, engine, run, now, from, close, main_);
}

void RunCosts::node_failed(const engine::Engine& engine, base::NodeId node, Millis now,
                           Millis from) {
  const engine::State& state = engine.state();
  for (const model::Run& run : state.runs) {
    const bool is_hit = std::any_of(run.placement.begin(), run.placement.end(),
                                    [&](const model::Slice& s) { return s.node == node; });
    if (!is_hit) continue;
    const engine::Progress progress = engine::progress_at(engine.course_of(run.job), now);
    add(sums_, engine, run, now, from, {progress.saved, now - progress.since}, main_);
    if (now <= from) continue;
    // One that was cancelled does not come back.
    const Millis restart = run.cause == StopCause::Cancel
                               ? 0
                               : state.habits[state.jobs[run.job].spec.habit].checkpoint.restart;
    const Millis lost = now - std::max(progress.since, from);
    sums_.failure += base::i128{run.holds[main_]} * (lost + restart);
  }
}

void RunCosts::telling(const engine::Engine& engine, const engine::Event& fact, Millis now,
                       Millis from) {
  if (const auto* ended = std::get_if<engine::RunEnded>(&fact)) {
    const model::Run& run = engine.state().runs[engine.state().jobs[ended->job].run];
    const Millis worked = engine::progress_at(engine.course_of(ended->job), now).worked;
    add(sums_, engine, run, now, from, {worked, 0}, main_);
  } else if (const auto* stop = std::get_if<engine::RunStopped>(&fact)) {
    stopped(engine, *stop, now, from);
  } else if (const auto* failed = std::get_if<engine::NodeFailed>(&fact)) {
    node_failed(engine, failed->node, now, from);
  }
}

RunCosts::Sums RunCosts::sums(const engine::Engine& engine, Millis from) const {
  Sums sums = sums_;
  const Millis now = engine.state().now;
  for (const model::Run& run : engine.state().runs) {
    const Millis worked = engine::progress_at(engine.course_of(run.job), now).worked;
    add(sums, engine, run, now, from, {worked, 0}, main_);
  }
  return sums;
}

}  // namespace stint::sim
