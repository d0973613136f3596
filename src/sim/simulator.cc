#include "sim/simulator.h"

#include <algorithm>
#include <tuple>

#include "base/assert.h"

namespace stint::sim {

namespace {

constexpr auto kLater = [](const auto& a, const auto& b) { return b.key() < a.key(); };

bool is_run_end(const engine::Event& fact) {
  return std::holds_alternative<engine::RunEnded>(fact) ||
         std::holds_alternative<engine::RunStopped>(fact);
}

}  // namespace

Simulator::Simulator(engine::State state, std::vector<model::JobSpec> jobs,
                     std::vector<Outside> outside, Reload reload)
    : engine_(std::move(state)), reload_(std::move(reload)), outside_(std::move(outside)) {
  const std::size_t known = engine_.state().jobs.size();
  for (model::JobSpec& job : jobs) {
    submissions_.push_back(JobId(known + submissions_.size()));
    engine_.apply(engine_.state().now, engine::JobAdded{std::move(job)});
  }
  tokens_.resize(engine_.state().jobs.size());
  const auto& all = engine_.state().jobs;
  // At equal times file order holds: ids and `order` are given in it.
  std::sort(submissions_.begin(), submissions_.end(), [&](JobId a, JobId b) {
    const Millis at = all[a.index()].spec.submit;
    const Millis bt = all[b.index()].spec.submit;
    return at != bt ? at < bt : a < b;
  });
  for (std::size_t i = 0; i < outside_.size(); ++i) outside_[i].order = i;
  std::sort(outside_.begin(), outside_.end(), [](const Outside& a, const Outside& b) {
    return a.at != b.at ? a.at < b.at : a.order < b.order;
  });
}

Millis Simulator::next_instant() const {
  Millis next = engine_.next_wake();
  if (next_submission_ < submissions_.size()) {
    next = std::min(next, engine_.state().jobs[submissions_[next_submission_].index()].spec.submit);
  }
  if (next_outside_ < outside_.size()) next = std::min(next, outside_[next_outside_].at);
  if (!heap_.empty()) next = std::min(next, heap_.front().at);
  return next;
}

bool Simulator::step(Millis end) {
  drop_stale();
  const Millis t = next_instant();
  if (t > end || t == base::kNever) return false;
  let_time_pass(t);
  handle_instant(t);
  return true;
}

void Simulator::run_until(Millis end) {
  while (step(end)) {
  }
  if (end != base::kNever && end > engine_.state().now) {
    let_time_pass(end);
    decide(end);
  }
}

Millis Simulator::run_to_rest() {
  run_until(base::kNever);
  return engine_.state().now;
}

void Simulator::let_time_pass(Millis t) {
  if (t == engine_.state().now) return;
  for (Observer* observer : observers_) observer->time_passes(engine_, t);
}

void Simulator::handle_instant(Millis t) {
  ++instants_;
  if (engine_.state().policy.instant == model::Instant::SubmitFirst) {
    handle_one_by_one(t);
  } else {
    do {
      handle_happenings(t);
      handle_outside_at(t);
      handle_submissions(t);
      decide(t);
    } while (happening_due(t));
  }
  for (Observer* observer : observers_) observer->instant_ends(engine_);
}

// As other programs do it (traces/swf/README.md): submissions before ends, a pass after every
// single one.
void Simulator::handle_one_by_one(Millis t) {
  while (next_submission_ < submissions_.size()) {
    const JobId job = submissions_[next_submission_];
    if (engine_.state().jobs[job.index()].spec.submit > t) break;
    ++next_submission_;
    tell(engine::JobSubmitted{job}, t);
    decide(t);
  }
  while (handle_next_happening(t)) decide(t);
  handle_outside_at(t);
  decide(t);
}

void Simulator::drop_stale() {
  while (!heap_.empty() && heap_.front().token != tokens_[heap_.front().job.index()]) {
    std::pop_heap(heap_.begin(), heap_.end(), kLater);
    heap_.pop_back();
  }
}

bool Simulator::happening_due(Millis t) {
  drop_stale();
  return !heap_.empty() && heap_.front().at <= t;
}

bool Simulator::handle_next_happening(Millis t) {
  if (!happening_due(t)) return false;
  const Happening happening = heap_.front();
  std::pop_heap(heap_.begin(), heap_.end(), kLater);
  heap_.pop_back();
  ++tokens_[happening.job.index()];
  if (happening.kind == Kind::End) {
    tell(engine::RunEnded{happening.job, happening.done}, t);
  } else {
    tell(engine::RunStopped{happening.job, happening.work_saved, happening.lost}, t);
  }
  return true;
}

void Simulator::handle_happenings(Millis t) {
  while (handle_next_happening(t)) {
  }
}

void Simulator::handle_outside_at(Millis t) {
  while (next_outside_ < outside_.size() && outside_[next_outside_].at <= t) {
    handle_outside(outside_[next_outside_++]);
  }
}

void Simulator::handle_outside(const Outside& event) {
  for (const engine::Event& fact : event.facts) tell(fact, event.at);
  if (!event.restart_controller || !reload_) return;
  engine_ = engine::Engine(reload_(std::move(engine_).take_state()));
  for (Observer* observer : observers_) observer->after_event(engine_);
}

void Simulator::handle_submissions(Millis t) {
  while (next_submission_ < submissions_.size()) {
    const JobId job = submissions_[next_submission_];
    if (engine_.state().jobs[job.index()].spec.submit > t) break;
    ++next_submission_;
    tell(engine::JobSubmitted{job}, t);
    for (Observer* observer : observers_) observer->submitted(engine_, job);
  }
}

void Simulator::decide(Millis t) {
  for (Observer* observer : observers_) observer->deciding(engine_, t);
  const std::vector<engine::Decision> decisions = engine_.decide(t);
  for (const engine::Decision& decision : decisions) {
    if (const auto* start = std::get_if<engine::Start>(&decision)) {
      const engine::Ending ending = engine::ending(engine_.course_of(start->job));
      schedule({ending.at, Kind::End, start->job, 0, ending.done, 0, 0});
      for (Observer* observer : observers_) observer->started(engine_, *start);
    }
  }
  if (decisions.empty()) return;
  for (Observer* observer : observers_) observer->after_event(engine_);
}

void Simulator::tell(const engine::Event& fact, Millis t) {
  std::vector<std::uint32_t> failed;
  if (std::holds_alternative<engine::NodeFailed>(fact)) {
    for (const model::Run& run : engine_.state().runs) failed.push_back(run.job.value);
  }
  const std::vector<engine::Decision> orders = engine_.apply(t, fact);
  for (const std::uint32_t job : failed) {
    // What the failure stopped has no further happening.
    if (engine_.state().jobs[job].state != model::JobState::Running) ++tokens_[job];
  }
  for (const engine::Decision& order : orders) {
    if (const auto* stop = std::get_if<engine::Stop>(&order)) obey(*stop, t);
  }
  for (Observer* observer : observers_) {
    if (is_run_end(fact)) {
      const JobId job = std::holds_alternative<engine::RunEnded>(fact)
                            ? std::get<engine::RunEnded>(fact).job
                            : std::get<engine::RunStopped>(fact).job;
      observer->ended(engine_, job);
    }
    observer->after_event(engine_);
  }
}

void Simulator::obey(const engine::Stop& stop, Millis t) {
  const model::Job& job = engine_.state().jobs[stop.job.index()];
  const model::Run& run = engine_.state().runs[job.run];
  engine::Notice notice;
  notice.told = t;
  notice.stops_in = job.spec.stops_in;
  notice.grace = engine_.state().policy.grace;
  notice.saves = job.spec.checkpoint.on_notice && job.spec.checkpoint.every > 0;
  const engine::Leaving leaving = engine::leaving(engine_.course_of(stop.job), notice);
  const Kind kind = leaving.ends_itself ? Kind::End : Kind::Stop;
  const Millis saved = run.work_before + leaving.saved;
  if (leaving.at == t && kind == Kind::Stop) {
    // A stop that takes no time is over within this step, before the passes of the instant.
    ++tokens_[stop.job.index()];
    tell(engine::RunStopped{stop.job, saved, leaving.lost}, t);
    return;
  }
  schedule({leaving.at, kind, stop.job, 0, leaving.done, saved, leaving.lost});
}

void Simulator::schedule(Happening happening) {
  happening.token = ++tokens_[happening.job.index()];
  if (happening.at == base::kNever) return;
  heap_.push_back(happening);
  std::push_heap(heap_.begin(), heap_.end(), kLater);
}

}  // namespace stint::sim
