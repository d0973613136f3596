// One pass over the waiting jobs in turn order (DESIGN §5.0, §5.3).
//
// The pass walks the tree from the root to the sibling that goes first, down to a user and its next
// job. The caller tries the job and says what came of it. What fails for one user fails for no
// other: each offers it in their own turn, by which their queue is ranked.
//
// Invariants  1. a candidate that was tried is not offered again.  2. the pass ends only when no
// candidate
//             is left, never because one did not fit.
// Threads     the owner of the engine.
#pragma once

#include <optional>
#include <vector>

#include "engine/turn/hierarchy.h"
#include "engine/turn/pending.h"
#include "engine/turn/rank.h"
#include "model/state.h"

namespace stint::engine {

class TurnPass {
 public:
  TurnPass(const State& state, const PendingIndex& pending, Millis now);

  // The job that is offered capacity next; none when the pass is over.
  [[nodiscard]] JobId next();

  void granted(JobId job);           // it started: usage along its path has changed
  void job_failed(JobId job);        // this one may not start now, others like it may
  void group_failed(JobId job);  // no job of this user with this shape may start now

 private:
  struct Cursor {
    ShapeId shape;
    bool failed = false;
    std::optional<JobRank> tried_up_to;
  };
  struct Slot {  // an active tenant
    TenantId tenant;
    std::vector<Cursor> cursors;
    bool fresh = false;
    JobId best;
    Rank rank;
    bool rank_fresh = false;
  };
  struct Level {                     // a queue
    std::vector<std::size_t> slots;  // of a leaf
    bool fresh = false;
    JobId best;
    Rank rank;
    bool rank_fresh = false;
  };

  void refresh_slot(Slot& slot);
  void refresh_leaf(model::QueueId leaf);
  void refresh(model::QueueId queue);
  [[nodiscard]] const Rank& rank_of(model::QueueId queue);
  [[nodiscard]] const Rank& rank_of(Slot& slot);
  [[nodiscard]] bool slot_goes_before(Slot& a, Slot& b, model::QueueId leaf);
  [[nodiscard]] std::int64_t priority_in_leaf(const Slot& slot) const;
  void refresh_hierarchy();
  [[nodiscard]] bool leaf_is_blocked(const Level& level) const;
  void invalidate_path(model::QueueId leaf);
  Slot& slot_of(JobId job);
  Cursor& cursor_of(Slot& slot, ShapeId shape);

  const State& state_;
  const PendingIndex& pending_;
  Millis now_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> slot_by_tenant_;
  std::vector<Level> levels_;
  std::vector<bool> has_inner_child_;  // by queue
  std::optional<Hierarchy> hierarchy_;
  bool hierarchy_fresh_ = false;
};

}  // namespace stint::engine
