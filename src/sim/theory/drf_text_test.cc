#include "sim/theory/drf_text.h"

#include <string_view>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sim/theory/examples_for_test.h"

namespace stint::sim {
namespace {

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

DrfProblem stamped_example() {
  DrfProblem problem = worked_example();
  problem.users[0].last_served = 2;
  problem.users[0].tasks = 5;
  problem.users[1].last_served = 1;
  return problem;
}

TEST(DrfText, ShowsProblemStepsResultAndExactDivision) {
  EXPECT_EQ(drf_text(stamped_example(), {}), R"(Problem
  resource  capacity
  cpu              9
  memory        18Gi

  user  cpu/task  memory/task  share/task  dominant  weight  tasks  last served
  a            1          4Gi         2/9  memory         1      5            2
  b            3          1Gi         1/3  cpu            1      -            1

Discrete loop (ties: last-served)
  step  served  share before  share after  cpu used  memory used  tied
     1  b                  0          1/3         3          1Gi  a, b
     2  a                  0          2/9         4          5Gi  -
     3  a                2/9          4/9         5          9Gi  -
     4  b                1/3          2/3         8         10Gi  -
     5  a                4/9          2/3         9         14Gi  -
  Ended because nothing more fits.

Discrete result
  user  tasks  share  cpu  memory
  a         3    2/3    3    12Gi
  b         2    2/3    6     2Gi

Exact fluid division
  step  share/weight  full  stops  has all tasks
     1           2/3  cpu   a, b   -

  user  tasks  approx  share  ends because
  a         3  3.0000    2/3  a resource is full
  b         2  2.0000    2/3  a resource is full

  resource  used  left
  cpu          9     0  full
  memory    14Gi   4Gi
)");
}

TEST(DrfText, WritesFractionsForTheExactDivisionAndDecimalsForAmounts) {
  DrfProblem problem = worked_example();
  problem.users[0].weight = 2;
  problem.users[1].demand[1] = Rational::ratio(1, 2);
  problem.users[0].demand[1] = Rational::ratio(9, 2);
  const std::string text = drf_text(problem, {});
  EXPECT_TRUE(has(text, "4.5Gi")) << text;
  EXPECT_TRUE(has(text, "96/25  3.8400  24/25")) << text;
}

TEST(DrfText, ShowsTheNameTieBugBesideTheRightAnswer) {
  const std::string text =
      drf_text(problem_of({16}, {{16}, {16}}), {.greedy = {.ties = Ties::Name}});
  EXPECT_TRUE(has(text,
                  R"(
Ties by name beside last-served (100 rounds; at the end of each all tasks end)
  user  name: granted  ties won  in a row  last-served: granted  ties won  in a row
  a               100   100/100       100                    50    50/100         1
  b                 0     0/100         0                    50    50/100         1
What went wrong: by name a won 100 of its 100 ties, 100 in a row, because its name )"
                  "sorts first, and a "
                  "name never changes, so whoever sorts first wins every tie; with last-served "
                  "it wins 50 of 100 and gets 50 grants instead of 100.\n"))
      << text;
}

TEST(DrfText, ShowsTheLifetimeCountBugBesideTheRightAnswer) {
  DrfProblem problem = problem_of({16}, {{16}, {16}});
  problem.users[0].past_grants = 10'000;
  const DrfReport report = drf_report(
      problem, {.greedy = {.ties = Ties::Count, .steps_max = 20'000}, .comparison_rounds = 10'001});
  ASSERT_TRUE(report.comparison);
  EXPECT_EQ(report.comparison->faulty[1].in_a_row, 10'000);
  EXPECT_EQ(report.comparison->right[1].in_a_row, 1);
  EXPECT_TRUE(
      report.comparison->sentence.starts_with("What went wrong: by count b won 10000 of its"))
      << report.comparison->sentence;
}

TEST(DrfText, SaysSoWhereTheTieRuleMakesNoDifference) {
  DrfProblem problem = worked_example();
  problem.users[1].weight = 0;  // never equal
  const DrfReport none = drf_report(problem, {.greedy = {.ties = Ties::Name}});
  EXPECT_EQ(none.comparison->sentence,
            "No decision was a tie here, so the tie rule name had nothing to decide.");
  const DrfReport order = drf_report(worked_example(), {.greedy = {.ties = Ties::Name}});
  EXPECT_TRUE(order.comparison->sentence.starts_with("All get as much under both rules here"))
      << order.comparison->sentence;
  EXPECT_EQ(order.comparison->tied, 100);  // one tie in each round, the other grants are none
  EXPECT_EQ(order.comparison->faulty[0].ties_in, 100);
  EXPECT_EQ(order.comparison->faulty[0].ties_won, 100);
  EXPECT_EQ(order.comparison->faulty[0].granted, 300);
  EXPECT_FALSE(drf_report(worked_example(), {}).comparison);
}

TEST(DrfText, ShowsWhoDidNotFitAndWhatEndedTheLoop) {
  const DrfProblem problem = problem_of({10, 20}, {{1, 0}, {1, 1}, {0, 1}});
  EXPECT_TRUE(has(drf_text(problem, {}), "did not fit"));
  const std::string stopped = drf_text(problem, {.greedy = {.misfit = Misfit::Stop}});
  EXPECT_TRUE(has(stopped, "a misfit ends the loop"));
  EXPECT_TRUE(has(stopped, "Stopped because a has the smallest share and does not fit")) << stopped;
}

TEST(DrfText, CountsTheStepsThatItDoesNotList) {
  const DrfProblem problem = problem_of({100}, {{1}});
  EXPECT_TRUE(has(drf_text(problem, {}), "… 40 more grants\n"));
  EXPECT_FALSE(has(drf_text(problem, {.steps_shown = 100}), "more grants"));
}

TEST(DrfText, QuotesANameThatWouldBreakTheTable) {
  DrfProblem problem = problem_of({2}, {{1}});
  problem.users[0].name = "a\nb";
  EXPECT_TRUE(has(drf_text(problem, {}), "\"a\\x0ab\""));
}

TEST(DrfText, ShowsAnyNameAsItIs) {
  DrfProblem problem = problem_of({2}, {{1}});
  problem.resources[0].name = "<gpu>";
  problem.users[0].name = "jürgen";
  EXPECT_TRUE(has(drf_text(problem, {}), "<gpu>/task"));
  EXPECT_TRUE(has(drf_text(problem, {}), "  user    tasks  share  <gpu>\n  jürgen      2"));
}

TEST(DrfText, HasNoTrailingBlanks) {
  const std::string text = drf_text(stamped_example(), {.greedy = {.ties = Ties::Count}});
  EXPECT_FALSE(has(text, " \n"));
}

TEST(DrfJson, CarriesTheSameNumbersWithASchema) {
  DrfProblem problem = worked_example();
  problem.users[0].weight = 2;
  const auto root = nlohmann::json::parse(drf_json(problem, {.greedy = {.ties = Ties::Name}}));
  EXPECT_EQ(root["schema"], 1);
  EXPECT_EQ(root["problem"]["capacity"]["memory"]["amount"], "18");
  EXPECT_EQ(root["problem"]["capacity"]["memory"]["unit"], "Gi");
  EXPECT_EQ(root["problem"]["users"][0]["tasks"], nullptr);
  EXPECT_EQ(root["fluid"]["users"][0]["tasks"], "54/13");
  EXPECT_NEAR(root["fluid"]["users"][0]["approx"].get<double>(), 54.0 / 13, 1e-12);
  EXPECT_EQ(root["fluid"]["saturated"], nlohmann::json::array({"memory"}));
  EXPECT_EQ(root["discrete"]["ties"], "name");
  EXPECT_EQ(root["discrete"]["steps"][0]["served"], "a");
  EXPECT_EQ(root["discrete"]["steps"][0]["tied"], nlohmann::json::array({"a", "b"}));
  EXPECT_EQ(root["discrete"]["end"], "nothing-fits");
  EXPECT_EQ(root["comparison"]["rounds"], 100);
}

TEST(DrfJson, HasNoComparisonForTheRightRuleAndSurvivesBrokenNames) {
  DrfProblem problem = problem_of({2}, {{1}});
  problem.users[0].name = "\xff";
  const auto root = nlohmann::json::parse(drf_json(problem, {}));
  EXPECT_EQ(root["comparison"], nullptr);
  EXPECT_EQ(root["discrete"]["users"][0]["tasks"], 2);
}

}  // namespace
}  // namespace stint::sim
