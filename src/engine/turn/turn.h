// Turn order (DESIGN §5.0, §5.3): who is offered capacity next, kept from pass to pass.
//
// Waiting jobs stand in groups by (user, shape, protected or not). At each level of the tree a
// contest keeps the order of the siblings that have something to offer: users inside a leaf, queues
// below a queue. What happens marks standings as stale; next() renews those and nothing else.
//
// A group whose shape is known to find no nodes would be offered in its turn in vain. It is passed
// over, which changes nothing for anybody, as long as its leaf is *closed*: whatever starts in this
// pass, no limit on its path can bind what waits there, none of it is protected, and all of it or
// none of it is within its guarantee. In an open leaf everything is offered in its turn: it may
// raise a barrier, or rank its queue.
//
// A leaf of which nothing can start leaves the contest until that may change: see sleep.cc.
//
// Derived from State, never saved.
//
// Invariants  1. in a pass a group or job that failed is not offered again.  2. a pass ends when
//             nothing that is left could find nodes; never because one job did not fit.
// Threads     the owner of the engine.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/turn/contest.h"
#include "engine/turn/hierarchy.h"
#include "engine/turn/job_list.h"
#include "model/state.h"

namespace stint::engine {

using base::ShapeId;
using base::TenantId;
using model::QueueId;

// Why a job may not start now.
enum class Why : std::uint8_t {
  Limit = 1,    // it would pass a limit on its path
  Barrier = 2,  // it would not end before a limit has room for one that reached it earlier
  Nodes = 4,    // no nodes, whoever asks for its shape
  Other = 8,
};

class Turn {
 public:
  explicit Turn(const State& state);

  // A job joins or leaves those that could be tried; its `tenant` is set.
  void insert(const State& state, JobId job);
  void erase(const State& state, JobId job);
  // Usage, guarantee, capacity or `served` changed along the path of `leaf`, for these tenants.
  void account_changed(const State& state, QueueId leaf, const std::vector<TenantId>& tenants);
  // … for everybody.
  void everything_changed(const State& state);

  // The shape finds no nodes until something is released.
  void shape_died(ShapeId shape);
  [[nodiscard]] bool is_dead(ShapeId shape) const {
    return shape.index() < shapes_.size() && shapes_[shape.index()].dead;
  }
  // Something was released: asks of each dead shape that is waited for whether it may fit now.
  template <class MayFit>
  void released(const MayFit& may_fit) {
    for (std::size_t i = 0; i < dead_.size();) {
      const ShapeId shape = dead_[i];
      if (shapes_[shape.index()].groups > 0 && !may_fit(shape)) {
        ++i;
        continue;
      }
      dead_[i] = dead_.back();
      dead_.pop_back();
      shape_may_fit(shape);
    }
  }

  // A pass at `now`. With `offer_all`, groups of dead shapes are offered too.
  void begin_pass(const State& state, Millis now, bool offer_all);
  // The job that is offered capacity next; none when the pass is over.
  [[nodiscard]] JobId next(const State& state);
  // This one may not start now, others like it may.
  void job_failed(const State& state, JobId job, Why why);
  // Nor any like it, as things stand.
  void group_failed(const State& state, JobId job, Why why);
  // A limit of the leaf on the resource was reached: who asks for it there and would run beyond
  // `until` fails from now on in this pass.
  void barrier_raised(const State& state, QueueId leaf, base::ResourceId resource, Millis until);
  void end_pass(const State& state);

  // Matches played in all contests so far.
  [[nodiscard]] std::uint64_t matches() const;

 private:
  // What asks for the same under the same rules: what stops one of them stops all.
  struct Kind {
    ShapeId shape;
    bool preemptible = true;

    friend auto operator<=>(const Kind&, const Kind&) = default;
  };
  struct Group {
    Kind kind;
    JobList jobs;
    bool failed = false;
    bool is_passed_over = false;  // listed with its shape
    std::uint8_t reasons = 0;     // bits of Why: what failed of it in this pass
    std::optional<JobRank> tried_up_to;
    Millis shortest = base::kNever;  // at most the time limit of any of its jobs
  };
  struct User {                 // a tenant of a leaf
    std::vector<Group> groups;  // by kind, each with a job
    QueueId leaf;
    std::uint32_t place = 0;          // its number in the leaf's contest
    std::uint32_t waiting_place = 0;  // its place in the leaf's `waiting`
    bool is_member = false;
    bool is_marked = false;  // listed in marked_users_
    bool is_standing_old = true;
    bool is_tight = false;  // a limit of the user may bind
    std::uint32_t protected_jobs = 0;
    JobId head;
    ShapeId head_shape;
  };
  struct Level {  // a queue
    Contest contest;
    std::vector<TenantId> members;  // of a leaf, by place
    std::vector<TenantId> waiting;  // of them, those with a group, in no order that matters
    std::uint32_t place = 0;        // its number in the parent's contest
    bool is_marked = false;         // listed in marked_queues_
    bool is_open = true;
    bool is_asleep = false;          // in no contest
    bool is_sleeper = false;         // listed in sleepers_
    Millis wakes = base::kNever;     // until then, if nothing changes
    std::uint64_t changed_in = 0;    // the pass in or after which its usage changed last
    std::uint64_t looked_at_in = 0;  // the pass at whose end it was last asked to sleep
    std::uint64_t shut_in = 0;       // the pass in which all that is left fails behind a barrier
    Millis shortest = base::kNever;  // at most the time limit of any job that waits here
    std::uint64_t bounded_in = 0;    // the pass in which `least` and `shortest` were last made anew
    bool all_within = false;         // of a closed leaf
    bool is_ranked_by_offer = true;  // some of what waits is within and some not
    std::uint32_t active_place = 0;  // its place in active_
    std::uint32_t groups = 0;
    std::uint32_t protected_jobs = 0;
    model::Amounts waits;  // sum of what waits here asks for
    model::Amounts most;   // at least what any group here asks for, by resource
    model::Amounts least;  // at most
  };
  struct Shape {
    bool dead = false;
    std::uint32_t asks = 0;    // bit r: it asks for resource r
    std::uint32_t groups = 0;  // with a job
    std::uint32_t failed = 0;  // of those, failed in this pass
    std::vector<std::pair<TenantId, Kind>> passed_over;
  };

