#include "sim/theory/hierarchical.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "sim/theory/examples_for_test.h"
#include "sim/theory/fluid_drf.h"

namespace stint::sim {
namespace {

using Counts = std::vector<std::int64_t>;

// n1 ⟨1,1⟩ beside n2 {⟨1,0⟩, ⟨0,1⟩}.
std::vector<HdrfNode> rescaling_tree() {
  return {{.name = "root"},
          {.name = "n1", .parent = 0, .demand = {1, 1}},
          {.name = "n2", .parent = 0},
          {.name = "n2.1", .parent = 2, .demand = {1, 0}},
          {.name = "n2.2", .parent = 2, .demand = {0, 1}}};
}

// n1 ⟨1,0⟩, n2 ⟨1,0⟩, n3 {⟨1,0⟩, ⟨0,1⟩}, n4 ⟨0,1⟩.
std::vector<HdrfNode> blocking_tree() {
  return {{.name = "root"},
          {.name = "n1", .parent = 0, .demand = {1, 0}},
          {.name = "n2", .parent = 0, .demand = {1, 0}},
          {.name = "n3", .parent = 0},
          {.name = "n3.1", .parent = 3, .demand = {1, 0}},
          {.name = "n3.2", .parent = 3, .demand = {0, 1}},
          {.name = "n4", .parent = 0, .demand = {0, 1}}};
}

// n1 ⟨0,1⟩ holds all GPUs, n2.1 ⟨1,0⟩ all CPUs, and n2.2 ⟨0,1⟩ has just arrived.
std::vector<HdrfNode> starving_tree() {
  return {{.name = "root"},
          {.name = "n1", .parent = 0, .demand = {0, 1}, .running = 10},
          {.name = "n2", .parent = 0},
          {.name = "n2.1", .parent = 2, .demand = {1, 0}, .running = 10},
          {.name = "n2.2", .parent = 2, .demand = {0, 1}}};
}

constexpr std::size_t kRescalingLeaves[] = {1, 3, 4};
constexpr std::size_t kBlockingLeaves[] = {1, 2, 4, 5, 6};

Counts running(const HdrfReference& tree, std::span<const std::size_t> leaves) {
  Counts counts;
  for (const std::size_t leaf : leaves) counts.push_back(tree.running(leaf));
  return counts;
}

Counts filled(std::vector<Rational> capacity, std::vector<HdrfNode> nodes,
              std::span<const std::size_t> leaves) {
  HdrfReference tree(std::move(capacity), std::move(nodes));
  tree.fill();
  return running(tree, leaves);
}

// --- the wrong rules, as plainly as can be, for the rows that must not come out ------------------

enum class Wrong {
  NaiveSum,       // a node's share is the dominant share of the sum of its children
  NoBlockedRule,  // children are rescaled, but blocked ones are not told apart
};

class WrongTree {
 public:
  WrongTree(Wrong rule, const std::vector<Rational>& capacity, std::vector<HdrfNode> nodes)
      : rule_(rule),
        capacity_(capacity),
        free_(capacity),
        nodes_(std::move(nodes)),
        stamps_(nodes_.size(), 0) {
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      for (std::int64_t k = 0; k < nodes_[n].running; ++k) take(n, 1);
    }
  }

  void fill() {
    while (const auto leaf = pick(0)) {
      ++nodes_[*leaf].running;
      take(*leaf, 1);
      ++clock_;
      for (std::optional<std::size_t> n = leaf; n; n = nodes_[*n].parent) stamps_[*n] = clock_;
    }
  }
  void complete_oldest() {
    const std::size_t leaf = oldest_.front();
    oldest_.erase(oldest_.begin());
    --nodes_[leaf].running;
    take(leaf, -1);
  }
  [[nodiscard]] std::int64_t running(std::size_t n) const { return nodes_[n].running; }

