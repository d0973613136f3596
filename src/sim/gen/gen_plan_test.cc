#include "sim/gen/gen_plan.h"

#include <numeric>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/gen/gen_presets.h"
#include "sim/gen/gen_shapes.h"
#include "sim/gen/gen_teams.h"

namespace stint::sim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

base::Result<GenPlan> plan_of(std::string_view preset, const std::vector<GenValue>& values) {
  auto settings = gen_settings(preset);
  EXPECT_TRUE(settings);
  for (const auto& [key, value] : values) EXPECT_TRUE(settings->set(key, value, true)) << key;
  return plan_gen(*settings);
}

std::string complaint(const std::vector<GenValue>& values) {
  const auto plan = plan_of("research", values);
  return plan ? "" : base::to_string(plan.error());
}

TEST(DealOut, GivesTheRestToTheLargestRemainder) {
  EXPECT_THAT(deal_out(10, {1, 1, 1}), ElementsAre(4, 3, 3));
  EXPECT_THAT(deal_out(7, {50, 25, 25}), ElementsAre(3, 2, 2));
  EXPECT_THAT(deal_out(3, {0, 1}), ElementsAre(0, 3));
  EXPECT_THAT(deal_out(0, {1, 2}), ElementsAre(0, 0));
}

TEST(Zipf, FallsByTheExponent) {
  EXPECT_THAT(zipf(3, 0), ElementsAre(1U << 30U, 1U << 30U, 1U << 30U));
  const auto halves = zipf(4, 1000);
  EXPECT_EQ(halves[1], halves[0] / 2);
  EXPECT_EQ(halves[3], halves[0] / 4);
}

TEST(GenPlan, LetsTheJobsFollowFromTheLoad) {
  const auto half = plan_of("research", {{"load", "0.4"}});
  const auto full = plan_of("research", {{"load", "0.8"}});
  ASSERT_TRUE(half && full);
  EXPECT_NEAR(static_cast<double>(full->model.jobs), 2.0 * static_cast<double>(half->model.jobs),
              2.0);
}

