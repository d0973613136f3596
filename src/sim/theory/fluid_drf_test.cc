#include "sim/theory/fluid_drf.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/theory/asset_fairness.h"
#include "sim/theory/ceei.h"
#include "sim/theory/examples_for_test.h"

namespace stint::sim {
namespace {

std::string drf(const DrfProblem& problem) { return listed(fluid_drf(problem).tasks); }
std::string asset(const DrfProblem& problem) { return listed(asset_fairness(problem).tasks); }

void expect_ceei(const DrfProblem& problem, const std::vector<double>& tasks, double relative) {
  const CeeiResult result = ceei(problem);
  ASSERT_EQ(result.tasks.size(), tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    EXPECT_NEAR(result.tasks[i], tasks[i], relative * tasks[i]) << i;
  }
}

TEST(FluidDrf, DividesTheWorkedExampleIntoThreeAndTwo_O01) {
  const FluidResult fluid = fluid_drf(worked_example());
  EXPECT_EQ(listed(fluid.tasks), "3 2");
  EXPECT_EQ(listed(fluid.shares), "2/3 2/3");
  EXPECT_EQ(listed(fluid.used), "9 14");
  EXPECT_EQ(fluid.saturated, (std::vector<std::size_t>{0}));
}

TEST(FluidDrf, SharesOneResourceByMaxMin_O08) {
  DrfProblem problem = problem_of({100}, {{1}, {1}, {1}});
  problem.users[0].tasks = 10;
  problem.users[1].tasks = 50;
  problem.users[2].tasks = 60;
  EXPECT_EQ(drf(problem), "10 45 45");
}

TEST(FluidDrf, FollowsWeightsExactly_O09) {
  DrfProblem problem = worked_example();
  problem.users[0].weight = 2;
  EXPECT_EQ(drf(problem), "54/13 18/13");
}

TEST(FluidDrf, FillsWhatUnblockedUsersCanStillUse_O10) {
  EXPECT_EQ(drf(problem_of({10, 20}, {{1, 0}, {1, 1}, {0, 1}})), "5 5 15");
}

TEST(FluidDrf, IsNotResourceMonotone_O11) {
  EXPECT_EQ(drf(problem_of({1, 1}, {{2, 1}, {1, 2}})), "1/3 1/3");
  EXPECT_EQ(drf(problem_of({1, 2}, {{2, 1}, {1, 2}})), "1/4 1/2");
}

TEST(FluidDrf, IsNotPopulationMonotoneWithZeroDemands_O12) {
  EXPECT_EQ(drf(problem_of({2, 2}, {{0, 1}, {2, 1}, {1, 0}})), "3/2 1/2 1");
  EXPECT_EQ(drf(problem_of({2, 2}, {{0, 1}, {2, 1}})), "4/3 2/3");
}

TEST(FluidDrf, GivesOnWhatASatisfiedUserLeaves_O13) {
  DrfProblem problem = worked_example();
  problem.users[0].tasks = 1;
  const FluidResult fluid = fluid_drf(problem);
  EXPECT_EQ(listed(fluid.tasks), "1 8/3");
  EXPECT_EQ(fluid.causes[0], FreezeCause::DemandMet);
  EXPECT_EQ(fluid.causes[1], FreezeCause::Saturated);
}

TEST(FluidDrf, DividesAGpuClusterExactly_O14) {
  EXPECT_EQ(drf(problem_of({64, 512, 4096}, {{8, 32, 256}, {1, 32, 64}})), "16/3 32/3");
}

TEST(FluidDrf, StaysPopulationMonotoneWhereCeeiDoesNot_O15) {
  const DrfProblem three = problem_of({100, 100}, {{4, 1}, {1, 16}, {16, 1}});
  const DrfProblem two = problem_of({100, 100}, {{4, 1}, {1, 16}});
  EXPECT_EQ(drf(three), "400/33 100/33 100/33");
  EXPECT_EQ(drf(two), "20 5");
  expect_ceei(three, {11.2833, 5.3514, 3.0947}, 1e-5);
  expect_ceei(two, {23.8095, 4.7619}, 1e-5);  // the second user fell from 5.35 to 4.76
}

TEST(FluidDrf, StrandsThreeOfEightGpusBehindProportionalCpus_O77) {
  const FluidResult fluid = fluid_drf(problem_of({8, 24}, {{1, 12}, {1, 3}}));
  EXPECT_EQ(listed(fluid.tasks), "1 4");
  EXPECT_EQ(Rational(8) - fluid.used[0], Rational(3));
  EXPECT_EQ(fluid.saturated, (std::vector<std::size_t>{1}));
}

TEST(FluidDrf, DividesTheThreeJobPairsOfTheLiterature) {
  const auto pair = [](const std::vector<Rational>& a, const std::vector<Rational>& b) {
    return fluid_drf(problem_of({192, 720}, {a, b}));
  };
  const FluidResult first = pair({1, 10}, {1, 1});
  EXPECT_EQ(first.tasks[0].rounded(1), "52.4");
  EXPECT_EQ(first.tasks[1].rounded(1), "139.6");
  EXPECT_EQ((first.shares[0] * 100).rounded(1), "72.7");
  EXPECT_EQ(listed(pair({2, 4}, {1, 3}).tasks), "48 96");
  EXPECT_EQ(listed(pair({1, 7}, {1, 4}).tasks), "360/7 90");
}

TEST(FluidDrf, AWeightPerResourceActsOnlyWhereTheUserIsBound) {
  // Level of user a: max of 1/9 and 4/18 over its weights per resource; b keeps 1/3. Oracles 1.1.
  const auto with_measure_of_a = [](const Rational& a) {
    const std::vector<Rational> measure = {a, Rational::ratio(1, 3)};
    return listed(fill_progressively(worked_example(), measure).tasks);
  };
  EXPECT_EQ(with_measure_of_a(std::max(Rational::ratio(1, 18), Rational::ratio(2, 9))), "3 2");
  EXPECT_EQ(with_measure_of_a(std::max(Rational::ratio(1, 9), Rational::ratio(1, 9))),
            "54/13 18/13");
}

TEST(FluidDrf, RecordsWhichResourceFilledAndWhoStopped) {
  const FluidResult fluid = fluid_drf(problem_of({10, 20}, {{1, 0}, {1, 1}, {0, 1}}));
  ASSERT_EQ(fluid.steps.size(), 2U);
  EXPECT_EQ(fluid.steps[0].level, Rational::ratio(1, 2));
  EXPECT_EQ(fluid.steps[0].saturated, (std::vector<std::size_t>{0}));
  EXPECT_EQ(fluid.steps[0].frozen, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(listed(fluid.steps[0].tasks), "5 5 10");
  EXPECT_EQ(fluid.steps[1].level, Rational::ratio(3, 4));
  EXPECT_EQ(fluid.steps[1].saturated, (std::vector<std::size_t>{1}));
  EXPECT_EQ(fluid.steps[1].frozen, (std::vector<std::size_t>{2}));
}

TEST(FluidDrf, LeavesWeightZeroWhatNobodyElseWants) {
  DrfProblem problem = problem_of({10}, {{1}, {1}, {1}});
  problem.users[0].weight = 0;
  EXPECT_EQ(drf(problem), "0 5 5");
  problem.users[1].tasks = 3;
  problem.users[2].tasks = 4;
  const FluidResult fluid = fluid_drf(problem);
  EXPECT_EQ(listed(fluid.tasks), "3 3 4");
  EXPECT_TRUE(fluid.steps.back().is_leftover);
  problem.users[1].weight = 0;
  EXPECT_EQ(drf(problem), "3 3 4");
}

TEST(FluidDrf, KeepsOutWhoAsksForNothingOrForWhatDoesNotExist) {
  DrfProblem problem = problem_of({10, 0}, {{0, 0}, {1, 1}, {1, 0}});
  const FluidResult fluid = fluid_drf(problem);
  EXPECT_EQ(listed(fluid.tasks), "0 0 10");
  EXPECT_EQ(fluid.causes[0], FreezeCause::NoDemand);
  EXPECT_EQ(fluid.causes[1], FreezeCause::Infeasible);
  EXPECT_EQ(fluid.saturated, (std::vector<std::size_t>{0}));
  problem.users[2].tasks = 0;
  EXPECT_EQ(drf(problem), "0 0 0");
}

TEST(AssetFairness, EqualisesSumsOfShares_O04) {
  EXPECT_EQ(asset(worked_example()), "63/25 54/25");
}

TEST(AssetFairness, BreaksTheSharingIncentiveThatDrfKeeps_O06) {
  const DrfProblem problem = problem_of({30, 30}, {{1, 3}, {1, 1}});
  EXPECT_EQ(asset(problem), "6 12");
  EXPECT_EQ(drf(problem), "5 15");
}

TEST(Ceei, MaximisesTheProductOfTasks_O05) {
  expect_ceei(worked_example(), {45.0 / 11, 18.0 / 11}, kCeeiTolerance);
  const CeeiResult result = ceei(worked_example());
  EXPECT_NEAR(result.shares[0], 10.0 / 11, kCeeiTolerance);
  EXPECT_NEAR(result.shares[1], 6.0 / 11, kCeeiTolerance);
}

TEST(Ceei, RewardsALieThatDrfDoesNot_O07) {
  DrfProblem lie = worked_example();
  lie.users[1].demand = {3, 2};
  expect_ceei(lie, {3.6, 1.8}, kCeeiTolerance);  // the liar rises from 18/11
  EXPECT_EQ(drf(lie), "3 2");
}

TEST(Ceei, RespectsTaskLimitsWeightsAndUsersThatCannotRun) {
  DrfProblem problem = problem_of({12, 0}, {{1, 0}, {1, 0}, {1, 0}, {1, 1}, {0, 0}});
  problem.users[0].tasks = 2;
  problem.users[1].weight = 4;
  expect_ceei(problem, {2, 8, 2, 0, 0}, kCeeiTolerance);
  problem.users[2].weight = 0;
  expect_ceei(problem, {2, 10, 0, 0, 0}, kCeeiTolerance);
  problem.users[1].tasks = 0;
  expect_ceei(problem, {2, 0, 0, 0, 0}, kCeeiTolerance);
}

}  // namespace
}  // namespace stint::sim
