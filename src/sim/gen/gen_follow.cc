#include "sim/gen/gen_follow.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/int128.h"

namespace stint::sim {

using base::i128;
using base::Result;

namespace {

struct Number {
  std::string_view key;
  std::int64_t GenModel::* member;
};
// By GenFollower.
constexpr std::array kNumbers{
    Number{"jobs", &GenModel::jobs}, Number{"days", &GenModel::days_milli},
    Number{"nodes", &GenModel::nodes}, Number{"stretch", &GenModel::stretch_milli}};

std::int64_t rounded(i128 above, i128 below) {
  return static_cast<std::int64_t>(std::min<i128>((above + below / 2) / below, i128{1} << 60));
}

// Expected GPU time of one job inside that span, in thousandths of a GPU times ms, times 2^20.
i128 mean_gpu_time(const GenPlan& plan, std::int64_t days_milli) {
  const base::Millis span = std::max<base::Millis>(1, days_milli * (base::kDay / 1000));
  std::array<i128, kGenSizes> means{};
  for (std::size_t i = 0; i < kGenSizes; ++i) means[i] = plan.runs[i].mean_inside(span);
  i128 sum = 0;
  i128 weights = 0;
  for (const GenShape& shape : plan.shapes) {
    const auto weight = static_cast<i128>(shape.weight >> 10U);
    sum += means[static_cast<std::size_t>(shape.size)] * shape.gpus_milli() * weight;
    weights += weight;
  }
  return (sum << 10) / weights << 10;
}

// What the load leaves room for, in the unit of mean_gpu_time().
i128 room(const GenPlan& plan, std::int64_t days_milli) {
  return i128{plan.model.load_milli} * plan.gpus * (i128{base::kDay} << 20) / 1000 * days_milli;
}

// The least value in [1, max] from which on `is_enough` holds; max where it never does.
template <class Predicate>
std::int64_t least(std::int64_t max, Predicate is_enough) {
  std::int64_t low = 1;
  std::int64_t high = max;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (is_enough(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

std::int64_t work_out(GenPlan& plan, GenFollower follower, std::int64_t max) {
  const GenModel& m = plan.model;
  switch (follower) {
    case GenFollower::Jobs:
      return rounded(room(plan, m.days_milli), mean_gpu_time(plan, m.days_milli));
    case GenFollower::Nodes: {
      std::int64_t nodes = 0;
      for (const GenPool& pool : m.pools) nodes += pool.weight;
      return rounded(mean_gpu_time(plan, m.days_milli) * m.jobs * nodes, room(plan, m.days_milli));
    }
    case GenFollower::Days:
      return least(max, [&](std::int64_t days) {
        return room(plan, days) >= mean_gpu_time(plan, days) * m.jobs;
      });
    case GenFollower::Stretch:
      return least(max, [&](std::int64_t stretch) {
        add_runs(plan, stretch);
        return mean_gpu_time(plan, m.days_milli) * m.jobs >= room(plan, m.days_milli);
      });
  }
  return 0;
}

}  // namespace

Result<GenFollower> gen_follower(const GenModel& model, const GenSettings& settings) {
  std::size_t zeros = 0;
  std::size_t zero = 0;
  std::size_t chosen = 0;
  std::size_t free = 0;
  for (std::size_t i = kNumbers.size(); i-- > 0;) {
    if (settings.is_by_hand(kNumbers[i].key)) {
      ++chosen;
    } else {
      free = i;
    }
    if (model.*kNumbers[i].member != 0) continue;
    ++zeros;
    zero = i;
  }
  if (zeros > 1) return base::refuse("only one of jobs, days, nodes and stretch may be 0");
  if (zeros == 1) return static_cast<GenFollower>(zero);
  if (chosen == 0) return GenFollower::Stretch;
  if (chosen < kNumbers.size()) return static_cast<GenFollower>(free);
  return base::refuse(
      "jobs, days, nodes and stretch are all given: leave one out, it follows from the load");
}

void add_runs(GenPlan& plan, std::int64_t stretch_milli) {
  const GenModel& m = plan.model;
  plan.runs.clear();
  plan.runs.emplace_back(m.run_cpu, 1000);
  for (const auto* knots : {&m.run_one, &m.run_part, &m.run_node, &m.run_many}) {
    plan.runs.emplace_back(*knots, stretch_milli);
  }
}

Result<void> follow(GenPlan& plan, GenFollower follower) {
  const Number& number = kNumbers[static_cast<std::size_t>(follower)];
  const auto params = gen_params();
  const auto param = std::find_if(params.begin(), params.end(),
                                  [&](const GenParam& p) { return p.key == number.key; });
  STINT_ASSERT(param != params.end());
  const std::int64_t value = std::max<std::int64_t>(1, work_out(plan, follower, param->max));
  if (value >= param->max) {
    return base::refuse(fmt::format(
        "{} follows from the load and would pass its largest value: change jobs, days, nodes or "
        "load",
        param->key));
  }
  plan.model.*number.member = value;
  if (follower == GenFollower::Stretch) add_runs(plan, value);
  return {};
}

base::Millis gpu_time_per_job(const GenPlan& plan) {
  return static_cast<base::Millis>((mean_gpu_time(plan, plan.model.days_milli) >> 20) /
                                   base::kUnit);
}

}  // namespace stint::sim
