#include "sim/record/replay.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "codec/journal/journal.h"

namespace stint::sim {

namespace {

using base::JobId;
using base::Millis;
using base::Result;
using engine::Decision;
using engine::State;
using model::JobState;

Result<void> told_wrongly(std::string_view what) {
  return base::refuse(fmt::format("{} is not what the engine decides", what));
}

class Replay {
 public:
  Replay(State start, const SnapshotLoader& load) : engine_(std::move(start)), load_(load) {
    for (const model::Node& node : state().cluster.nodes) nodes_.intern(node.name);
    index_queues();
  }

  Result<void> take(const codec::JournalEntry& entry) {
    if (entry.at < state().now) return base::refuse("time runs backwards");
    now_ = entry.at;
    return std::visit([this](const auto& what) { return on(what); }, entry.what);
  }
  Result<Replayed> finish() && {
    if (!open_.empty() || !starts_.empty())
      return base::refuse("the journal is cut short: a decision has no pass");
    return Replayed{std::move(engine_).take_state(), facts_, decisions_};
  }

 private:
  [[nodiscard]] const State& state() const { return engine_.state(); }

  void index_queues() {
    queues_ = base::StringIndex();
    for (const model::Queue& queue : state().tree.queues) queues_.intern(queue.path);
  }

  // --- facts

  Result<void> tell(engine::Event fact) {
    if (!open_.empty()) return told_wrongly("that nothing was ordered before");
    ++facts_;
    open_ = engine_.apply(now_, fact);
    return {};
  }

  Result<void> on(const codec::JournalSubmitted& job) {
    if (!state().jobs.has(job.job)) {
      STINT_TRY(model::JobSpec spec, spec_of(job));
      if (state().jobs.state_of(job.job) != JobState::Future) {
        return base::refuse(fmt::format("job {} is over and forgotten", job.job.value));
      }
      engine_.apply(now_, engine::JobAdded{std::move(spec), job.job});
    }
    const JobState stands = state().jobs[job.job].state;
    if (stands != JobState::Future && stands != JobState::Cancelled) {
      return base::refuse(fmt::format("job {} was submitted before", job.job.value));
    }
    return tell(engine::JobSubmitted{job.job});
  }

  Result<model::JobSpec> spec_of(const codec::JournalSubmitted& job) {
    model::JobSpec spec;
    const auto queue = queues_.find(job.queue);
    if (!queue || !state().tree.queues[*queue].is_leaf()) {
      return base::refuse(fmt::format("queue {} is no leaf of the tree", job.queue));
    }
    spec.queue = base::QueueId(*queue);
    STINT_TRY(const model::Shape shape, shape_of(job));
    spec.shape = engine_.shape_id(shape);
    spec.user = engine_.user_id(job.user);
    spec.name = job.name;
    spec.priority = job.priority;
    spec.preemptible = job.preemptible;
    spec.impossible = job.impossible;
    spec.submit = job.submit;
    spec.work = job.work;
    spec.limit = job.limit;
    spec.checkpoint = job.checkpoint;
    spec.stops_in = job.stops_in;
    spec.after = job.after;
    return spec;
  }

  [[nodiscard]] Result<model::Shape> shape_of(const codec::JournalSubmitted& job) const {
    model::Shape shape;
    shape.tasks = job.tasks;
    shape.each = model::Amounts(state().cluster.resources.size());
    for (const auto& [name, amount] : job.each) {
      const auto resource = state().cluster.resources.find(name);
      if (!resource) return base::refuse(fmt::format("no node has the resource {}", name));
      shape.each[*resource] = amount;
    }
    for (const std::string& text : job.where) {
      const auto label = state().cluster.labels.find(text);
      if (!label) return base::refuse(fmt::format("the label {} is unknown", text));
      shape.where.emplace_back(*label);
    }
    std::sort(shape.where.begin(), shape.where.end());
    return shape;
  }

  Result<void> on(const codec::JournalJobFact& fact) {
    if (!state().jobs.has(fact.job)) return no_such_job(fact.job);
    switch (fact.fact) {
      case codec::JobFact::Cancelled:
        return tell(engine::JobCancelled{fact.job});
      case codec::JobFact::Held:
        return tell(engine::JobHeld{fact.job});
      case codec::JobFact::Released:
        return tell(engine::JobReleased{fact.job});
    }
    return {};
  }
  static Result<void> no_such_job(JobId job) {
    return base::refuse(fmt::format("job {} is unknown", job.value));
  }
  // The job's run; none if it has none.
  [[nodiscard]] const model::Run* run_of(JobId job) const {
    if (!state().jobs.has(job) || state().jobs[job].state != JobState::Running) return nullptr;
    return &state().runs[state().jobs[job].run];
  }

  Result<void> on(const codec::JournalEnded& ended) {
    if (run_of(ended.job) == nullptr) return base::refuse("a job that does not run cannot end");
    return tell(engine::RunEnded{ended.job, ended.done});
  }

