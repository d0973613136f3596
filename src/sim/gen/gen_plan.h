// A generated world before its first job: cluster, quota tree, shapes of jobs, and the numbers that
// follow from others.
//
// Invariants  1. every shape fits the cluster: its tasks some node, all of it half of the GPUs.
//             2. guarantees of all teams together are at most the GPUs; of an org the sum of its
//             teams'.  3. paths of queues and names of people are unique.
// Threads     a value without hidden state.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "sim/gen/choice.h"
#include "sim/gen/gen_model.h"
#include "sim/gen/gen_params.h"
#include "sim/gen/quantiles.h"

namespace stint::sim {

// Sizes of jobs that differ in how long they run.
enum class GenSize : std::uint8_t { Cpu, One, Part, Node, Many };
inline constexpr std::size_t kGenSizes = 5;

// What a job asks for; amounts per task, as in the columns of the trace.
struct GenShape {
  GenSize size = GenSize::One;
  std::int64_t tasks = 1;
  std::int64_t gpu_milli = 0;  // per task
  std::int64_t cpu_milli = 0;
  base::Amount memory_mib = 0;
  std::uint64_t weight = 0;  // among all jobs
  bool can_sweep = false;
  [[nodiscard]] std::int64_t gpus_milli() const { return gpu_milli * tasks; }
};

// Nodes of one kind, counted.
struct GenNodes {
  GenPool pool;
  std::int64_t count = 0;
  [[nodiscard]] std::int64_t gpus() const { return count * pool.gpus; }
};

struct GenTeam {
  std::string name;
  std::string path;
  std::uint32_t org = 0;  // index in GenPlan::orgs, where there are any
  std::uint64_t share = 0;
  std::uint64_t share_big = 0;
  std::int64_t guarantee = 0;   // GPUs
  std::int64_t limit = 0;       // GPUs, 0 = none
  std::int64_t user_limit = 0;  // GPUs, 0 = none
  std::int64_t weight_milli = 1000;
  std::uint32_t user_first = 0;  // index in GenPlan::users
  std::uint32_t user_count = 1;
};

struct GenOrg {
  std::string name;
  std::int64_t guarantee = 0;
  std::int64_t limit = 0;
};

struct GenPlan {
  GenModel model;  // nothing follows any more
  std::vector<GenNodes> nodes;
  std::int64_t gpus = 0;
  std::int64_t node_gpus = 0;  // of the largest node
  std::int64_t hours = 0;      // span of the submissions
  std::vector<GenOrg> orgs;
  std::vector<GenTeam> teams;
  std::vector<std::string> users;
  std::vector<GenShape> shapes;          // GPU shapes rising by GPUs, then those without
  std::vector<Quantiles> runs;           // by GenSize
  base::Millis gpu_time_per_job_ms = 0;  // expected inside the span, GPU milliseconds
};

// Works out a whole plan.
//   Errors  parameters that contradict each other; each message names the keys.
[[nodiscard]] base::Result<GenPlan> plan_gen(const GenSettings& settings);

}  // namespace stint::sim
