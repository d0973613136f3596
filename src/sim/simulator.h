// The virtual clock: feeds facts to the engine instant by instant and lets its runs unfold.
//
// At one instant (DESIGN §5.0): runs that end or stop, then events, then submissions, then passes
// until nothing changes. Runs unfold by engine/forward alone.
//
//   Simulator sim(make_state(cluster, tree, policy), jobs);
//   sim.run_until(2 * kDay);
//
// Invariants  1. deterministic: no clock, no hash order.  2. happenings at one instant are handled
// ends
//             before stops, jobs in order.
// Threads     one owner; several simulators may run beside each other.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/heap4.h"
#include "engine/engine.h"

namespace stint::sim {

using base::JobId;
using base::Millis;

// Where jobs come from, in the order in which they are submitted.
class JobSource {
 public:
  JobSource() = default;
  JobSource(const JobSource&) = delete;
  JobSource& operator=(const JobSource&) = delete;
  virtual ~JobSource() = default;

  // When the next job is submitted; kNever if there is none.
  [[nodiscard]] virtual Millis next_submit() const = 0;
  // The next job, under the id that it has for all time. Requires that there is one.
  virtual std::pair<JobId, model::JobSpec> take() = 0;
};

// Something from outside that happens at a stated time: a fact, or a restart of the controller.
struct Outside {
  Millis at = 0;
  std::vector<engine::Event> facts;
  bool restart_controller = false;
  std::size_t order = 0;  // place in the file; set by the simulator
};

// What watches a simulation; every call leaves the engine as it is.
class Observer {
 public:
  Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;
  virtual ~Observer() = default;
  // The engine is about to be told a fact that happens at `now`; State is that before.
  virtual void telling(const engine::Engine& /*engine*/, const engine::Event& /*fact*/,
                       Millis /*now*/) {}
  // The engine was told a fact, and gave these orders at once; a job in it is still known.
  virtual void told(const engine::Engine& /*engine*/, const engine::Event& /*fact*/,
                    const std::vector<engine::Decision>& /*orders*/) {}
  // Passes were made at state().now, and this was decided; nothing has come of it yet.
  virtual void decided(const engine::Engine& /*engine*/,
                       const std::vector<engine::Decision>& /*decisions*/) {}
  // The controller was started anew from its State.
  virtual void restarted(const engine::Engine& /*engine*/) {}
  // Time is about to move from state().now to `next`; State holds for all of that span.
  virtual void time_passes(const engine::Engine& /*engine*/, Millis /*next*/) {}
  virtual void submitted(const engine::Engine& /*engine*/, JobId /*job*/) {}
  // Passes are about to begin at `now`: State is what they will decide on.
  virtual void deciding(const engine::Engine& /*engine*/, Millis /*now*/) {}
  virtual void started(const engine::Engine& /*engine*/, const engine::Start& /*start*/) {}
  virtual void ended(const engine::Engine& /*engine*/, JobId /*job*/) {}
  // The job is over, run or not: nothing more happens to it, and it may be forgotten afterwards.
  virtual void finished(const engine::Engine& /*engine*/, JobId /*job*/) {}
  // Something other than a job has changed: nodes, policy, or an order about jobs.
  virtual void world_changed(const engine::Engine& /*engine*/) {}
  // After every fact and every pass, for invariants.
  virtual void after_event(const engine::Engine& /*engine*/) {}
  // The instant is over.
  virtual void instant_ends(const engine::Engine& /*engine*/) {}
};

class Simulator {
 public:
  // Turns State into bytes and back, for `restart: controller`; given by whoever owns the format.
  using Reload = std::function<engine::State(engine::State)>;

  // `jobs` in file order: their index becomes their JobId. `outside` in file order.
  Simulator(engine::State state, std::vector<model::JobSpec> jobs,
            std::vector<Outside> outside = {}, Reload reload = {});

  // Jobs that become known only when they are submitted, and are forgotten when they are over: for
  // runs of any length.
  Simulator(engine::State state, std::unique_ptr<JobSource> source);

  void watch(Observer* observer) { observers_.push_back(observer); }

  void unwatch(Observer* observer) { std::erase(observers_, observer); }

  // Handles the next instant if it is no later than `end`; whether there was one.
  bool step(Millis end);
  // Handles every instant up to and including `end`, then lets time pass up to `end`.
  void run_until(Millis end);
  // Runs until nothing more can happen; returns the last instant.
  Millis run_to_rest();
  // The next instant at which something happens; kNever when at rest.
  [[nodiscard]] Millis next_instant() const;

  [[nodiscard]] const engine::Engine& engine() const { return engine_; }
  [[nodiscard]] std::uint64_t instants() const { return instants_; }

 private:
  enum class Kind : std::uint8_t { End, Stop };
  struct Happening {
    Millis at = 0;
    JobId job;
    std::uint32_t token = 0;  // stale unless it is the job's present one
    Kind kind = Kind::End;
    bool done = false;
    std::uint64_t order = 0;  // in which happenings were planned

    friend bool operator<(const Happening& a, const Happening& b) {
      if (a.at != b.at) return a.at < b.at;
      if (a.kind != b.kind) return a.kind < b.kind;
      return a.job != b.job ? a.job < b.job : a.token < b.token;
    }
  };
  // What a stopped run leaves with.
  struct Leaving {
    Millis work_saved = 0;
    Millis lost = 0;
  };
  struct Patience {  // a job leaves if it has not started by then
    Millis at = 0;
    JobId job;

    friend bool operator<(const Patience& a, const Patience& b) {
      return a.at != b.at ? a.at < b.at : a.job < b.job;
    }
  };

  void handle_instant(Millis t);
  void handle_happenings(Millis t);
  void handle_submissions_first(Millis t);
  void handle_each_end(Millis t);
  void finish_instant(Millis t);
  bool handle_next_happening(Millis t);
  void handle(const Happening& happening, Millis t);
  [[nodiscard]] std::vector<Happening> take_due(Millis t);
  [[nodiscard]] bool is_told(const Happening& happening) const;
  [[nodiscard]] bool is_at_limit(const Happening& happening) const;
  void handle_outside(const Outside& event);
  void handle_outside_at(Millis t);
  bool submit_next(Millis t);
  bool lose_patience(Millis t);
  void decide(Millis t);
  void tell(const engine::Event& fact, Millis t);
  void note_end(JobId job);
  void obey(const engine::Stop& stop, Millis t);
  void schedule(Happening happening);
  void let_time_pass(Millis t);
  [[nodiscard]] bool happening_due(Millis t);
  void drop_stale();
  [[nodiscard]] std::uint32_t token_of(JobId job) const;

  engine::Engine engine_;
  Reload reload_;
  std::vector<Observer*> observers_;
  std::unique_ptr<JobSource> source_;  // else:
  std::vector<JobId> submissions_;     // by (submit, id)
  std::size_t next_submission_ = 0;
  std::map<JobId, Millis> patience_;  // of jobs known beforehand
  std::vector<Outside> outside_;      // by time, then file order
  std::size_t next_outside_ = 0;
  base::Heap4<Happening> heap_;
  base::Heap4<Patience> impatient_;
  // Where something was planned and then came otherwise; others have token 0.
  std::map<JobId, std::uint32_t> tokens_;
  bool was_replanned_ = false;
  std::map<JobId, Leaving> leaving_;  // of runs told to stop
  std::uint64_t planned_ = 0;         // happenings so far
  std::uint64_t instants_ = 0;
};

}  // namespace stint::sim
