// The numbers of one simulation: whole cluster and per queue.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/amount.h"
#include "base/time.h"

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
  double slowdown_mean = 0;
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
  double jain = 1;
  double jain_hours = 0;  // time during which two queues were backlogged
  QueueSummary total;
  std::vector<QueueSummary> queues;  // in tree order, without the root
  std::string digest;
};

}  // namespace stint::sim