  [[nodiscard]] bool is_live(const Shape& shape) const { return !shape.dead; }
  void mark(TenantId tenant, bool standing);
  void mark(QueueId queue);
  void mark_path(const State& state, QueueId leaf);
  void mark_members(QueueId leaf);
  void shape_may_fit(ShapeId shape);
  [[nodiscard]] static std::vector<Group>::iterator find_group(User& user, Kind kind);
  [[nodiscard]] static Kind kind_of(const model::JobAsk& ask) {
    return {ask.shape, ask.preemptible};
  }
  Group& group_of(JobId job, const State& state);
  Shape& shape_at(ShapeId shape);
  void group_appears(const State& state, QueueId leaf, ShapeId shape);
  void group_vanishes(QueueId leaf, Group& group);
  void set_failed(TenantId tenant, Group& group);

  [[nodiscard]] bool stands_alone(const State& state) const;
  [[nodiscard]] static bool is_spent(const State& state, const Group& group);
  [[nodiscard]] std::optional<Millis> may_sleep_until(const State& state, QueueId leaf) const;
  [[nodiscard]] Millis order_stands_until(const State& state, const Level& leaf) const;
  void fall_asleep(const State& state, QueueId leaf);
  void wake(QueueId leaf);
  void wake_who_is_due();
  void renew_bounds(const State& state, Level& leaf);
  [[nodiscard]] bool is_beyond_limit(const State& state, QueueId leaf) const;
  [[nodiscard]] bool is_left_alone(const State& state, QueueId leaf) const;
  void assume_free(const State& state);
  void renew_flags(const State& state, QueueId leaf);
  void pass_by(const State& state, User& user, Group& group, JobId job);
  [[nodiscard]] bool limit_may_bind(const State& state, QueueId leaf) const;
  void renew_users(const State& state);
  void renew_user(const State& state, TenantId tenant);
  void find_head(const State& state, TenantId tenant, User& user);
  [[nodiscard]] std::int64_t offered_priority(const State& state, const User& user) const;
  void renew_queues(const State& state);
  void renew_queue(const State& state, QueueId queue);
  [[nodiscard]] std::uint32_t first_in(const State& state, QueueId queue);
  [[nodiscard]] Standing standing_of(const State& state, QueueId queue);
  [[nodiscard]] JobId candidate(const State& state, QueueId queue);
  [[nodiscard]] bool is_offered(const User& user, const Level& leaf, ShapeId shape) const;
  [[nodiscard]] bool hierarchy_is_wanted() const;
  void renew_hierarchy(const State& state);
  [[nodiscard]] bool is_blocked(const State& state, const Level& leaf) const;
  void look_whether_blocked(const State& state, QueueId leaf);

  Motion motion_;
  Millis now_ = 0;
  bool nested_ = false;
  bool offer_all_ = false;
  std::vector<User> users_;                            // by TenantId
  std::vector<Level> levels_;                          // by QueueId
  std::vector<Shape> shapes_;                          // by ShapeId
  std::vector<ShapeId> dead_;                          // in no order that matters
  std::vector<std::vector<TenantId>> leaves_of_user_;  // by UserId
  std::vector<QueueId> inner_;                         // queues with children, the root included
  std::vector<bool> has_inner_child_;                  // by QueueId
  model::Amounts assumed_;         // no more than this is free in a pass: bounds what may start
  std::vector<TenantId> limited_;  // users of leaves below a `users:` block
  std::int64_t live_ = 0;          // groups that have not failed and whose shape is not dead
  std::vector<TenantId> marked_users_;
  std::vector<QueueId> marked_queues_;
  std::vector<std::pair<TenantId, Kind>> tried_;  // groups to be reset after the pass
  std::vector<QueueId> active_;                   // leaves with a group, in no order that matters
  std::uint64_t pass_ = 0;
  std::vector<QueueId> shut_;          // leaves that were shut in this pass
  std::vector<QueueId> sleepers_;      // leaves that wake by time, and some that are awake
  Millis first_wakes_ = base::kNever;  // none of them before
  std::optional<Hierarchy> hierarchy_;
  bool hierarchy_old_ = true;            // to be made anew
  std::vector<QueueId> changed_leaves_;  // whose usage it does not know yet
  std::vector<bool> blocked_;            // by QueueId: leaves, as they stand
  std::size_t unblocked_ = 0;            // leaves that are not
  std::uint32_t saturated_ = 0;          // bit r: nothing of resource r is free
};

}  // namespace stint::engine
