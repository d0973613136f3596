// What a generated workload is like: all parameters, read and in range.
//
// gen_params.h gives their names, meanings and ranges; GenPlan works out what follows from them.
//
// Units    times in ms; counts of GPUs, CPUs and shares of 1 in thousandths where a name ends in
//          `_milli`; weights are relative.
// Threads  a value.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/amount.h"
#include "base/time.h"
#include "sim/gen/quantiles.h"

namespace stint::sim {

// Nodes of one kind.
struct GenPool {
  std::string model;  // value of the label `model`
  std::int64_t weight = 0;
  std::int64_t gpus = 0;
  std::int64_t cpus = 0;
  base::Amount memory_mib = 0;
  friend bool operator==(const GenPool&, const GenPool&) = default;
};

struct GenWeighted {
  std::int64_t value = 0;
  std::uint64_t weight = 0;
  friend bool operator==(const GenWeighted&, const GenWeighted&) = default;
};

struct GenModel {
  // Size; of the first four one may be 0: it follows from the others and the load.
  std::int64_t jobs = 0;
  std::int64_t days_milli = 0;
  std::int64_t nodes = 0;
  std::int64_t stretch_milli = 0;
  std::int64_t load_milli = 0;

  // Cluster.
  std::vector<GenPool> pools;
  std::int64_t rack_nodes = 0;
  std::int64_t block_racks = 0;

  // Quota tree.
  std::int64_t orgs = 0;
  std::int64_t teams = 0;
  std::vector<std::string> names;
  std::vector<std::int64_t> team_shares;
  std::vector<std::int64_t> team_shares_big;
  std::int64_t team_skew_milli = 0;
  std::vector<std::int64_t> guarantee_shares;
  std::int64_t promised_milli = 0;
  std::int64_t guests = 0;
  std::vector<std::int64_t> weights_milli;
  std::int64_t limit_factor_milli = 0;
  std::int64_t org_limit_factor_milli = 0;
  std::int64_t users = 0;
  std::int64_t user_skew_milli = 0;
  std::int64_t guest_user_limit = 0;
  base::Millis half_life = 0;

  // Arrivals.
  std::vector<std::int64_t> hours;
  std::vector<std::int64_t> week;
  std::vector<std::int64_t> season;
  std::int64_t swing_milli = 0;
  std::int64_t sweep_share_milli = 0;
  std::vector<GenWeighted> sweep_sizes;
  std::int64_t sweep_spread_milli = 0;

  // What jobs ask for.
  std::vector<GenWeighted> gangs;  // GPUs in thousandths
  std::int64_t cpu_jobs_milli = 0;
  std::vector<GenWeighted> cpu_sizes;  // CPUs in thousandths
  std::int64_t cpu_per_gpu_milli = 0;
  base::Amount memory_per_gpu_mib = 0;
  base::Amount memory_per_cpu_mib = 0;
  std::int64_t model_share_milli = 0;
  std::int64_t priority_share_milli = 0;
  std::int64_t protected_share_milli = 0;

  // How long they run, by size: without GPUs, up to one GPU, less than a node, one node, more.
  std::vector<QuantileKnot> run_cpu;
  std::vector<QuantileKnot> run_one;
  std::vector<QuantileKnot> run_part;
  std::vector<QuantileKnot> run_node;
  std::vector<QuantileKnot> run_many;

  // What people say about it.
  std::vector<std::int64_t> limits;   // ms, rising
  std::vector<GenWeighted> estimate;  // factor in thousandths
  std::int64_t timeout_milli = 0;

  // Saves.
  std::int64_t saves_one_milli = 0;
  std::int64_t saves_node_milli = 0;
  std::int64_t saves_many_milli = 0;
  std::vector<GenWeighted> save_every;  // ms
  base::Millis save_takes = 0;
  base::Millis save_takes_many = 0;
  base::Millis restart = 0;
  base::Millis restart_many = 0;
};

}  // namespace stint::sim