TEST(GenPlan, LetsTheSpanFollowFromAGivenNumberOfJobs) {
  const auto all = plan_of("research", {});
  ASSERT_TRUE(all);
  const std::string jobs = fmt::format("{}", all->model.jobs);
  const auto again = plan_of("research", {{"jobs", jobs}});
  ASSERT_TRUE(again);
  EXPECT_NEAR(static_cast<double>(again->model.days_milli), 14'000.0, 10.0);
  EXPECT_EQ(again->model.nodes, 64);
}

TEST(GenPlan, LetsTheNodesFollowFromJobsAndDays) {
  const auto all = plan_of("research", {});
  ASSERT_TRUE(all);
  const std::string jobs = fmt::format("{}", all->model.jobs);
  const auto again = plan_of("research", {{"jobs", jobs}, {"days", "14"}});
  ASSERT_TRUE(again);
  EXPECT_EQ(again->model.nodes, 64);
}

TEST(GenPlan, StretchesTheLengthsWhereAllElseIsGiven) {
  const auto all = plan_of("research", {});
  ASSERT_TRUE(all);
  const std::string jobs = fmt::format("{}", all->model.jobs / 2);
  const auto again = plan_of("research", {{"jobs", jobs}, {"days", "14"}, {"nodes", "64"}});
  ASSERT_TRUE(again);
  EXPECT_GT(again->model.stretch_milli, 2000);  // what reaches beyond the end does not count
  EXPECT_LT(again->model.stretch_milli, 2200);
}

TEST(GenPlan, RefusesWhatContradictsItself) {
  EXPECT_THAT(complaint({{"jobs", "9"}, {"days", "9"}, {"nodes", "9"}, {"stretch", "1"}}),
              HasSubstr("leave one out"));
  EXPECT_THAT(complaint({{"days", "0"}}), HasSubstr("only one of"));
  EXPECT_THAT(complaint({{"hours", "1 2"}}), HasSubstr("24 numbers"));
  EXPECT_THAT(complaint({{"week", "0 0 0 0 0 0 0"}}), HasSubstr("above 0"));
  EXPECT_THAT(complaint({{"cpu_per_gpu", "100"}}), HasSubstr("no node of pools holds"));
  EXPECT_THAT(
      complaint({{"hours", "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1"}, {"days", "0.5"}}),
      HasSubstr("nobody submits"));
  EXPECT_THAT(complaint({{"teams", "9"}, {"names", "a t7"}}), HasSubstr("another name"));
  EXPECT_THAT(complaint({{"gangs", "0.5:1 1.5:1"}}), HasSubstr("whole numbers"));
  EXPECT_THAT(complaint({{"guests", "9"}}), HasSubstr("guests is 9"));
  EXPECT_THAT(complaint({{"orgs", "9"}}), HasSubstr("an org needs a team"));
  EXPECT_THAT(complaint({{"team_shares", "1 2"}}), HasSubstr("give one for each"));
}

TEST(GenPlan, GivesAListOfThePresetUpWhereTheNumberOfTeamsIsChosen) {
  const auto plan = plan_of("research", {{"teams", "20"}});
  ASSERT_TRUE(plan) << base::to_string(plan.error());
  EXPECT_EQ(plan->teams.size(), 20U);
  EXPECT_EQ(plan->teams[0].name, "vision-train");
  EXPECT_EQ(plan->teams[19].name, "t20");
}

TEST(GenPlan, PromisesNoMoreThanThereIs) {
  for (const GenPreset& preset : gen_presets()) {
    const auto plan = plan_of(preset.name, {});
    ASSERT_TRUE(plan) << preset.name;
    std::int64_t promised = 0;
    std::set<std::string> paths;
    for (const GenTeam& team : plan->teams) {
      promised += team.guarantee;
      paths.insert(team.path);
      EXPECT_TRUE(team.limit == 0 || team.limit >= team.guarantee) << team.path;
    }
    EXPECT_LE(promised, plan->gpus) << preset.name;
    EXPECT_GE(promised, plan->gpus * 6 / 10) << preset.name;
    EXPECT_EQ(paths.size(), plan->teams.size()) << preset.name;
    EXPECT_EQ(std::set<std::string>(plan->users.begin(), plan->users.end()).size(),
              plan->users.size());
    for (const GenOrg& org : plan->orgs) {
      EXPECT_TRUE(org.limit == 0 || org.limit >= org.guarantee) << org.name;
    }
  }
}

TEST(GenPlan, CutsGangsIntoEqualTasksOfAtMostANode) {
  const auto plan = plan_of("research", {{"gangs", "1:1 6:1 12:1 20:1 22:1 128:1"}});
  ASSERT_TRUE(plan);
  std::vector<std::pair<std::int64_t, std::int64_t>> tasks;
  for (const GenShape& shape : plan->shapes) tasks.emplace_back(shape.tasks, shape.gpu_milli);
  EXPECT_THAT(tasks, ElementsAre(std::pair(1, 1000), std::pair(1, 6000), std::pair(2, 6000),
                                 std::pair(4, 5000), std::pair(11, 2000), std::pair(16, 8000)));
}

TEST(GenPlan, FitsGangsToThePoolsThatASmallClusterHas) {
  // One node in a hundred has 8 GPUs; a small cluster has none of these.
  const std::vector<GenValue> pools{{"pools", "big:1:8:96:1Ti small:99:2:32:256Gi"},
                                    {"gangs", "1:1 8:1"}};
  auto large = pools;
  large.emplace_back("nodes", "200");
  auto small = pools;
  small.emplace_back("nodes", "20");
  const auto with = plan_of("research", large);
  const auto without = plan_of("research", small);
  ASSERT_TRUE(with && without);
  EXPECT_EQ(with->shapes.back().tasks, 1);
  EXPECT_EQ(without->shapes.back().tasks, 4);
}

TEST(GenPlan, LeavesOutGangsOfMoreThanHalfTheCluster) {
  const auto plan = plan_of("research", {{"nodes", "8"}});
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->shapes.back().gpus_milli(), 32'000);
}

}  // namespace
}  // namespace stint::sim
