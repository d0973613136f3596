// The engine: (State, events, now) -> decisions and reasons. Pure: no clock, file, thread, log or
// random device; the same input gives the same bytes on every machine.
//
// One object serves the simulator, the daemon, what-if and forecasts. Its caller turns the crank:
//
//   Engine engine(make_state(cluster, tree, policy));
//   engine.apply(now, JobSubmitted{job});
//   for (const Decision& decision : engine.decide(now)) …
//
// Invariants  1. everything that a decision depends on is in State: an Engine made from a copy of
// State
//                decides alike.  2. decide() ends with nothing waiting that fits and is allowed
//                (I6).
// Threads     one owner; const members may be called while nobody changes it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/hash_index.h"
#include "engine/events.h"
#include "engine/forward/course.h"
#include "engine/forward/slot.h"
#include "engine/placement/node_index.h"
#include "engine/turn/kept_back.h"
#include "engine/turn/listed.h"
#include "engine/turn/quota.h"
#include "engine/turn/turn.h"
#include "model/shape_index.h"
#include "model/state.h"

namespace stint::engine {

// Noise-free counters of work done; they gate changes of speed (DESIGN §10).
struct Counters {
  std::uint64_t passes = 0;
  std::uint64_t candidates = 0;  // jobs tried
  std::uint64_t searches = 0;    // searches for nodes
  std::uint64_t starts = 0;
  std::uint64_t matches = 0;  // of two siblings in the turn
  std::uint64_t ranked = 0;   // buckets of nodes ranked for a shape
  std::uint64_t walked = 0;   // buckets looked at by searches
};

// Work that reached a limit, and when by the limits of running jobs it could go on: later jobs that
// count under the same limit may start only if they end by then (DESIGN §5.5, §5.8).
struct Barrier {
  Scope scope;
  bool protected_only = false;  // own part of protected work, else a limit
  Millis until = base::kNever;  // kNever: it cannot be computed, and holds up nobody
};

// What waits below a queue and could be tried now: feasible, not held, dependencies met.
struct WaitingSum {
  std::uint32_t jobs = 0;
  Amounts asks;
};

class Engine {
 public:
  explicit Engine(State state);

  // Takes note of a fact at `now` >= state().now. An event about something unknown, or impossible
  // in the present state (an end without a run), is a programmer error.
  //   Returns orders that follow at once and do not wait for a pass, such as the stop of a
  //   cancelled run.
  std::vector<Decision> apply(Millis now, const Event& event);

  // Offers capacity until nothing more can start, and returns what was decided, in order. With a
  // `cycle`, decides only at its multiples. They stand until the engine is called again.
  const std::vector<Decision>& decide(Millis now);

  // The next instant at which decide() could decide something without a new event; kNever if none.
  [[nodiscard]] Millis next_wake() const;

  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] State take_state() && { return std::move(state_); }
  [[nodiscard]] Counters counters() const;
  // What stands in the way of jobs that could start otherwise: why one waits for another's limit.
  // Found by offering everything once more, in vain.
  [[nodiscard]] const std::vector<Barrier>& barriers() const;

  // A job that is over is no longer wanted: only how it ended stays known. Requires that it ended
  // or was cancelled.
  void forget(JobId job);

  // By QueueId, inner queues included.
  [[nodiscard]] const std::vector<WaitingSum>& waiting() const { return waiting_; }

  // Interns a shape, a user; ids are dense and never change.
  base::ShapeId shape_id(const model::Shape& shape);
  base::UserId user_id(std::string_view name);

  // Whether the machine as configured, with nothing running, could hold the shape.
  [[nodiscard]] bool fits_machine(base::ShapeId shape) const;

  // Whether the job fits now, but would make the reservation's start later. Requires that it waits.
  [[nodiscard]] bool would_delay_slot(JobId job) const;
  // The reservation of the first blocked job, as of the last pass.
  [[nodiscard]] const std::optional<Slot>& slot() const { return slot_; }

  // Running work in the order of its time limits.
  [[nodiscard]] const RunsByLimit& runs_by_limit() const { return runs_by_limit_; }

  // How the job's present run unfolds. Requires that it runs.
  [[nodiscard]] Course course_of(JobId job) const;

  // Whether the job may start now: quota, own part, lending, barriers and nodes; changes nothing.
  [[nodiscard]] bool could_start(JobId job) const;

 private:
  // What came of trying one job.
  enum class Outcome : std::uint8_t {
    Started,
    JobFailed,
    BehindBarrier,
    GroupFailed,
    LimitFailed,
    ShapeFailed
  };

