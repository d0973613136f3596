#include "sim/theory/entitlement.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "sim/theory/examples_for_test.h"
#include "sim/theory/webster.h"

namespace stint::sim {
namespace {

std::string amounts(const std::vector<EntitlementNode>& siblings, const Rational& total) {
  std::vector<Rational> list;
  for (const Entitlement& e : entitle(siblings, total)) list.push_back(e.amount);
  return listed(list);
}

std::vector<EntitlementNode> three_queues() {
  return {{.name = "a", .guarantee = 20, .weight = 1, .demand = 60},
          {.name = "b", .guarantee = 30, .weight = 2, .demand = 100},
          {.name = "c", .guarantee = 10, .weight = 1, .demand = 15}};
}

// The mistake of F16: each takes its part of what the ones before it have left, round after round,
// and the weights of those who are satisfied are never taken out.
std::vector<double> by_shrinking_remainder(const std::vector<EntitlementNode>& queues,
                                           double total) {
  std::vector<double> amount;
  double rest = total;
  double weights = 0;
  for (const EntitlementNode& queue : queues) {
    amount.push_back(std::min(queue.guarantee->to_double(), queue.demand->to_double()));
    rest -= amount.back();
    weights += queue.weight.to_double();
  }
  for (int round = 0; round < 1000; ++round) {
    for (std::size_t i = 0; i < queues.size(); ++i) {
      const double part = std::min(rest * queues[i].weight.to_double() / weights,
                                   queues[i].demand->to_double() - amount[i]);
      amount[i] += part;
      rest -= part;
    }
  }
  return amount;
}

TEST(Entitlement, GivesGuaranteesFirstAndTheRestByWeight_O16) {
  EXPECT_EQ(amounts(three_queues(), 100), "95/3 160/3 15");
}

TEST(Entitlement, DoesNotDependOnTheOrderOfSiblings_O17) {
  std::vector<EntitlementNode> queues = three_queues();
  std::vector<std::size_t> order = {0, 1, 2};
  const std::vector<Rational> right = {Rational::ratio(95, 3), Rational::ratio(160, 3), 15};
  do {
    std::vector<EntitlementNode> shuffled;
    for (const std::size_t i : order) shuffled.push_back(queues[i]);
    const std::vector<Entitlement> result = entitle(shuffled, 100);
    for (std::size_t k = 0; k < order.size(); ++k) EXPECT_EQ(result[k].amount, right[order[k]]);
  } while (std::ranges::next_permutation(order).found);
}

TEST(Entitlement, ARemainderThatShrinksInTheLoopDependsOnTheOrder_MustNot_O17) {
  std::vector<EntitlementNode> queues = three_queues();
  const std::vector<double> forward = by_shrinking_remainder(queues, 100);
  EXPECT_NEAR(forward[0], 34, 1e-9);
  EXPECT_NEAR(forward[1], 51, 1e-9);
  EXPECT_NEAR(forward[2], 15, 1e-9);
  std::ranges::reverse(queues);
  const std::vector<double> backward = by_shrinking_remainder(queues, 100);
  EXPECT_NEAR(backward[2], 27, 1e-9);
  EXPECT_NEAR(backward[1], 58, 1e-9);
  EXPECT_NEAR(backward[0], 15, 1e-9);
}

TEST(Entitlement, DividesDownTheTree_O20) {
  std::vector<EntitlementNode> clusters(2);
  clusters[0].name = "c1";
  clusters[0].children = {{.name = "x"}, {.name = "y"}, {.name = "z", .weight = 3}};
  clusters[1].name = "c2";
  ASSERT_TRUE(check_entitlement(clusters));
  const std::vector<Entitlement> result = entitle(clusters, 300);
  EXPECT_EQ(result[0].amount, Rational(150));
  EXPECT_EQ(result[0].children[0].amount, Rational(30));
  EXPECT_EQ(result[0].children[1].amount, Rational(30));
  EXPECT_EQ(result[0].children[2].amount, Rational(90));
  EXPECT_EQ(result[1].amount, Rational(150));
}

TEST(Entitlement, NeverExceedsALimitAndPassesOnWhatItCutsOff) {
  std::vector<EntitlementNode> queues = {{.name = "a", .limit = 10}, {.name = "b"}};
  EXPECT_EQ(amounts(queues, 100), "10 90");
  queues[1].demand = 30;
  EXPECT_EQ(amounts(queues, 100), "10 30");  // the rest stays idle
}

TEST(Entitlement, AnInnerQueueAsksForNoMoreThanItsChildren) {
  std::vector<EntitlementNode> queues(2);
  queues[0].name = "a";
  queues[0].guarantee = 80;
  queues[0].children = {{.name = "x", .guarantee = 50, .demand = 10}, {.name = "y", .demand = 15}};
  queues[1].name = "b";
  ASSERT_TRUE(check_entitlement(queues));
  const std::vector<Entitlement> result = entitle(queues, 100);
  EXPECT_EQ(result[0].amount, Rational(25));
  EXPECT_EQ(result[0].children[0].amount, Rational(10));
  EXPECT_EQ(result[0].children[1].amount, Rational(15));
  EXPECT_EQ(result[1].amount, Rational(75));
}

TEST(Entitlement, ScalesGuaranteesThatNoLongerFitInProportion) {
  const std::vector<EntitlementNode> queues = {{.name = "a", .guarantee = 60},
                                               {.name = "b", .guarantee = 30, .weight = 9}};
  EXPECT_EQ(amounts(queues, 45), "30 15");
  EXPECT_EQ(amounts(queues, 90), "60 30");
}

TEST(Entitlement, WeightZeroGetsItsGuaranteeAndWhatNobodyElseWants) {
  std::vector<EntitlementNode> queues = {{.name = "a", .guarantee = 5, .weight = 0}, {.name = "b"}};
  EXPECT_EQ(amounts(queues, 50), "5 45");
  queues[1].demand = 20;
  EXPECT_EQ(amounts(queues, 50), "30 20");
}

TEST(Entitlement, RefusesAFaultyTreeByPath) {
  std::vector<EntitlementNode> queues(1);
  queues[0].name = "a";
  queues[0].guarantee = 10;
  queues[0].children = {{.name = "x", .guarantee = 8}, {.name = "y", .guarantee = 3}};
  auto checked = check_entitlement(queues);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().message,
            "queue \"a\": its children are guaranteed 11, itself 10; raise it or lower them");
  queues[0].children[1].weight = -1;
  checked = check_entitlement(queues);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().message, "queue \"a/y\": its weight must not be negative");
  queues[0].children[1] = {.name = "y", .guarantee = 2, .limit = 1};
  checked = check_entitlement(queues);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().message,
            "queue \"a/y\": it is guaranteed 2, above its limit 1; raise the limit");
  queues[0].children[1].limit = 2;
  EXPECT_TRUE(check_entitlement(queues));
}