  Result<void> on(const codec::JournalStopped& stopped) {
    const model::Run* run = run_of(stopped.job);
    if (run == nullptr || run->told_at == base::kNever) {
      return base::refuse("a run that was not told to stop cannot stop");
    }
    return tell(engine::RunStopped{stopped.job, stopped.work_saved, stopped.lost});
  }

  Result<void> on(const codec::JournalNodeFact& fact) {
    const auto found = nodes_.find(fact.node);
    if (!found) return base::refuse(fmt::format("node {} is unknown", fact.node));
    const base::NodeId node(*found);
    switch (fact.fact) {
      case codec::NodeFact::Failed:
        return tell(engine::NodeFailed{node});
      case codec::NodeFact::Returned:
        return tell(engine::NodeReturned{node});
      case codec::NodeFact::Drained:
        return tell(engine::NodeDrained{node});
      case codec::NodeFact::Resumed:
        return tell(engine::NodeResumed{node});
    }
    return {};
  }

  Result<void> on(const codec::JournalApplied& applied) {
    STINT_TRY(State with, load_(applied.snapshot));
    if (with.tree.queues.size() < state().tree.queues.size()) {
      return base::refuse(fmt::format("{} has fewer queues than there were", applied.snapshot));
    }
    auto told = tell(engine::PolicyApplied{std::move(with.tree), with.policy});
    index_queues();
    return told;
  }

  Result<void> on(const codec::JournalRestarted& /*restarted*/) {
    engine_ = engine::Engine(std::move(engine_).take_state());
    return {};
  }

  // --- decisions: what follows from a fact at once comes after it, what a pass decides before it

  Result<void> on(const codec::JournalTold& told) {
    const auto* stop = open_.empty() ? nullptr : std::get_if<engine::Stop>(&open_.front());
    if (stop == nullptr || stop->job != told.job || stop->cause != told.cause ||
        stop->deadline != told.deadline) {
      return told_wrongly(fmt::format("that job {} must stop", told.job.value));
    }
    open_.erase(open_.begin());
    ++decisions_;
    return {};
  }

  Result<void> on(const codec::JournalStarted& started) {
    starts_.push_back(started);
    return {};
  }

  Result<void> on(const codec::JournalPass& pass) {
    if (!open_.empty()) return told_wrongly("that nothing was ordered before");
    const std::vector<Decision>& decided = engine_.decide(now_);
    if (decided.size() != pass.decisions || decided.size() != starts_.size()) {
      return told_wrongly(fmt::format("{} starts ({} were)", starts_.size(), decided.size()));
    }
    for (std::size_t i = 0; i < decided.size(); ++i) {
      const auto* start = std::get_if<engine::Start>(&decided[i]);
      if (start == nullptr || !is_as(*start, starts_[i])) {
        return told_wrongly(fmt::format("the start of job {}", starts_[i].job.value));
      }
    }
    decisions_ += decided.size();
    starts_.clear();
    return {};
  }

  [[nodiscard]] bool is_as(const engine::Start& start, const codec::JournalStarted& said) const {
    const model::Placement& on = run_of(start.job)->placement;
    return start.job == said.job && start.run == said.run &&
           std::equal(on.begin(), on.end(), said.on.begin(), said.on.end(),
                      [&](const model::Slice& slice, const codec::JournalSlice& other) {
                        return state().cluster.nodes[slice.node.index()].name == other.node &&
                               slice.tasks == other.tasks && slice.devices == other.devices;
                      });
  }

  engine::Engine engine_;
  const SnapshotLoader& load_;
  base::StringIndex nodes_;   // ids are those of State
  base::StringIndex queues_;  // ids are those of State
  Millis now_ = 0;
  std::vector<Decision> open_;                 // ordered by the last fact, not told yet
  std::vector<codec::JournalStarted> starts_;  // told, not decided yet
  std::uint64_t facts_ = 0;
  std::uint64_t decisions_ = 0;
};

}  // namespace

Result<Replayed> replay_journal(State start, std::string_view journal, const SnapshotLoader& load) {
  Replay replay(std::move(start), load);
  for (std::uint64_t number = 1; !journal.empty(); ++number) {
    const std::size_t end = std::min(journal.find('\n'), journal.size());
    const std::string_view line = journal.substr(0, end);
    journal.remove_prefix(std::min(end + 1, journal.size()));
    Result<void> taken;
    if (number == 1) {
      taken = codec::check_journal_header(line);
    } else if (auto entry = codec::read_journal_line(line)) {
      taken = replay.take(*entry);
    } else {
      taken = tl::unexpected(std::move(entry).error());
    }
    if (!taken) {
      return tl::unexpected(std::move(taken).error().in(fmt::format("line {}", number)));
    }
  }
  return std::move(replay).finish();
}

}  // namespace stint::sim
