#include "sim/simulator.h"

#include <algorithm>
#include <tuple>

#include "base/assert.h"

namespace stint::sim {

namespace {

bool is_run_end(const engine::Event& fact) {
  return std::holds_alternative<engine::RunEnded>(fact) ||
         std::holds_alternative<engine::RunStopped>(fact);
}

bool is_over(model::JobState state) {
  switch (state) {
    case model::JobState::Future:
    case model::JobState::Waiting:
    case model::JobState::Running:
      return false;
    case model::JobState::Done:
    case model::JobState::Timeout:
    case model::JobState::Cancelled:
      return true;
  }
  return false;
}

}  // namespace

Simulator::Simulator(engine::State state, std::vector<model::JobSpec> jobs,
                     std::vector<Outside> outside, Reload reload)
    : engine_(std::move(state)), reload_(std::move(reload)), outside_(std::move(outside)) {
  const std::size_t known = engine_.state().jobs.size();
  for (model::JobSpec& job : jobs) {
    const JobId id(known + submissions_.size());
    submissions_.push_back(id);
    if (job.patience != base::kNever) patience_.emplace(id, job.patience);
    engine_.apply(engine_.state().now, engine::JobAdded{std::move(job), id});
  }
  const auto& all = engine_.state().jobs;
  // At equal times file order holds: ids and `order` are given in it.
  std::sort(submissions_.begin(), submissions_.end(), [&](JobId a, JobId b) {
    const Millis at = all[a].spec.submit;
    const Millis bt = all[b].spec.submit;
    return at != bt ? at < bt : a < b;
  });
  for (std::size_t i = 0; i < outside_.size(); ++i) outside_[i].order = i;
  std::sort(outside_.begin(), outside_.end(), [](const Outside& a, const Outside& b) {
    return a.at != b.at ? a.at < b.at : a.order < b.order;
  });
}

Simulator::Simulator(engine::State state, std::unique_ptr<JobSource> source)
    : engine_(std::move(state)), source_(std::move(source)) {}

Millis Simulator::next_instant() const {
  Millis next = engine_.next_wake();
  if (source_) next = std::min(next, source_->next_submit());
  if (next_submission_ < submissions_.size()) {
    next = std::min(next, engine_.state().jobs[submissions_[next_submission_]].spec.submit);
  }
  if (next_outside_ < outside_.size()) next = std::min(next, outside_[next_outside_].at);
  if (!heap_.empty()) next = std::min(next, heap_.top().at);
  if (!impatient_.empty()) next = std::min(next, impatient_.top().at);
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
  switch (engine_.state().policy.instant) {
    case model::Instant::EndFirst:
      do {
        handle_happenings(t);
        handle_outside_at(t);
        while (submit_next(t)) {
        }
        decide(t);
      } while (happening_due(t) || lose_patience(t));
      break;
    case model::Instant::SubmitFirst:
      handle_submissions_first(t);
      break;
    case model::Instant::EachEnd:
      handle_each_end(t);
      break;
  }
  for (Observer* observer : observers_) observer->instant_ends(engine_);
}

// As other programs do it (traces/swf/README.md): submissions before ends, ends in the order of
// their starts, a pass after every single one; but what reaches its limit at `t` counts as gone
// before anything is decided.
void Simulator::handle_submissions_first(Millis t) {
  do {
    const std::vector<Happening> due = take_due(t);
    for (const Happening& happening : due) {
      if (is_at_limit(happening)) handle(happening, t);
    }
    while (submit_next(t)) decide(t);
    for (const Happening& happening : due) {
      if (!is_told(happening)) handle(happening, t);
      decide(t);
    }
  } while (happening_due(t));
  finish_instant(t);
}

// A pass after every single end, in the order of their starts, then after every submission; nothing
// counts as gone before its end.
void Simulator::handle_each_end(Millis t) {
  do {
    for (const Happening& happening : take_due(t)) {
      if (!is_told(happening)) handle(happening, t);
      decide(t);
    }
    while (submit_next(t)) decide(t);
  } while (happening_due(t));
  finish_instant(t);
}

void Simulator::finish_instant(Millis t) {
  handle_outside_at(t);
  decide(t);
  while (lose_patience(t)) decide(t);
}

// Whether it has come already, or something before it has put it off.
bool Simulator::is_told(const Happening& happening) const {
  return happening.token != token_of(happening.job) ||
         engine_.state().jobs.state_of(happening.job) != model::JobState::Running;
}

// Everything that happens at `t`, in the order in which it was planned.
std::vector<Simulator::Happening> Simulator::take_due(Millis t) {
  std::vector<Happening> due;
  while (happening_due(t)) {
    due.push_back(heap_.top());
    heap_.pop();
  }
  std::sort(due.begin(), due.end(),
            [](const Happening& a, const Happening& b) { return a.order < b.order; });
  return due;
}

bool Simulator::is_at_limit(const Happening& happening) const {
  const model::Job& job = engine_.state().jobs[happening.job];
  const model::Run& run = engine_.state().runs[job.run];
  return happening.kind == Kind::End && base::later(run.start, job.spec.limit) <= happening.at;
}

std::uint32_t Simulator::token_of(JobId job) const {
  if (tokens_.empty()) return 0;
  const auto it = tokens_.find(job);
  return it == tokens_.end() ? 0 : it->second;
}

void Simulator::drop_stale() {
  const auto is_stale = [&](const Happening& next) {
    return engine_.state().jobs.state_of(next.job) != model::JobState::Running ||
           next.token != token_of(next.job);
  };
  while (was_replanned_ && !heap_.empty() && is_stale(heap_.top())) heap_.pop();
  // Who has started, or left, is no longer impatient.
  while (!impatient_.empty() &&
         engine_.state().jobs.state_of(impatient_.top().job) != model::JobState::Waiting) {
    impatient_.pop();
  }
}

bool Simulator::happening_due(Millis t) {
  drop_stale();
  return !heap_.empty() && heap_.top().at <= t;
}

void Simulator::handle(const Happening& happening, Millis t) {
  if (happening.kind == Kind::End) {
    tell(engine::RunEnded{happening.job, happening.done}, t);
  } else {
    const Leaving leaving = leaving_[happening.job];
    tell(engine::RunStopped{happening.job, leaving.work_saved, leaving.lost}, t);
  }
}

bool Simulator::handle_next_happening(Millis t) {
  if (!happening_due(t)) return false;
  const Happening happening = heap_.top();
  heap_.pop();
  handle(happening, t);
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
  for (Observer* observer : observers_) observer->restarted(engine_);
  for (Observer* observer : observers_) observer->after_event(engine_);
}

// The next submission that is due at `t`; false if there is none.
bool Simulator::submit_next(Millis t) {
  JobId job;
  Millis patience = base::kNever;
  if (source_) {
    if (source_->next_submit() > t) return false;
    auto [id, spec] = source_->take();
    job = id;
    patience = spec.patience;
    engine_.apply(t, engine::JobAdded{std::move(spec), id});
  } else {
    if (next_submission_ >= submissions_.size()) return false;
    job = submissions_[next_submission_];
    if (engine_.state().jobs[job].spec.submit > t) return false;
    ++next_submission_;
    if (const auto it = patience_.find(job); it != patience_.end()) patience = it->second;
  }
  tell(engine::JobSubmitted{job}, t);
  if (patience != base::kNever) impatient_.push({base::later(t, patience), job});
  for (Observer* observer : observers_) observer->submitted(engine_, job);
  return true;
}

// Jobs that have not started in the passes of their last instant leave; whether one did.
bool Simulator::lose_patience(Millis t) {
  drop_stale();
  if (impatient_.empty() || impatient_.top().at > t) return false;
  const JobId job = impatient_.top().job;
  impatient_.pop();
  if (engine_.state().jobs[job].runs > 0) return true;  // back from a failure
  tell(engine::JobCancelled{job}, t);
  return true;
}

void Simulator::decide(Millis t) {
  for (Observer* observer : observers_) observer->deciding(engine_, t);
  const std::vector<engine::Decision>& decisions = engine_.decide(t);
  for (Observer* observer : observers_) observer->decided(engine_, decisions);
  for (const engine::Decision& decision : decisions) {
    if (const auto* start = std::get_if<engine::Start>(&decision)) {
      const engine::Ending ending = engine::ending(engine_.course_of(start->job));
      schedule({ending.at, start->job, 0, Kind::End, ending.done, 0});
      for (Observer* observer : observers_) observer->started(engine_, *start);
    }
  }
  if (decisions.empty()) return;
  for (Observer* observer : observers_) observer->after_event(engine_);
}

void Simulator::note_end(JobId job) {
  if (!is_over(engine_.state().jobs[job].state)) return;
  for (Observer* observer : observers_) observer->finished(engine_, job);
  tokens_.erase(job);
  leaving_.erase(job);
  if (source_) engine_.forget(job);
}

void Simulator::tell(const engine::Event& fact, Millis t) {
  std::vector<JobId> failed;
  if (std::holds_alternative<engine::NodeFailed>(fact)) {
    for (const model::Run& run : engine_.state().runs) failed.push_back(run.job);
  }
  const auto* cancel = std::get_if<engine::JobCancelled>(&fact);
  const bool was_over = cancel && is_over(engine_.state().jobs.state_of(cancel->job));
  for (Observer* observer : observers_) observer->telling(engine_, fact, t);
  const std::vector<engine::Decision> orders = engine_.apply(t, fact);
  for (Observer* observer : observers_) observer->told(engine_, fact, orders);
  for (const JobId job : failed) {
    // What the failure stopped has no further happening.
    if (engine_.state().jobs[job].state == model::JobState::Running) continue;
    ++tokens_[job];
    was_replanned_ = true;
    note_end(job);
  }
  for (const engine::Decision& order : orders) {
    if (const auto* stop = std::get_if<engine::Stop>(&order)) obey(*stop, t);
  }
  JobId over;
  if (is_run_end(fact)) {
    over = std::holds_alternative<engine::RunEnded>(fact) ? std::get<engine::RunEnded>(fact).job
                                                          : std::get<engine::RunStopped>(fact).job;
    for (Observer* observer : observers_) observer->ended(engine_, over);
  } else if (cancel && !was_over) {
    over = cancel->job;
  }
  if (!is_run_end(fact) && !std::holds_alternative<engine::JobSubmitted>(fact)) {
    for (Observer* observer : observers_) observer->world_changed(engine_);
  }
  for (Observer* observer : observers_) observer->after_event(engine_);
  if (over.valid() && engine_.state().jobs.has(over)) note_end(over);
}

void Simulator::obey(const engine::Stop& stop, Millis t) {
  const model::Job& job = engine_.state().jobs[stop.job];
  const model::Run& run = engine_.state().runs[job.run];
  engine::Notice notice;
  notice.told = t;
  const model::Habit& habit = engine_.state().habits[job.spec.habit];
  notice.stops_in = habit.stops_in;
  notice.grace = engine_.state().policy.grace;
  notice.saves = habit.checkpoint.on_notice && habit.checkpoint.every > 0;
  const engine::Leaving leaving = engine::leaving(engine_.course_of(stop.job), notice);
  const Kind kind = leaving.ends_itself ? Kind::End : Kind::Stop;
  const Millis saved = run.work_before + leaving.saved;
  ++tokens_[stop.job];
  was_replanned_ = true;
  if (leaving.at == t && kind == Kind::Stop) {
    // A stop that takes no time is over within this step, before the passes of the instant.
    tell(engine::RunStopped{stop.job, saved, leaving.lost}, t);
    return;
  }
  leaving_[stop.job] = {saved, leaving.lost};
  schedule({leaving.at, stop.job, 0, kind, leaving.done, 0});
}

void Simulator::schedule(Happening happening) {
  if (happening.at == base::kNever) return;
  happening.token = token_of(happening.job);
  happening.order = planned_++;
  heap_.push(happening);
}

}  // namespace stint::sim