TEST(Entitlement, RefusesATreeOneLevelTooDeep) {
  EntitlementNode node{.name = "leaf"};
  for (int level = 1; level < kEntitlementDepthMax; ++level) {
    EntitlementNode parent{.name = "q"};
    parent.children.push_back(std::move(node));
    node = std::move(parent);
  }
  EXPECT_TRUE(check_entitlement(std::vector<EntitlementNode>{node}));
  EntitlementNode parent{.name = "q"};
  parent.children.push_back(node);
  EXPECT_FALSE(check_entitlement(std::vector<EntitlementNode>{parent}));
}

// --- whole units -------------------------------------------------------------------------------

using Units = std::vector<std::int64_t>;

// Largest remainder: the floor of each quota, then one more for the largest rests (ties by index).
Units hamilton(const std::vector<Rational>& amounts, std::int64_t units) {
  const Rational sum = std::accumulate(amounts.begin(), amounts.end(), Rational());
  Units whole;
  std::vector<std::pair<Rational, std::size_t>> rests;
  for (std::size_t i = 0; i < amounts.size(); ++i) {
    const Rational quota = amounts[i] * units / sum;
    whole.push_back(quota.floor().to_int64());
    rests.emplace_back(quota - quota.floor(), i);
  }
  std::ranges::sort(rests, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::int64_t left = units - std::accumulate(whole.begin(), whole.end(), std::int64_t{0});
  for (std::size_t k = 0; left > 0; ++k, --left) ++whole[rests[k].second];
  return whole;
}

bool loses_a_unit(const Units& before, const Units& after) {
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (after[i] < before[i]) return true;
  }
  return false;
}

TEST(Webster, RoundsEntitlementsToWholeGpus_O18) {
  std::vector<Rational> entitled;
  for (const Entitlement& e : entitle(three_queues(), 100)) entitled.push_back(e.amount);
  EXPECT_EQ(webster_round(entitled, 100), (Units{32, 53, 15}));
}

TEST(Webster, NeverTakesAUnitAwayWhenOneIsAdded_O19) {
  const std::vector<Rational> weights = {6, 6, 2};
  EXPECT_EQ(webster_round(weights, 10), (Units{5, 4, 1}));
  EXPECT_EQ(webster_round(weights, 11), (Units{5, 5, 1}));
}

TEST(Webster, LargestRemainderLosesAUnitWhenOneIsAdded_MustNot_O19) {
  const std::vector<Rational> weights = {6, 6, 2};
  EXPECT_EQ(hamilton(weights, 10), (Units{4, 4, 2}));
  EXPECT_EQ(hamilton(weights, 11), (Units{5, 5, 1}));
  EXPECT_TRUE(loses_a_unit(hamilton(weights, 10), hamilton(weights, 11)));
}

TEST(Webster, IsHouseMonotoneAndAddsUpForEveryHouseUpToAThousand) {
  const std::vector<Rational> weights = {
      Rational::ratio(1, 7), 6, Rational::ratio(95, 3), 0, 6, 200};
  Units before(weights.size(), 0);
  for (std::int64_t house = 0; house <= 1000; ++house) {
    const Units now = webster_round(weights, house);
    EXPECT_EQ(std::accumulate(now.begin(), now.end(), std::int64_t{0}), house);
    EXPECT_FALSE(loses_a_unit(before, now)) << house;
    EXPECT_EQ(now[3], 0);
    before = now;
  }
}

TEST(Webster, RoundsAHugeHouseWithoutCountingUnitByUnit) {
  const std::vector<Rational> weights = {1, 1, 1};
  EXPECT_EQ(webster_round(weights, std::int64_t{1} << 40),
            (Units{366503875926, 366503875925, 366503875925}));
}

TEST(Webster, GivesNothingToNobody) {
  EXPECT_EQ(webster_round(std::vector<Rational>{}, 5), Units{});
  EXPECT_EQ(webster_round(std::vector<Rational>{0, 0}, 5), (Units{0, 0}));
}

}  // namespace
}  // namespace stint::sim
