#include "sim/theory/drf_problem.h"

#include <gtest/gtest.h>

#include "sim/theory/examples_for_test.h"

namespace stint::sim {
namespace {

std::string message_of(const DrfProblem& problem) {
  const auto checked = check_problem(problem);
  return checked ? "accepted" : checked.error().message;
}

TEST(DrfProblem, AcceptsTheWorkedExample) { EXPECT_EQ(message_of(worked_example()), "accepted"); }

TEST(DrfProblem, RefusesNegativeAmountsWeightsAndCountsByName) {
  DrfProblem problem = worked_example();
  problem.users[1].weight = -1;
  EXPECT_EQ(message_of(problem), "user \"b\": weight is -1; it must not be negative");
  problem = worked_example();
  problem.users[0].demand[1] = Rational::ratio(-1, 2);
  EXPECT_EQ(message_of(problem),
            "user \"a\": demand of \"memory\" is -0.5; it must not be negative");
  problem = worked_example();
  problem.resources[0].capacity = -9;
  EXPECT_EQ(message_of(problem), "capacity of \"cpu\" is -9; it must not be negative");
  problem = worked_example();
  problem.users[0].tasks = -1;
  EXPECT_EQ(message_of(problem), "user \"a\": tasks is -1; it must not be negative");
  problem = worked_example();
  problem.users[0].last_served = kDrfCountMax + 1;
  EXPECT_NE(message_of(problem), "accepted");
  problem.users[0].last_served = kDrfCountMax;
  EXPECT_EQ(message_of(problem), "accepted");
}

TEST(DrfProblem, RefusesNamesThatAreThereTwiceOrEmpty) {
  DrfProblem problem = worked_example();
  problem.users[1].name = "a";
  EXPECT_EQ(message_of(problem), "user \"a\" is there twice; keep one");
  problem.users[1].name = "";
  EXPECT_EQ(message_of(problem), "a user has no name; give it one");
}

TEST(DrfProblem, RefusesAWorldWithoutUsersOrResourcesAndADemandOfTheWrongLength) {
  DrfProblem problem = worked_example();
  problem.users.clear();
  EXPECT_EQ(message_of(problem), "there is no user; name at least one");
  problem = worked_example();
  problem.resources.clear();
  EXPECT_EQ(message_of(problem), "there is no resource; name at least one");
  problem = worked_example();
  problem.users[0].demand.pop_back();
  EXPECT_EQ(message_of(problem), "user \"a\": demand names 1 resources, capacity 2");
}

TEST(DrfProblem, RefusesOneUserMoreThanItMayHold) {
  DrfProblem problem = problem_of({1}, {});
  for (std::size_t i = 0; i < kDrfUsersMax; ++i) {
    problem.users.push_back({.name = std::to_string(i), .demand = {1}});
  }
  EXPECT_EQ(message_of(problem), "accepted");
  problem.users.push_back({.name = "one more", .demand = {1}});
  EXPECT_EQ(message_of(problem), "1001 users are too many; at most 1000");
}

TEST(DrfProblem, LeavesResourcesWithoutCapacityOutOfTheShare) {
  const DrfProblem problem = problem_of({10, 0}, {{1, 0}, {1, 1}, {0, 1}});
  EXPECT_EQ(share_of_one_task(problem, 0), Rational::ratio(1, 10));
  EXPECT_FALSE(is_infeasible(problem, 0));
  EXPECT_TRUE(is_infeasible(problem, 1));
  EXPECT_TRUE(is_infeasible(problem, 2));
  EXPECT_FALSE(asks_for_nothing(problem, 2));
}

TEST(Equivalents, AFortyEightCpuTaskKeepsFourGpusFromOthers_O64) {
  const DrfProblem problem = problem_of({8, 96}, {{1, 48}, {1, 4}});
  EXPECT_EQ(equivalents(problem, 0, 0), Rational(4));
  EXPECT_EQ(equivalents(problem, 1, 0), Rational(1));
}

}  // namespace
}  // namespace stint::sim