 private:
  void take(std::size_t leaf, std::int64_t sign) {
    for (std::size_t r = 0; r < free_.size(); ++r) free_[r] -= nodes_[leaf].demand[r] * sign;
    if (sign > 0) oldest_.push_back(leaf);
  }
  [[nodiscard]] std::vector<std::size_t> children(std::size_t node) const {
    std::vector<std::size_t> list;
    for (std::size_t n = 1; n < nodes_.size(); ++n) {
      if (nodes_[n].parent == node) list.push_back(n);
    }
    return list;
  }
  [[nodiscard]] bool can_start(std::size_t node) const {
    const auto below = children(node);
    if (!below.empty()) {
      return std::ranges::any_of(below, [&](std::size_t c) { return can_start(c); });
    }
    for (std::size_t r = 0; r < free_.size(); ++r) {
      if (nodes_[node].demand[r] > free_[r]) return false;
    }
    return true;
  }
  [[nodiscard]] Rational share(const std::vector<Rational>& usage) const {
    Rational most;
    for (std::size_t r = 0; r < usage.size(); ++r) most = std::max(most, usage[r] / capacity_[r]);
    return most;
  }
  [[nodiscard]] std::vector<Rational> usage(std::size_t node) const {
    std::vector<Rational> sum(capacity_.size());
    const auto below = children(node);
    std::optional<Rational> least;
    for (const std::size_t c : below) {
      const Rational s = share(usage(c));
      if (!least || s < *least) least = s;
    }
    for (const std::size_t c : below) {
      const std::vector<Rational> part = usage(c);
      const Rational s = share(part);
      const bool is_scaled = rule_ == Wrong::NoBlockedRule && !s.is_zero();
      for (std::size_t r = 0; r < sum.size(); ++r)
        sum[r] += is_scaled ? part[r] * *least / s : part[r];
    }
    if (below.empty()) {
      for (std::size_t r = 0; r < sum.size(); ++r)
        sum[r] = nodes_[node].demand[r] * nodes_[node].running;
    }
    return sum;
  }
  [[nodiscard]] std::optional<std::size_t> pick(std::size_t node) const {
    if (!can_start(node)) return std::nullopt;
    const auto below = children(node);
    if (below.empty()) return node;
    std::optional<std::size_t> best;
    for (const std::size_t c : below) {
      if (!can_start(c)) continue;
      const auto key = [&](std::size_t n) { return std::pair(share(usage(n)), stamps_[n]); };
      if (!best || key(c) < key(*best)) best = c;
    }
    return pick(*best);
  }