  // A job's tests, with everything looked up once.
  struct Trial {
    const model::JobAsk& spec;
    const model::Shape& shape;
    const Amounts& total;
    const std::vector<TenantId>& tenants;
    [[nodiscard]] Request request() const {
      return {spec.queue, &tenants, &total, spec.preemptible};
    }
  };
  // A job that reached limits, from which barriers follow if somebody asks.
  struct Raised {
    std::vector<std::pair<Scope, Amount>> excesses;  // by how much each scope would be passed
    bool protected_only = false;
    std::size_t runs_seen = 0;    // later runs do not make room for it
    std::optional<Millis> until;  // once computed
  };

  void on(const JobAdded& event);
  void on(const JobSubmitted& event);
  void on(const JobCancelled& event);
  void on(const JobHeld& event);
  void on(const JobReleased& event);
  void on(const RunEnded& event);
  void on(const RunStopped& event);
  void on(const NodeFailed& event);
  void on(const NodeReturned& event);
  void on(const NodeDrained& event);
  void on(const NodeResumed& event);
  void on(const PolicyApplied& event);

  bool run_fair_pass();    // whether anything started
  bool run_listed_pass();  // fifo, fifo_skip, sjf_skip
  Outcome try_listed(JobId job);
  // Whether blocked jobs of a list get reservations; those of `fair` do not yet.
  [[nodiscard]] bool lists_reserve() const {
    return !is_fair() && state_.policy.reservation_count() > 0;
  }
  void tell_turn(JobId job, Outcome outcome) const;
  Outcome try_job(JobId job);
  // Whether it would still run when the reservation begins.
  [[nodiscard]] bool is_in_the_way(const Trial& trial) const;
  [[nodiscard]] std::optional<Outcome> stopped_by_quota(const Trial& trial) const;
  Outcome find_nodes(const Trial& trial, std::optional<model::Placement>& found);
  [[nodiscard]] Trial trial_of(JobId job) const;
  void raise_barriers(const Trial& trial, const std::vector<Scope>& scopes,
                      bool protected_only) const;
  [[nodiscard]] Amount room_in(const Trial& trial, const Scope& scope, bool protected_only) const;
  [[nodiscard]] Millis until(Raised& raised) const;
  void tell_turn_of_barrier(const Trial& trial) const;
  [[nodiscard]] bool behind_barrier(const Trial& trial) const;
  void start(JobId job, model::Placement placement);
  void end_run(JobId job, bool told);
  void fail_run(JobId job);
  void set_node(base::NodeId node, bool failed, bool draining);
  void finish(JobId job, model::JobState state);
  void stamp(const Trial& trial);
  [[nodiscard]] TenantId tenant_of(QueueId leaf, base::UserId user);
  void look_up(JobId job);
  void enlist(JobId job);
  void delist(JobId job);
  void count_waiting(JobId job, bool joins);
  [[nodiscard]] bool is_candidate(JobId job) const;
  [[nodiscard]] bool may_fit(base::ShapeId shape, const model::Placement& released) const;
  void rebuild_index();
  void everything_released();
  [[nodiscard]] bool is_fair() const { return state_.policy.order == model::Order::Fair; }

  State state_;
  mutable Turn turn_;  // of `fair`; mutable for barriers(), which leaves it as it was
  Listed listed_;      // of the others
  NodeIndex nodes_;
  RunsByLimit runs_by_limit_;  // where somebody asks for them
  bool keeps_runs_ = false;    // … and they are kept
  std::optional<Slot> slot_;   // of the first blocked job of a list, in this pass
  bool head_is_blocked_ = false;
  KeptBack kept_back_;
  model::ShapeIndex shape_index_;
  base::HashIndex tenant_index_;                          // of leaves, by queue and user
  std::vector<bool> is_listed_;                           // by JobId: in turn_ or listed_
  std::map<JobId, std::vector<JobId>> dependents_;        // who waits for a job
  std::vector<Amounts> totals_;                           // by ShapeId: over all tasks
  std::vector<bool> fits_machine_;                        // by ShapeId: on the empty machine
  std::vector<std::vector<TenantId>> tenants_on_path_;    // by TenantId of a leaf
  std::vector<WaitingSum> waiting_;                       // by QueueId
  mutable std::vector<Raised> raised_;                    // in this pass
  mutable std::optional<std::vector<Barrier>> barriers_;  // as asked for since the last change
  std::vector<Decision> decisions_;
  Counters counters_;
  bool stale_ = false;  // something changed since the last pass
};

// Whether the jobs that `job` waits for have all ended.
[[nodiscard]] bool dependencies_met(const State& state, JobId job);

// Whether a job with that path and request counts under the scope.
[[nodiscard]] bool counts_under(const State& state, const Request& request, base::UserId user,
                                const Scope& scope, bool protected_only);

}  // namespace stint::engine
