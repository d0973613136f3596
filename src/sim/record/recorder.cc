#include "sim/record/recorder.h"

#include <optional>

namespace stint::sim {

namespace {

using codec::JobFact;
using codec::JournalWhat;
using codec::NodeFact;
using engine::State;

constexpr std::size_t kPiece = std::size_t{1} << 16U;

// A fact as the journal knows it; submissions and policies need more than the fact.
struct Plain {
  const State& state;

  std::optional<JournalWhat> operator()(const engine::JobAdded& /*fact*/) const { return {}; }
  std::optional<JournalWhat> operator()(const engine::JobSubmitted& /*fact*/) const { return {}; }
  std::optional<JournalWhat> operator()(const engine::PolicyApplied& /*fact*/) const { return {}; }
  std::optional<JournalWhat> operator()(const engine::JobCancelled& fact) const {
    return codec::JournalJobFact{JobFact::Cancelled, fact.job};
  }
  std::optional<JournalWhat> operator()(const engine::JobHeld& fact) const {
    return codec::JournalJobFact{JobFact::Held, fact.job};
  }
  std::optional<JournalWhat> operator()(const engine::JobReleased& fact) const {
    return codec::JournalJobFact{JobFact::Released, fact.job};
  }
  std::optional<JournalWhat> operator()(const engine::RunEnded& fact) const {
    return codec::JournalEnded{fact.job, fact.done};
  }
  std::optional<JournalWhat> operator()(const engine::RunStopped& fact) const {
    return codec::JournalStopped{fact.job, fact.work_saved, fact.lost};
  }
  std::optional<JournalWhat> operator()(const engine::NodeFailed& fact) const {
    return node(NodeFact::Failed, fact.node);
  }
  std::optional<JournalWhat> operator()(const engine::NodeReturned& fact) const {
    return node(NodeFact::Returned, fact.node);
  }
  std::optional<JournalWhat> operator()(const engine::NodeDrained& fact) const {
    return node(NodeFact::Drained, fact.node);
  }
  std::optional<JournalWhat> operator()(const engine::NodeResumed& fact) const {
    return node(NodeFact::Resumed, fact.node);
  }
  [[nodiscard]] JournalWhat node(NodeFact fact, base::NodeId id) const {
    return codec::JournalNodeFact{fact, state.cluster.nodes[id.index()].name};
  }
};

codec::JournalStarted start_of(const State& state, const engine::Start& start) {
  codec::JournalStarted started{start.job, start.run, {}};
  for (const model::Slice& slice : state.runs[state.jobs[start.job].run].placement) {
    started.on.push_back(
        {state.cluster.nodes[slice.node.index()].name, slice.tasks, slice.devices});
  }
  return started;
}

}  // namespace

Recorder::Recorder(Sinks sinks) : sinks_(std::move(sinks)) {
  piece_ = codec::journal_header() + "\n";
}

void Recorder::finish() {
  sinks_.journal(piece_);
  piece_.clear();
}

void Recorder::write(const State& state, JournalWhat what) {
  piece_ += codec::journal_line({state.now, std::move(what)});
  piece_ += '\n';
  if (piece_.size() >= kPiece) finish();
}

codec::JournalSubmitted Recorder::submission(const State& state, JobId id) const {
  const model::JobAsk& ask = state.jobs[id].spec;
  const model::Shape& shape = state.shapes[ask.shape.index()];
  const model::Habit& habit = state.habits[ask.habit];
  codec::JournalSubmitted job;
  job.job = id;
  job.name = sinks_.name(state, id);
  job.queue = state.tree[ask.queue].path;
  job.user = state.users.name(ask.user.value);
  job.tasks = shape.tasks;
  for (std::size_t r = 0; r < state.cluster.resources.size(); ++r) {
    const base::ResourceId resource(r);
    if (shape.each[resource] == 0) continue;
    job.each.emplace_back(state.cluster.resources.name(resource), shape.each[resource]);
  }
  for (const base::LabelId label : shape.where) {
    job.where.push_back(state.cluster.labels.name(label.value));
  }
  job.priority = ask.priority;
  job.preemptible = ask.preemptible;
  job.impossible = ask.impossible;
  job.submit = ask.submit;
  job.work = ask.work;
  job.limit = ask.limit;
  job.checkpoint = habit.checkpoint;
  job.stops_in = habit.stops_in;
  if (const auto after = state.after.find(id); after != state.after.end()) {
    job.after = after->second;
  }
  return job;
}

void Recorder::told(const engine::Engine& engine, const engine::Event& fact,
                    const std::vector<engine::Decision>& orders) {
  const State& state = engine.state();
  if (const auto* submitted = std::get_if<engine::JobSubmitted>(&fact)) {
    write(state, submission(state, submitted->job));
  } else if (std::holds_alternative<engine::PolicyApplied>(fact)) {
    write(state, codec::JournalApplied{sinks_.keep(state)});
  } else if (auto plain = std::visit(Plain{state}, fact)) {
    write(state, std::move(*plain));
  }
  for (const engine::Decision& order : orders) write_decision(state, order);
}

void Recorder::decided(const engine::Engine& engine,
                       const std::vector<engine::Decision>& decisions) {
  for (const engine::Decision& decision : decisions) write_decision(engine.state(), decision);
  write(engine.state(), codec::JournalPass{decisions.size()});
}

void Recorder::write_decision(const State& state, const engine::Decision& decision) {
  if (const auto* start = std::get_if<engine::Start>(&decision)) {
    write(state, start_of(state, *start));
  } else {
    const auto& stop = std::get<engine::Stop>(decision);
    write(state, codec::JournalTold{stop.job, stop.cause, stop.deadline});
  }
}

void Recorder::restarted(const engine::Engine& engine) {
  write(engine.state(), codec::JournalRestarted{});
}

}  // namespace stint::sim
