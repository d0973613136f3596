#include "sim/gen/gen_plan.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/int128.h"
#include "sim/gen/gen_shapes.h"
#include "sim/gen/gen_teams.h"

namespace stint::sim {

using base::i128;
using base::Result;

namespace {

// The numbers of which one follows from the others and the load.
struct Follower {
  std::string_view key;
  std::int64_t GenModel::* member;
};
constexpr std::array kFollowers{
    Follower{"jobs", &GenModel::jobs}, Follower{"days", &GenModel::days_milli},
    Follower{"nodes", &GenModel::nodes}, Follower{"stretch", &GenModel::stretch_milli}};

// Which number follows: the one that is 0; else the lengths, where everything is the preset's; else
// the first that nobody chose.
Result<std::size_t> follower(const GenModel& model, const GenSettings& settings) {
  std::size_t zeros = 0;
  std::size_t chosen = 0;
  std::size_t zero = kFollowers.size();
  std::size_t free = kFollowers.size();
  for (std::size_t i = kFollowers.size(); i-- > 0;) {
    const bool is_chosen = settings.is_by_hand(kFollowers[i].key);
    chosen += is_chosen ? 1 : 0;
    if (!is_chosen) free = i;
    if (model.*kFollowers[i].member != 0) continue;
    ++zeros;
    zero = i;
  }
  if (zeros > 1) return base::refuse("only one of jobs, days, nodes and stretch may be 0");
  if (zeros == 1) return zero;
  if (chosen == 0) return kFollowers.size() - 1;
  if (free < kFollowers.size()) return free;
  return base::refuse(
      "jobs, days, nodes and stretch are all given: leave one out, it follows from the load");
}

std::int64_t rounded(i128 above, i128 below) {
  return static_cast<std::int64_t>(std::min<i128>((above + below / 2) / below, i128{1} << 60));
}

// Sizes of the cluster for model.nodes nodes; 1 node where that number is still to follow.
void add_nodes(GenPlan& plan) {
  std::int64_t weights = 0;
  for (const GenPool& pool : plan.model.pools) weights += pool.weight;
  const bool follows = plan.model.nodes == 0;
  // While the number follows, the shares of the pools stand for it.
  plan.nodes = deal_nodes(plan.model.pools, follows ? weights : plan.model.nodes);
  plan.gpus = 0;
  plan.node_gpus = 0;
  for (const GenNodes& nodes : plan.nodes) {
    plan.gpus += nodes.gpus();
    plan.node_gpus = std::max(plan.node_gpus, nodes.pool.gpus);
  }
}

Result<void> check_shapes(const GenPlan& plan) {
  for (const GenShape& shape : plan.shapes) {
    const bool fits = std::any_of(plan.nodes.begin(), plan.nodes.end(), [&](const GenNodes& nodes) {
      return holds_task(nodes.pool, shape);
    });
    if (fits) continue;
    return base::refuse(fmt::format(
        "no node of pools holds a task of {} GPUs with {} CPUs and {}: change gangs, cpu_per_gpu, "
        "memory_per_gpu or cpu_sizes",
        base::format_count(shape.gpu_milli), base::format_count(shape.cpu_milli),
        base::format_memory(shape.memory_mib)));
  }
  return {};
}

// Leaves out what is larger than half the cluster, but never the smallest.
void drop_giants(GenPlan& plan) {
  std::int64_t most = plan.gpus * base::kUnit / 2;
  for (const GenShape& shape : plan.shapes) {
    if (shape.size != GenSize::Cpu) {
      most = std::max(most, shape.gpus_milli());
      break;
    }
  }
  std::erase_if(plan.shapes, [&](const GenShape& shape) { return shape.gpus_milli() > most; });
}

void add_runs(GenPlan& plan, std::int64_t stretch_milli) {
  const GenModel& m = plan.model;
  plan.runs.clear();
  plan.runs.emplace_back(m.run_cpu, 1000);
  for (const auto* knots : {&m.run_one, &m.run_part, &m.run_node, &m.run_many}) {
    plan.runs.emplace_back(*knots, stretch_milli);
  }
}

// Expected GPU time of one job, in thousandths of a GPU times ms, times 2^20.
i128 mean_gpu_time(const GenPlan& plan) {
  i128 sum = 0;
  i128 weights = 0;
  for (const GenShape& shape : plan.shapes) {
    const i128 mean = plan.runs[static_cast<std::size_t>(shape.size)].mean();
    sum += mean * shape.gpus_milli() * static_cast<i128>(shape.weight >> 10U);
    weights += shape.weight >> 10U;
  }
  return (sum << 10) / weights << 10;
}

// Puts the number that follows in place. `unit` is the GPU time of a job as mean_gpu_time().
Result<void> follow(GenPlan& plan, std::size_t which, i128 unit) {
  GenModel& m = plan.model;
  // jobs * unit / 2^20 = load / 1000 * gpus * 1000 * days / 1000 * 86'400'000
  const i128 day = i128{86'400} * 1000;
  const i128 offered = i128{m.load_milli} * plan.gpus * (day << 20) / 1000;  // per 1000 days
  std::int64_t value = 0;
  if (which == 0) value = rounded(offered * m.days_milli, unit);
  if (which == 1) value = rounded(unit * m.jobs, offered);
  if (which == 2) {
    // plan.gpus are those of one node of each weight.
    std::int64_t weights = 0;
    for (const GenPool& pool : m.pools) weights += pool.weight;
    value = rounded(unit * m.jobs * weights, offered * m.days_milli);
  }
  if (which == 3) value = rounded(offered * m.days_milli * 1000, unit * m.jobs);
  const Follower& follower = kFollowers[which];
  for (const GenParam& param : gen_params()) {
    if (param.key != follower.key || value <= param.max) continue;
    return base::refuse(
        fmt::format("{} would follow as {}, more than {}: change jobs, days, nodes "
                    "or load",
                    param.key, value, param.max));
  }
  m.*follower.member = std::max<std::int64_t>(1, value);
  return {};
}

Result<void> check_lists(const GenModel& model) {
  const auto is_nothing = [](const std::vector<std::int64_t>& list) {
    return std::all_of(list.begin(), list.end(), [](std::int64_t n) { return n == 0; });
  };
  if (model.hours.size() != 24) return base::refuse("hours must have 24 numbers");
  if (model.week.size() != 7) return base::refuse("week must have 7 numbers");
  if (is_nothing(model.hours) || is_nothing(model.week) || is_nothing(model.season)) {
    return base::refuse("hours, week and season need a number above 0 each");
  }
  if (model.weights_milli.empty()) return base::refuse("weights needs at least one number");
  return {};
}

}  // namespace

Result<GenPlan> plan_gen(const GenSettings& settings) {
  GenPlan plan;
  plan.model = settings.model();
  if (auto done = check_lists(plan.model); !done) return tl::unexpected(done.error());
  STINT_TRY(const std::size_t which, follower(plan.model, settings));
  plan.model.*kFollowers[which].member = 0;
  add_nodes(plan);
  if (plan.gpus == 0) return base::refuse("nodes: too few for a pool with GPUs, give more");
  plan.shapes = gen_shapes(plan.model, plan.node_gpus);
  if (auto done = check_shapes(plan); !done) return tl::unexpected(done.error());
  if (plan.model.nodes != 0) drop_giants(plan);
  add_runs(plan, which == 3 ? 1000 : plan.model.stretch_milli);
  if (auto done = follow(plan, which, mean_gpu_time(plan)); !done) {
    return tl::unexpected(done.error());
  }
  if (which == 2) {
    add_nodes(plan);
    drop_giants(plan);
  }
  if (which == 3) add_runs(plan, plan.model.stretch_milli);
  plan.gpu_time_per_job_ms = static_cast<base::Millis>((mean_gpu_time(plan) >> 20) / base::kUnit);
  plan.hours = std::max<std::int64_t>(1, (plan.model.days_milli * 24 + 500) / 1000);
  if (auto done = add_teams(plan, settings); !done) return tl::unexpected(done.error());
  return plan;
}

}  // namespace stint::sim
