// Shares of groups, seen from outside: each is compared with a leaf that holds what the group ought
// to count as (DESIGN §5.2, oracles O-28 to O-31).
#include "engine/turn/hierarchy.h"

#include <gtest/gtest.h>

#include "engine/test_world.h"

namespace stint::engine {
namespace {

using model::QueueId;

// A group of two or more children beside a plain queue `leaf`, on one node with `cpu` and `gpu`.
class Group {
 public:
  Group(Amount cpu, Amount gpu)
      : world({"cpu", "gpu"}, {cpu, gpu}), group(world.queue("group")), leaf(world.queue("leaf")) {}

  // A child that holds the amounts and wants more that can be had.
  QueueId child(const std::string& name, Amount cpu, Amount gpu) {
    const QueueId id = world.queue(name, group);
    held_.emplace_back(id, world.amounts({cpu, gpu}));
    return id;
  }

  // Whether the group counts as much as a leaf that holds so many CPUs or GPUs, to the last bit.
  [[nodiscard]] bool counts_as(Amount cpu, Amount gpu, const std::vector<QueueId>& blocked = {}) {
    held_.emplace_back(leaf, world.amounts({cpu, gpu}));
    State& state = world.finish();
    for (const auto& [queue, amounts] : held_) {
      for (QueueId q = queue; q.valid(); q = state.tree[q].parent) {
        state.queues[q.index()].now += amounts;
        state.queues[q.index()].after += amounts;
      }
      state.free -= amounts;
    }
    std::vector<bool> is_blocked(state.queues.size());
    for (const QueueId q : blocked) is_blocked[q.index()] = true;
    const Hierarchy hierarchy(state, is_blocked);
    return hierarchy.share(group) == hierarchy.share(leaf);
  }

  TestWorld world;
  QueueId group;
  QueueId leaf;

 private:
  std::vector<std::pair<QueueId, Amounts>> held_;
};

TEST(Hierarchy, ScalesAnUnblockedSiblingDownToTheLeastShareOfItsGroup) {  // O-30
  Group g(10000, 10000);
  g.child("cpu", 8000, 0);
  g.child("gpu", 0, 2000);
  // Both children want more, so 8 CPUs count as 2.
  EXPECT_TRUE(g.counts_as(0, 2000));
}

TEST(Hierarchy, DividesTheLeastShareByWeights) {
  Group g(20000, 20000);
  const QueueId a = g.child("a", 0, 2000);
  g.child("b", 0, 8000);
  g.world.tree[a].weight = 2000;
  // a stands at 2/20 over 2, b at 8/20: b counts as 1.
  EXPECT_TRUE(g.counts_as(0, 3000));
}

TEST(Hierarchy, LeavesABlockedChildAsItIs) {
  Group g(10000, 20000);
  const QueueId cpu = g.child("cpu", 10000, 6000);
  g.child("gpu", 0, 2000);
  EXPECT_TRUE(g.counts_as(0, 8000, {cpu}));
}

TEST(Hierarchy, TakesTheLeastShareOfUnblockedChildrenOnly) {
  Group g(10000, 20000);
  const QueueId poor = g.child("poor", 0, 1000);
  g.child("rich", 0, 8000);
  // rich alone wants something that can be had: nothing is scaled down to poor.
  EXPECT_TRUE(g.counts_as(0, 9000, {poor}));
}

TEST(Hierarchy, CountsOnlyResourcesOfWhichSomethingIsFree) {  // O-29
  Group g(10000, 20000);
  const QueueId cpu = g.child("cpu", 10000, 0);
  g.child("gpu", 0, 2000);
  EXPECT_TRUE(g.counts_as(0, 2000, {cpu}));
}

TEST(Hierarchy, ScalesOnlyWhatIsAboveAChildsGuarantee) {
  Group g(20000, 20000);
  const QueueId a = g.child("a", 0, 8000);
  g.child("b", 0, 2000);
  g.world.tree[a].guarantee = g.world.amounts({0, 4000});
  g.world.tree[g.group].guarantee = g.world.amounts({0, 4000});
  // a is 4 above its guarantee and counts as 4 + 2; the group's own guarantee is 4.
  EXPECT_TRUE(g.counts_as(0, 4000));
}

TEST(Hierarchy, TakesTheGroupsOwnGuaranteeOff) {
  Group g(20000, 20000);
  g.child("a", 0, 4000);
  g.child("b", 0, 4000);
  g.world.tree[g.group].guarantee = g.world.amounts({0, 3000});
  EXPECT_TRUE(g.counts_as(0, 5000));
}

TEST(Hierarchy, AChildOfWeightZeroScalesNobodyAndIsNotScaled) {
  Group g(20000, 20000);
  const QueueId zero = g.child("zero", 0, 1000);
  g.child("b", 0, 4000);
  g.world.tree[zero].weight = 0;
  EXPECT_TRUE(g.counts_as(0, 5000));
}

TEST(Hierarchy, ComparesPlainSharesWhenEveryLeafIsBlocked) {
  Group g(10000, 20000);
  const QueueId cpu = g.child("cpu", 5000, 0);
  const QueueId gpu = g.child("gpu", 0, 2000);
  // All CPUs are gone, and count nevertheless.
  EXPECT_TRUE(g.counts_as(5000, 0, {cpu, gpu, g.leaf}));
}

TEST(Hierarchy, PartsThatWereRoundedAddUpToAWholeAmount) {
  // All CPUs are gone. Each of three children is scaled from 3 CPUs to 1, so that its GPU counts as
  // a third, which has no end in binary; the sum is one GPU and ties with a leaf that holds one.
  Group g(10000, 16000);
  g.child("p", 1000, 0);
  for (const char* name : {"q", "r", "s"}) g.child(name, 3000, 1000);
  EXPECT_TRUE(g.counts_as(0, 1000));
}

}  // namespace
}  // namespace stint::engine
