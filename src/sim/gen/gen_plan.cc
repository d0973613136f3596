#include "sim/gen/gen_plan.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/int128.h"
#include "sim/gen/arrivals.h"
#include "sim/gen/gen_follow.h"
#include "sim/gen/gen_shapes.h"
#include "sim/gen/gen_teams.h"

namespace stint::sim {

using base::Result;

namespace {

// The nodes of all pools; where their number is still to follow, as many as the pools have weight.
void add_nodes(GenPlan& plan) {
  std::int64_t weights = 0;
  for (const GenPool& pool : plan.model.pools) weights += pool.weight;
  const bool follows = plan.model.nodes == 0;
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

// Tasks of that shape that the empty cluster holds at once.
std::int64_t room_for(const GenPlan& plan, const GenShape& shape) {
  std::int64_t tasks = 0;
  for (const GenNodes& nodes : plan.nodes) {
    if (!holds_task(nodes.pool, shape)) continue;
    std::int64_t each = nodes.pool.gpus * base::kUnit / std::max<std::int64_t>(1, shape.gpu_milli);
    if (shape.cpu_milli > 0) {
      each = std::min(each, nodes.pool.cpus * base::kUnit / shape.cpu_milli);
    }
    if (shape.memory_mib > 0) each = std::min(each, nodes.pool.memory_mib / shape.memory_mib);
    tasks += each * nodes.count;
  }
  return tasks;
}

// Leaves out gangs that need more than half of the GPUs or cannot all be placed, but never the
// smallest.
void drop_giants(GenPlan& plan) {
  bool is_first = true;
  std::erase_if(plan.shapes, [&](const GenShape& shape) {
    if (shape.size == GenSize::Cpu) return false;
    if (std::exchange(is_first, false)) return false;
    return shape.gpus_milli() > plan.gpus * base::kUnit / 2 || room_for(plan, shape) < shape.tasks;
  });
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
  for (const GenWeighted& gang : model.gangs) {
    if (gang.value < base::kUnit || gang.value % base::kUnit == 0) continue;
    return base::refuse(
        fmt::format("gangs: {} GPUs cannot be dealt out to tasks: above 1 only "
                    "whole numbers",
                    base::format_count(gang.value)));
  }
  if (model.weights_milli.empty()) return base::refuse("weights needs at least one number");
  return {};
}

// Nodes, and the shapes that fit them.
Result<void> settle(GenPlan& plan) {
  add_nodes(plan);
  if (plan.gpus == 0) {
    return base::refuse("nodes: too few, no pool with GPUs gets one: give more nodes or jobs");
  }
  plan.shapes = gen_shapes(plan.model, plan.node_gpus);
  if (auto done = check_shapes(plan); !done) return done;
  if (plan.model.nodes != 0) drop_giants(plan);
  return {};
}

}  // namespace

Result<GenPlan> plan_gen(const GenSettings& settings) {
  GenPlan plan;
  plan.model = settings.model();
  if (auto done = check_lists(plan.model); !done) return tl::unexpected(done.error());
  STINT_TRY(const GenFollower follower, gen_follower(plan.model, settings));
  const bool nodes_follow = follower == GenFollower::Nodes;
  if (nodes_follow) plan.model.nodes = 0;
  if (auto done = settle(plan); !done) return tl::unexpected(done.error());
  add_runs(plan, std::max<std::int64_t>(1, plan.model.stretch_milli));
  if (auto done = follow(plan, follower); !done) return tl::unexpected(done.error());
  if (nodes_follow) {
    if (auto done = settle(plan); !done) return tl::unexpected(done.error());
  }
  plan.gpu_time_per_job_ms = gpu_time_per_job(plan);
  plan.hours = std::max<std::int64_t>(1, (plan.model.days_milli * 24 + 500) / 1000);
  if (!has_arrivals(plan.model, plan.hours)) {
    return base::refuse(fmt::format(
        "nobody submits in a span of {} hours: change days, hours, week or season", plan.hours));
  }
  if (auto done = add_teams(plan, settings); !done) return tl::unexpected(done.error());
  return plan;
}

}  // namespace stint::sim
