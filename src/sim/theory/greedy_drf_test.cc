#include "sim/theory/greedy_drf.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "sim/theory/examples_for_test.h"

namespace stint::sim {
namespace {

// The names served, such as `BAABA`, upper case only if the users' names are.
std::string order(const DrfProblem& problem, const GreedyResult& run) {
  std::string text;
  for (const GreedyStep& step : run.steps) text += problem.users[step.user].name;
  return text;
}

std::string order(const DrfProblem& problem, const GreedyOptions& options = {}) {
  return order(problem, greedy_drf(problem, options));
}

std::vector<std::int64_t> tasks(const DrfProblem& problem, const GreedyOptions& options = {}) {
  return greedy_drf(problem, options).tasks;
}

// Two users whose every task takes the whole cluster of 16 GPUs: each decision is a tie at zero.
DrfProblem whole_cluster_jobs() { return problem_of({16}, {{16}, {16}}); }

std::size_t longest_row(const GreedyResult& run) {
  std::size_t longest = 0;
  std::size_t row = 0;
  for (std::size_t s = 0; s < run.steps.size(); ++s) {
    row = s > 0 && run.steps[s].user == run.steps[s - 1].user ? row + 1 : 1;
    longest = std::max(longest, row);
  }
  return longest;
}

TEST(GreedyDrf, ServesTheUserServedLeastRecentlyAtTheFirstTie_O02) {
  DrfProblem problem = worked_example();
  problem.users[0].last_served = 2;
  problem.users[1].last_served = 1;
  const GreedyResult run = greedy_drf(problem, {});
  EXPECT_EQ(order(problem, run), "baaba");
  EXPECT_EQ(run.tasks, (std::vector<std::int64_t>{3, 2}));
  EXPECT_EQ(listed(run.used), "9 14");
  EXPECT_EQ(listed(run.shares), "2/3 2/3");
}

TEST(GreedyDrf, RecordsSharesAndUsageOfEachStep_O02) {
  DrfProblem problem = worked_example();
  problem.users[0].last_served = 1;
  const GreedyResult run = greedy_drf(problem, {});
  ASSERT_EQ(run.steps.size(), 5U);
  const char* used[] = {"3 1", "4 5", "5 9", "8 10", "9 14"};
  const char* before[] = {"0", "0", "2/9", "1/3", "4/9"};
  const char* after[] = {"1/3", "2/9", "4/9", "2/3", "2/3"};
  for (std::size_t s = 0; s < 5; ++s) {
    EXPECT_EQ(listed(run.steps[s].used), used[s]) << s;
    EXPECT_EQ(run.steps[s].share_before.to_string(), before[s]) << s;
    EXPECT_EQ(run.steps[s].share_after.to_string(), after[s]) << s;
    EXPECT_EQ(run.steps[s].tied.size(), s == 0 ? 2U : 1U) << s;
  }
}

TEST(GreedyDrf, ReachesTheSameEndFromTheOtherFirstTie_O03) {
  DrfProblem problem = worked_example();
  problem.users[1].last_served = 1;
  const GreedyResult run = greedy_drf(problem, {});
  EXPECT_EQ(order(problem, run), "ababa");
  EXPECT_EQ(run.tasks, (std::vector<std::int64_t>{3, 2}));
  EXPECT_EQ(listed(run.used), "9 14");
}

TEST(GreedyDrf, GoesOnWithOthersWhenTheSmallestDoesNotFit_O10) {
  const DrfProblem problem = problem_of({10, 20}, {{1, 0}, {1, 1}, {0, 1}});
  EXPECT_EQ(tasks(problem), (std::vector<std::int64_t>{5, 5, 15}));
}

TEST(GreedyDrf, TheLoopThatStopsAtAMisfitLeavesFiveTasksUnserved_MustNot_O10) {
  const DrfProblem problem = problem_of({10, 20}, {{1, 0}, {1, 1}, {0, 1}});
  const GreedyResult wrong = greedy_drf(problem, {.misfit = Misfit::Stop});
  EXPECT_EQ(wrong.tasks, (std::vector<std::int64_t>{5, 5, 10}));
  EXPECT_EQ(wrong.end, GreedyEnd::Misfit);
  ASSERT_TRUE(wrong.misfit);
  EXPECT_NE(tasks(problem), wrong.tasks);
}

TEST(GreedyDrf, GivesAUserNoMoreTasksThanItHas_O13) {
  DrfProblem problem = worked_example();
  problem.users[0].tasks = 1;
  EXPECT_EQ(tasks(problem), (std::vector<std::int64_t>{1, 2}));
  problem.users[1].tasks = 1;
  EXPECT_EQ(greedy_drf(problem, {}).end, GreedyEnd::AllMet);
}

TEST(GreedyDrf, EndsInSixAndTenOrFiveAndElevenByTheTie_O14) {
  DrfProblem problem = problem_of({64, 512, 4096}, {{8, 32, 256}, {1, 32, 64}});
  EXPECT_EQ(tasks(problem), (std::vector<std::int64_t>{6, 10}));
  EXPECT_EQ(tasks(problem, {.ties = Ties::Name}), (std::vector<std::int64_t>{6, 10}));
  problem.users[0].name = "z";  // now every tie falls to the second
  EXPECT_EQ(tasks(problem), (std::vector<std::int64_t>{6, 10}));
  EXPECT_EQ(tasks(problem, {.ties = Ties::Name}), (std::vector<std::int64_t>{5, 11}));
}

TEST(GreedyDrf, AlternatesWholeClusterJobsFiftyToFifty_O21) {
  const GreedyResult run = greedy_drf(whole_cluster_jobs(), {.rounds = 100});
  EXPECT_EQ(run.granted, (std::vector<std::int64_t>{50, 50}));
  EXPECT_EQ(longest_row(run), 1U);
  for (const GreedyStep& step : run.steps) EXPECT_EQ(step.tied.size(), 2U);
}

TEST(GreedyDrf, TiesByNameGiveOneUserAllHundredRounds_MustNot_O21) {
  const GreedyResult wrong = greedy_drf(whole_cluster_jobs(), {.ties = Ties::Name, .rounds = 100});
  EXPECT_EQ(wrong.granted, (std::vector<std::int64_t>{100, 0}));
  EXPECT_NE(greedy_drf(whole_cluster_jobs(), {.rounds = 100}).granted, wrong.granted);
}

TEST(GreedyDrf, DoesNotDependOnTheOrderInWhichUsersAreListed_F2) {
  const DrfProblem problem = problem_of({30, 60}, {{1, 4}, {3, 1}, {1, 1}, {2, 2}});
  DrfProblem reversed = problem;
  std::ranges::reverse(reversed.users);
  for (const Ties ties : {Ties::LastServed, Ties::Name, Ties::Count}) {
    const GreedyOptions options{.ties = ties, .rounds = 3};
    EXPECT_EQ(order(problem, options), order(reversed, options)) << to_string(ties);
  }
}

TEST(GreedyDrf, ExactSharesAlternateFromTheFirstGrant_O78) {
  const GreedyResult run = greedy_drf(problem_of({10'000}, {{1}, {1}}), {});
  EXPECT_EQ(run.granted, (std::vector<std::int64_t>{5000, 5000}));
  EXPECT_EQ(longest_row(run), 1U);
}

// How many grants the first user takes before the second gets one.
std::size_t head_start(ShareForm form) {
  const GreedyResult run =
      greedy_drf(problem_of({10'000}, {{1}, {1}}), {.ties = Ties::Name, .share_form = form});
  const auto second = std::ranges::find(run.steps, std::size_t{1}, &GreedyStep::user);
  return static_cast<std::size_t>(second - run.steps.begin());
}

TEST(GreedyDrf, CutOffSharesGiveOneUserAHeadStart_MustNot_O78) {
  EXPECT_EQ(head_start(ShareForm::Percent), 100U);
  EXPECT_EQ(head_start(ShareForm::PerMille), 10U);
  EXPECT_EQ(head_start(ShareForm::Exact), 1U);
}

TEST(GreedyDrf, SeesATieWhereSummedDoublesDoNot_F5) {
  // 0.1 + 0.1 + 0.1 against 0.3: a tie, which the name gives to a; a sum of doubles lies above 0.3.
  const DrfProblem problem = problem_of({10}, {{1}, {3}});
  EXPECT_EQ(order(problem, {.ties = Ties::Name}).substr(0, 5), "abaaa");
  EXPECT_EQ(
      order(problem, {.ties = Ties::Name, .share_form = ShareForm::SummedDouble}).substr(0, 5),
      "abaab");
}

DrfProblem newcomer() {
  DrfProblem problem = whole_cluster_jobs();
  problem.users[0].past_grants = 10'000;
  problem.users[0].last_served = 10'000;
  return problem;
}

TEST(GreedyDrf, ANewcomerWinsAtMostOneTieInARow_F11) {
  const GreedyResult run = greedy_drf(newcomer(), {.rounds = 1000});
  EXPECT_EQ(longest_row(run), 1U);
}

TEST(GreedyDrf, LifetimeCountsLetANewcomerWinTenThousandTiesInARow_MustNot_F11) {
  const GreedyResult wrong = greedy_drf(newcomer(), {.ties = Ties::Count, .rounds = 10'001});
  EXPECT_EQ(longest_row(wrong), 10'000U);
  EXPECT_EQ(wrong.granted, (std::vector<std::int64_t>{1, 10'000}));
}

TEST(GreedyDrf, ServesEveryTiedUserWithinAsManyGrantsAsThereAreUsers) {
  const DrfProblem problem = problem_of({8}, {{8}, {8}, {8}, {8}, {8}});
  const GreedyResult run = greedy_drf(problem, {.rounds = 100});
  for (std::size_t s = 5; s < run.steps.size(); ++s)
    EXPECT_EQ(run.steps[s].user, run.steps[s - 5].user);
  EXPECT_EQ(run.granted, (std::vector<std::int64_t>{20, 20, 20, 20, 20}));
}

TEST(GreedyDrf, FollowsWeights) {
  DrfProblem problem = problem_of({12}, {{1}, {1}});
  problem.users[1].weight = Rational::ratio(1, 2);
  EXPECT_EQ(tasks(problem), (std::vector<std::int64_t>{8, 4}));
}

TEST(GreedyDrf, WeightZeroGetsOnlyWhatNobodyElseWants_F19) {
  DrfProblem problem = problem_of({10}, {{1}, {1}, {1}});
  problem.users[0].weight = 0;
  problem.users[2].weight = 0;
  problem.users[1].tasks = 4;
  EXPECT_EQ(order(problem), "bbbbacacac");
  problem.users[1].tasks.reset();
  EXPECT_EQ(tasks(problem), (std::vector<std::int64_t>{0, 10, 0}));
}

TEST(GreedyDrf, KeepsOutWhoAsksForNothingOrForWhatDoesNotExist) {
  const DrfProblem problem = problem_of({4, 0}, {{0, 0}, {1, 1}, {1, 0}});
  const GreedyResult run = greedy_drf(problem, {});
  EXPECT_EQ(run.tasks, (std::vector<std::int64_t>{0, 0, 4}));
  EXPECT_TRUE(
      std::ranges::all_of(run.steps, [](const GreedyStep& s) { return s.tied.size() == 1; }));
}

TEST(GreedyDrf, GivesUpAfterTheGrantsItMayMake) {
  const DrfProblem problem = problem_of({10}, {{1}});
  EXPECT_EQ(greedy_drf(problem, {.steps_max = 10}).end, GreedyEnd::NothingFits);
  const GreedyResult cut = greedy_drf(problem, {.steps_max = 9});
  EXPECT_EQ(cut.end, GreedyEnd::StepLimit);
  EXPECT_EQ(cut.steps.size(), 9U);
}

TEST(GreedyDrf, BringsATaskLimitBackInEachRound) {
  DrfProblem problem = problem_of({10}, {{1}, {1}});
  problem.users[0].tasks = 2;
  EXPECT_EQ(greedy_drf(problem, {.rounds = 3}).granted, (std::vector<std::int64_t>{6, 24}));
}

TEST(GreedyDrf, EndsTheRoundsWhenNothingCanStart) {
  const DrfProblem problem = problem_of({1}, {{2}});
  const GreedyResult run = greedy_drf(problem, {.rounds = kDrfCountMax});
  EXPECT_EQ(run.granted, (std::vector<std::int64_t>{0}));
  EXPECT_EQ(run.end, GreedyEnd::NothingFits);
}

TEST(GreedyDrf, KnowsItsTieRulesByName) {
  for (const Ties ties : {Ties::Name, Ties::Count, Ties::LastServed}) {
    EXPECT_EQ(parse_ties(to_string(ties)), ties);
  }
  const auto wrong = parse_ties("lastserved");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message,
            "no tie rule is called \"lastserved\"; write name, count or last-served");
}

}  // namespace
}  // namespace stint::sim
