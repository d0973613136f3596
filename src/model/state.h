// State: everything a decision may depend on, as one movable value of flat vectors.
//
// Invariants  1. ids index the vectors.  2. usage of a queue or tenant equals the recount over the
// runs
//                below it (I3).  3. free + held = has, on every healthy node (I1).
//             4. `served` stamps grow with every grant and survive a restart (DESIGN §5.3).
// Threads     one owner.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/decay.h"
#include "base/digest.h"
#include "base/ids.h"
#include "base/int128.h"
#include "base/string_index.h"
#include "base/time.h"
#include "model/amounts.h"
#include "model/cluster.h"
#include "model/job_table.h"
#include "model/policy.h"
#include "model/topology.h"
#include "model/tree.h"

namespace stint::model {

// A fraction of one device: `milli` of device number `device` on the node.
struct DeviceShare {
  std::uint16_t device = 0;
  std::uint16_t milli = 0;

  friend bool operator==(const DeviceShare&, const DeviceShare&) = default;
};

// `tasks` tasks of a job on one node.
struct Slice {
  NodeId node;
  std::uint32_t tasks = 0;
  std::vector<DeviceShare> devices;  // of GPU tasks: each device used, and how much of it

  friend bool operator==(const Slice&, const Slice&) = default;
};

// Where a gang runs: each node once, in the order in which it was filled.
using Placement = std::vector<Slice>;

enum class StopCause : std::uint8_t { None, Cancel, NodeFailure };

// A run that has not fully stopped. `work_before` is what the job had saved when the run began.
struct Run {
  JobId job;
  Millis start = 0;
  Millis work_before = 0;
  std::uint32_t number = 1;  // 1 for the job's first
  Placement placement;
  Amounts holds;                  // over all tasks, gpu models included
  Millis told_at = base::kNever;  // when it was told to stop
  StopCause cause = StopCause::None;
};

struct NodeState {
  bool failed = false;
  bool draining = false;
  Amounts free;  // of a healthy or draining node; what failed is not given out
  std::vector<std::uint16_t> devices;  // free thousandths per GPU; only of nodes that have GPUs
  std::uint32_t whole_devices = 0;     // how many of them are untouched

  [[nodiscard]] bool healthy() const { return !failed && !draining; }
};

// What somebody holds, and has held. Queues and tenants (users inside a queue) keep the same
// account.
struct Account {
  Amounts now;            // runs that have not fully stopped
  Amounts after;          // runs not told to stop
  Amounts protected_now;  // the non-preemptible part of `now`
  base::DecayedAverage past;
  std::uint64_t served = 0;  // sequence number of the last grant; 0 = never
  std::uint32_t running_jobs = 0;
};

// A user inside a queue: a level of the turn in leaves, a limit's scope in queues with a `users:`
// block.
struct Tenant {
  QueueId queue;
  UserId user;
  std::int64_t weight = kWeightOne;
  Account account;
};

struct State {
  Cluster cluster;
  Topology topology;  // derived from the cluster
  Tree tree;
  Policy policy;
  base::StringIndex users;
  std::vector<Shape> shapes;
  std::vector<Habit> habits;  // different ones; JobAsk::habit is an index
  JobTable jobs;
  std::map<JobId, std::vector<JobId>> after;  // what waiting and future jobs wait for; sparse
  std::vector<std::string> names;             // of jobs, by JobId, as far as any were given
  std::vector<Run> runs;                      // unordered; a finished run is replaced by the last
  std::vector<NodeState> nodes;
  std::vector<Account> queues;                    // by QueueId
  std::vector<Tenant> tenants;                    // by TenantId, in order of first job
  std::vector<std::vector<TenantId>> tenants_at;  // by QueueId, sorted by UserId
  std::vector<Amounts> guarantees;                // by QueueId, scaled to what is healthy
  Amounts healthy;                                // capacity of healthy nodes
  Amounts free;                                   // free on healthy nodes
  std::uint64_t serial = 0;                       // last `served` stamp given
  Millis now = 0;
  base::Digest decisions;       // running digest of every decision
  std::uint64_t forgotten = 0;  // sum of job_digest over jobs that were forgotten
};

// An empty State of that cluster, tree and policy: all nodes healthy, nobody holds anything.
[[nodiscard]] State make_state(Cluster cluster, Tree tree, Policy policy);

// The job's name, or `job N`.
[[nodiscard]] std::string job_name(const State& state, JobId id);

// What one job adds to the digest. Jobs that are not submitted yet add nothing.
[[nodiscard]] std::uint64_t job_digest(const State& state, JobId id);

// Digest of everything in State that a decision may depend on.
[[nodiscard]] base::Digest digest_of(const State& state);

}  // namespace stint::model
