// The numbers of one simulation: whole cluster and per queue.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/amount.h"
#include "base/int128.h"
#include "base/time.h"
#include "engine/engine.h"

namespace stint::sim {

using base::Millis;

// `main` is the resource that is reported: `gpu` if the cluster has any, else `cpu`, else the
// first.
struct QueueSummary {
  std::string path;
  bool is_leaf = true;
  std::uint32_t depth = 0;
  std::uint64_t jobs = 0;  // submitted
  std::uint64_t started = 0;
  base::Amount guarantee = 0;  // of main, base units
  double held_hours = 0;       // main-hours held
  double borrowed_hours = 0;   // of which above the guarantee
  double lent_hours = 0;       // of its idle guarantee, used by others
  double violation_hours = 0;  // guarantee violation
  double share_mean = 0;       // plain share, averaged over time
  double wait_mean_s = 0;
  double wait_p50_s = 0;
  double wait_p95_s = 0;
  double wait_p99_s = 0;
  std::uint64_t finished = 0;  // by their work or at their limit
  double jct_mean_s = 0;       // end less submission, of those
  double jct_p50_s = 0;
  double jct_p95_s = 0;
  double jct_p99_s = 0;
  double effective_wait_mean_s = 0;  // end less submission less the run it would have had alone
  std::uint64_t requests = 0;        // that its own guarantee covered (sim/metrics/requests.h)
  double reclaim_p99_s = 0;          // from such a request until all its tasks run
  double reclaim_max_s = 0;
  double slowdown_mean = 0;
};

// Where the capacity went, in units × ms of `main` (I10): useful + lost + overhead + idle + down is
// all of it, exactly.
struct CapacityUse {
  base::i128 useful = 0;    // work whose results survived
  base::i128 lost = 0;      // time since the last save of runs that were stopped or failed
  base::i128 overhead = 0;  // restarts and saves
  base::i128 idle = 0;
  base::i128 down = 0;
  base::i128 all = 0;  // configured capacity × time

  [[nodiscard]] base::i128 held() const { return useful + lost + overhead; }
};

struct Summary {
  std::string main;           // name of the resource
  base::Amount capacity = 0;  // configured, of main
  std::uint64_t jobs = 0;
  std::uint64_t waited = 0;  // started later than submitted
  std::uint64_t timed_out = 0;
  std::uint64_t evicted = 0;
  std::uint64_t impossible = 0;
  std::uint64_t left = 0;  // cancelled, or out of patience, before they started
  std::uint64_t unfinished = 0;
  Millis first_submit = 0;
  Millis end = 0;
  Millis makespan = 0;     // last end minus first submit
  double utilisation = 0;  // held / available, available = healthy over [first submit, last end]
  double allocation = 0;   // held / (held + idle): what is down is not available
  double goodput = 0;      // useful / (held + idle)
  double envy = 0;         // the most of six-hourly looks (sim/metrics/envy.h)
  double preemption_waste = 0;  // (lost + restarts) of evictions / held
  double failure_waste = 0;     // the same of failed nodes
  double starvation_s = 0;      // sim/metrics/requests.h
  CapacityUse capacity_use;
  double jain = 1;
  double jain_hours = 0;  // time during which two queues were backlogged
  QueueSummary total;
  std::vector<QueueSummary> queues;  // in tree order, without the root
  engine::Counters work;  // of decisions: free of noise
  std::string digest;
};

}  // namespace stint::sim
