#include "sim/metrics/formulas.h"

#include <array>
#include <vector>

#include <gtest/gtest.h>

namespace stint::sim {
namespace {

TEST(NearestRank, IsTheDefinitionsOwnExample) {  // oracles §8
  std::vector<Millis> waits(90, 0);
  waits.insert(waits.end(), 5, 60);
  waits.insert(waits.end(), 4, 600);
  waits.push_back(7200);
  EXPECT_EQ(nearest_rank(waits, 50), 0);
  EXPECT_EQ(nearest_rank(waits, 95), 60);
  EXPECT_EQ(nearest_rank(waits, 99), 600);
  EXPECT_DOUBLE_EQ(mean(waits), 99);
}

TEST(NearestRank, OfNothingIsNothing) { EXPECT_EQ(nearest_rank({}, 99), 0); }

TEST(NearestRank, AfterZerosIsThatOfAllOfThem) {
  std::vector<Millis> others(5, 60);
  others.insert(others.end(), 4, 600);
  others.push_back(7200);
  EXPECT_EQ(nearest_rank_after(90, others, 50), 0);
  EXPECT_EQ(nearest_rank_after(90, others, 90), 0);
  EXPECT_EQ(nearest_rank_after(90, others, 91), 60);
  EXPECT_EQ(nearest_rank_after(90, others, 99), 600);
  EXPECT_EQ(nearest_rank_after(90, others, 100), 7200);
  EXPECT_EQ(nearest_rank_after(3, {}, 100), 0);
  EXPECT_EQ(nearest_rank_after(0, {}, 100), 0);
}

TEST(FinishTimeRatio, IsSharedOverAlone) {  // oracles §8 ρ
  EXPECT_DOUBLE_EQ(finish_time_ratio(12, 10), 1.2);
}

TEST(Envy, IsBelowOneWhereDominantSharesAreEqual) {  // O-01: (3,12) and (6,2)
  const std::array<double, 2> a_asks = {1, 4};
  const std::array<double, 2> a_holds = {3, 12};
  const std::array<double, 2> b_asks = {3, 1};
  const std::array<double, 2> b_holds = {6, 2};
  EXPECT_DOUBLE_EQ(envy(std::vector<Bundle>{{a_asks, a_holds, 1}, {b_asks, b_holds, 1}}), 0.5);
}

TEST(Envy, IsAboveOneWhereSomebodyWouldRatherHaveTheOthers) {
  const std::array<double, 2> ones = {1, 1};
  const std::array<double, 2> threes = {3, 3};
  EXPECT_DOUBLE_EQ(envy(std::vector<Bundle>{{ones, ones, 1}, {ones, threes, 1}}), 3);
  // Three times the weight makes that just.
  EXPECT_DOUBLE_EQ(envy(std::vector<Bundle>{{ones, ones, 1}, {ones, threes, 3}}), 1);
}

TEST(BoundedSlowdown, CountsAtLeastTenSecondsOfRun) {  // O-71
  const Millis s = base::kSecond;
  EXPECT_DOUBLE_EQ(bounded_slowdown(600 * s, 5 * s), 60.5);
  EXPECT_DOUBLE_EQ(bounded_slowdown(0, 5 * s), 1);
  EXPECT_DOUBLE_EQ(bounded_slowdown(3600 * s, 3600 * s), 2);
}

TEST(Jain, MeasuresEquality) {  // O-72
  EXPECT_DOUBLE_EQ(jain_index(std::vector<double>{3, 2, 1}), 6.0 / 7.0);
  EXPECT_DOUBLE_EQ(jain_index(std::vector<double>{4, 0, 0, 0}), 0.25);
  EXPECT_DOUBLE_EQ(jain_index(std::vector<double>{2, 2}), 1);
}

TEST(Violation, CountsWhatIsOwedAndNotHeld) {  // O-73: 24 GPUs short for 120 s, then none
  EXPECT_EQ(violation(64, 80, 40) * 120 + violation(64, 80, 64) * 600, 2880);
  EXPECT_EQ(violation(64, 10, 10), 0);
}

TEST(Entitlement, GivesGuaranteesFirstAndSharesTheRest) {  // O-16
  const std::vector<Claimant> claimants = {{20, 1, 60, 1e9}, {30, 2, 100, 1e9}, {10, 1, 15, 1e9}};
  const auto given = entitlements(100, claimants);
  EXPECT_NEAR(given[0], 95.0 / 3, 1e-9);
  EXPECT_NEAR(given[1], 160.0 / 3, 1e-9);
  EXPECT_NEAR(given[2], 15, 1e-9);
}

TEST(Entitlement, DoesNotDependOnTheOrder) {  // O-17 must not
  const std::vector<Claimant> claimants = {{10, 1, 15, 1e9}, {30, 2, 100, 1e9}, {20, 1, 60, 1e9}};
  const auto given = entitlements(100, claimants);
  EXPECT_NEAR(given[2], 95.0 / 3, 1e-9);
  EXPECT_NEAR(given[1], 160.0 / 3, 1e-9);
}

}  // namespace
}  // namespace stint::sim