  Wrong rule_;
  std::vector<Rational> capacity_;
  std::vector<Rational> free_;
  std::vector<HdrfNode> nodes_;
  std::vector<std::int64_t> stamps_;
  std::vector<std::size_t> oldest_;
  std::int64_t clock_ = 0;
};

Counts filled_wrongly(Wrong rule, const std::vector<Rational>& capacity,
                      const std::vector<HdrfNode>& nodes, std::span<const std::size_t> leaves) {
  WrongTree tree(rule, capacity, nodes);
  tree.fill();
  Counts counts;
  for (const std::size_t leaf : leaves) counts.push_back(tree.running(leaf));
  return counts;
}

// --- rows ---------------------------------------------------------------------------------------

TEST(Hierarchical, RescalesAGroupOfSpecialists_O28) {
  EXPECT_EQ(filled({10, 10}, rescaling_tree(), kRescalingLeaves), (Counts{5, 5, 5}));
}

TEST(Hierarchical, DoesNotCountABlockedSiblingAgainstTheOther_O29) {
  EXPECT_EQ(filled({30, 30}, blocking_tree(), kBlockingLeaves), (Counts{10, 10, 10, 15, 15}));
}

TEST(Hierarchical, ServesAnArrivingLeafWhoseSiblingHoldsWhatNobodyElseWants_O30) {
  HdrfReference tree({10, 10}, starving_tree());
  for (int k = 0; k < 1000; ++k) {
    ASSERT_TRUE(tree.complete_oldest());
    EXPECT_EQ(tree.fill().size(), 1U);
  }
  EXPECT_EQ(running(tree, kRescalingLeaves), (Counts{5, 10, 5}));
}

TEST(Hierarchical, ASumOverChildrenStarvesTheArrivingLeafForAThousandCompletions_MustNot_O30) {
  WrongTree naive(Wrong::NaiveSum, {10, 10}, starving_tree());
  for (int k = 0; k < 1000; ++k) {
    naive.complete_oldest();
    naive.fill();
    ASSERT_EQ(naive.running(4), 0);
  }
  EXPECT_EQ(naive.running(1), 10);
}

TEST(Hierarchical, ASumOverChildrenPassesBothStaticRowsWhichIsWhyTheDynamicOneIsNeeded) {
  EXPECT_EQ(filled_wrongly(Wrong::NaiveSum, {10, 10}, rescaling_tree(), kRescalingLeaves),
            (Counts{5, 5, 5}));
  EXPECT_EQ(filled_wrongly(Wrong::NaiveSum, {30, 30}, blocking_tree(), kBlockingLeaves),
            (Counts{10, 10, 10, 15, 15}));
}

TEST(Hierarchical, RescalingWithoutTheBlockedRuleFavoursOneGroup_MustNot_O29) {
  const Counts wrong =
      filled_wrongly(Wrong::NoBlockedRule, {30, 30}, blocking_tree(), kBlockingLeaves);
  EXPECT_GE(wrong[3], 19);
  EXPECT_LE(wrong[4], 11);
  EXPECT_EQ(wrong[3] + wrong[4], 30);
}

TEST(Hierarchical, WeightsMultipliedDownThePathBreakTheGroup_MustNot_O31) {
  DrfProblem collapsed = problem_of({10, 10}, {{1, 1}, {1, 0}, {0, 1}});
  collapsed.users[0].weight = Rational::ratio(1, 2);
  collapsed.users[1].weight = Rational::ratio(1, 4);
  collapsed.users[2].weight = Rational::ratio(1, 4);
  EXPECT_EQ(listed(fluid_drf(collapsed).shares), "2/3 1/3 1/3");
  std::vector<HdrfNode> weighted = rescaling_tree();
  weighted[1].weight = Rational::ratio(1, 2);
  weighted[2].weight = Rational::ratio(1, 2);
  EXPECT_EQ(filled({10, 10}, weighted, kRescalingLeaves), (Counts{5, 5, 5}));
}

// --- other promises -----------------------------------------------------------------------------

TEST(Hierarchical, IsPlainDrfOnAFlatTree) {
  const std::vector<HdrfNode> flat = {{.name = "root"},
                                      {.name = "a", .parent = 0, .demand = {1, 4}},
                                      {.name = "b", .parent = 0, .demand = {3, 1}}};
  HdrfReference tree({9, 18}, flat);
  EXPECT_EQ(tree.fill(), (std::vector<std::size_t>{1, 2, 1, 2, 1}));
}

TEST(Hierarchical, FollowsWeightsAtEachLevel) {
  std::vector<HdrfNode> nodes = {{.name = "root"},
                                 {.name = "a", .parent = 0, .weight = 2},
                                 {.name = "b", .parent = 0, .demand = {1}},
                                 {.name = "a.1", .parent = 1, .weight = 3, .demand = {1}},
                                 {.name = "a.2", .parent = 1, .demand = {1}}};
  const std::vector<std::size_t> leaves = {2, 3, 4};
  EXPECT_EQ(filled({12}, nodes, leaves), (Counts{4, 6, 2}));
  nodes[2].weight = 0;
  EXPECT_EQ(filled({12}, nodes, leaves), (Counts{0, 9, 3}));
  nodes[3].tasks = 4;
  nodes[4].tasks = 5;
  EXPECT_EQ(filled({12}, nodes, leaves), (Counts{3, 4, 5}));
}

TEST(Hierarchical, RotatesTiesAmongInnerNodesToo) {
  const std::vector<HdrfNode> nodes = {{.name = "root"},
                                       {.name = "a", .parent = 0},
                                       {.name = "b", .parent = 0},
                                       {.name = "a.1", .parent = 1, .demand = {1}},
                                       {.name = "a.2", .parent = 1, .demand = {1}},
                                       {.name = "b.1", .parent = 2, .demand = {1}}};
  HdrfReference tree({1}, nodes);
  std::vector<std::size_t> served = tree.fill();
  for (int k = 0; k < 7; ++k) {
    tree.complete_oldest();
    for (const std::size_t leaf : tree.fill()) served.push_back(leaf);
  }
  EXPECT_EQ(served, (std::vector<std::size_t>{3, 5, 4, 5, 3, 5, 4, 5}));
}

TEST(Hierarchical, GoesOnWithOthersWhenTheLeastLeafDoesNotFit) {
  const std::vector<HdrfNode> nodes = {{.name = "root"},
                                       {.name = "large", .parent = 0, .demand = {4}},
                                       {.name = "small", .parent = 0, .demand = {1}}};
  const std::vector<std::size_t> leaves = {1, 2};
  EXPECT_EQ(filled({7}, nodes, leaves), (Counts{1, 3}));
}

// Rows O-28 to O-30 also come out without any rescaling; only siblings that are both unblocked and
// unequal show it. n2.1 holds 8 of 10 CPUs, n2.2 only 2 of 10 GPUs, so n2 counts as 2/10, not 8/10.
TEST(Hierarchical, ScalesAnUnblockedSiblingDownToTheLeastShareOfItsGroup) {
  std::vector<HdrfNode> nodes = {{.name = "root"},
                                 {.name = "n1", .parent = 0, .demand = {0, 1}, .running = 7},
                                 {.name = "n2", .parent = 0},
                                 {.name = "n2.1", .parent = 2, .demand = {1, 0}, .running = 8},
                                 {.name = "n2.2", .parent = 2, .demand = {0, 1}, .running = 2}};
  HdrfReference tree({10, 10}, nodes);
  EXPECT_EQ(tree.views()[2].share, Rational::ratio(1, 5));
  EXPECT_EQ(listed(tree.views()[2].usage), "2 2");
  EXPECT_EQ(tree.fill().front(), 4U);  // n1 would be served if n2 counted as 8/10
}

TEST(Hierarchical, ShowsANodeOverResourcesThatAreNotExhausted) {
  HdrfReference tree({10, 10}, starving_tree());
  EXPECT_TRUE(tree.views()[0].is_blocked);
  tree.complete_oldest();  // a GPU of n1; all CPUs are still taken
  const std::vector<HdrfReference::View> now = tree.views();
  EXPECT_EQ(now[1].share, Rational::ratio(9, 10));
  EXPECT_TRUE(now[3].is_blocked);
  EXPECT_FALSE(now[4].is_blocked);
  EXPECT_EQ(now[2].share, Rational(0));
}

}  // namespace
}  // namespace stint::sim
