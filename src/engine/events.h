// Facts that the engine is told, and decisions that it returns (DESIGN §3).
#pragma once

#include <variant>
#include <vector>

#include "model/state.h"

namespace stint::engine {

using base::JobId;
using base::Millis;
using base::NodeId;

// A job becomes known without being submitted yet.
struct JobAdded {
  model::JobSpec spec;
  JobId id;  // one that was not given yet; none: the next
};
struct JobSubmitted {
  JobId job;
};
struct JobCancelled {
  JobId job;
};
struct JobHeld {
  JobId job;
};
struct JobReleased {
  JobId job;
};
// A run is over by itself: its work is done, or it came to its limit.
struct RunEnded {
  JobId job;
  bool done = true;
};
// A run that was told to stop has left; what it has saved in all, and the span of held time it
// lost.
struct RunStopped {
  JobId job;
  Millis work_saved = 0;
  Millis lost = 0;
};
struct NodeFailed {
  NodeId node;
};
struct NodeReturned {
  NodeId node;
};
struct NodeDrained {
  NodeId node;
};
struct NodeResumed {
  NodeId node;
};
// The tree may have queues more than before, never fewer, and the same ids for those it had.
struct PolicyApplied {
  model::Tree tree;
  model::Policy policy;
};

using Event =
    std::variant<JobAdded, JobSubmitted, JobCancelled, JobHeld, JobReleased, RunEnded, RunStopped,
                 NodeFailed, NodeReturned, NodeDrained, NodeResumed, PolicyApplied>;

// Start this job here, now.
struct Start {
  JobId job;
  std::uint32_t run = 1;  // number of the run
};
// Tell this run to stop; it is gone at `deadline` at the latest.
struct Stop {
  JobId job;
  model::StopCause cause = model::StopCause::None;
  Millis deadline = 0;
};

using Decision = std::variant<Start, Stop>;

}  // namespace stint::engine
