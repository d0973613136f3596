// Who goes first: the sorter's oracles and the classical failures of the greedy loop
// (oracles.md 1.4).
#include "engine/turn/rank.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/test_world.h"

namespace stint::engine {
namespace {

using testing::ElementsAre;

// The queues in the order in which the turn would serve them, if each asked for nothing.
std::vector<std::string> order(const State& state) {
  std::vector<std::pair<Rank, std::string>> ranks;
  for (const model::QueueId q : state.tree[model::Tree::root()].children) {
    Rank rank =
        queue_rank(state, q, queue_share(state, q), Amounts(state.healthy.size()), state.now);
    rank.within = false;
    ranks.emplace_back(rank, state.tree[q].path);
  }
  std::sort(ranks.begin(), ranks.end(),
            [](const auto& a, const auto& b) { return goes_before(a.first, b.first); });
  std::vector<std::string> names;
  for (const auto& [rank, name] : ranks) names.push_back(name);
  return names;
}

void hold(State& state, model::QueueId queue, const Amounts& amounts) {
  state.queues[queue.index()].now = amounts;
  state.queues[queue.index()].after = amounts;
}

TEST(Rank, OrdersByDominantShare) {  // O-79
  TestWorld world({"cpu", "memory"}, {100, 100});
  const auto a = world.queue("a"), b = world.queue("b"), c = world.queue("c"), d = world.queue("d");
  State& state = world.finish();
  hold(state, a, world.amounts({5, 5}));
  hold(state, b, world.amounts({6, 6}));
  hold(state, c, world.amounts({1, 1}));
  hold(state, d, world.amounts({3, 1}));
  EXPECT_THAT(order(state), ElementsAre("c", "d", "a", "b"));
}

TEST(Rank, DividesSharesByWeights) {  // O-80
  TestWorld world({"cpu", "memory"}, {100, 100});
  const auto a = world.queue("a"), b = world.queue("b"), c = world.queue("c"), d = world.queue("d");
  world.tree[b].weight = 2000;
  world.tree[d].weight = 10000;
  State& state = world.finish();
  hold(state, a, world.amounts({5, 5}));
  hold(state, b, world.amounts({6, 6}));
  hold(state, c, world.amounts({4, 4}));
  hold(state, d, world.amounts({10, 20}));
  EXPECT_THAT(order(state), ElementsAre("d", "b", "c", "a"));
}

TEST(Rank, SeesOneUnitInABillion) {  // O-81, F7: 32-bit floats call these equal
  TestWorld world({"token"}, {2'000'000'000});
  const auto a = world.queue("a"), b = world.queue("b");
  State& state = world.finish();
  hold(state, a, world.amounts({1'000'000'001}));
  hold(state, b, world.amounts({1'000'000'000}));
  EXPECT_THAT(order(state), ElementsAre("b", "a"));
}

TEST(Rank, DoesNotRoundASmallShareToNothing) {  // F4, O-78: whole per cent would tie these
  TestWorld world({"gpu"}, {10'000'000});
  const auto a = world.queue("a"), b = world.queue("b");
  State& state = world.finish();
  hold(state, a, world.amounts({1000}));
  state.queues[b.index()].served = 9;  // on a tie b would come last
  EXPECT_THAT(order(state), ElementsAre("b", "a"));
}

TEST(Rank,
     DoesNotClampASharePastTheWholeCluster) {  // F12: nodes were lost, both hold more than there is
  TestWorld world({"gpu"}, {8000});
  const auto a = world.queue("a"), b = world.queue("b");
  State& state = world.finish();
  hold(state, a, world.amounts({12000}));
  hold(state, b, world.amounts({8000}));
  state.queues[b.index()].served = 9;
  EXPECT_THAT(order(state), ElementsAre("b", "a"));
}

TEST(Rank, PutsWeightZeroLastWhateverItsPriority) {  // F19, C042
  TestWorld world({"gpu"}, {8000});
  const auto z = world.queue("a-zero"), w = world.queue("w");
  world.tree[z].weight = 0;
  world.tree[z].priority = 100;
  State& state = world.finish();
  hold(state, w, world.amounts({7000}));
  EXPECT_THAT(order(state), ElementsAre("w", "a-zero"));
}

TEST(Rank, ComparesTwoOfWeightZeroByRawShare) {  // O-26
  TestWorld world({"gpu"}, {8000});
  const auto y = world.queue("y"), z = world.queue("z");
  world.tree[y].weight = world.tree[z].weight = 0;
  State& state = world.finish();
  hold(state, y, world.amounts({3000}));
  hold(state, z, world.amounts({1000}));
  EXPECT_THAT(order(state), ElementsAre("z", "y"));
}

TEST(Rank, LooksAtNoHistoryAndNoPriorityOfTwoOfWeightZero) {  // DESIGN §5.2
  TestWorld world({"gpu"}, {8000});
  const auto y = world.queue("y"), z = world.queue("z");
  world.tree[y].weight = world.tree[z].weight = 0;
  world.tree[y].priority = 5;
  State& state = world.finish();
  state.policy.history = 500;
  state.now = base::kHour;
  hold(state, y, world.amounts({2000}));
  hold(state, z, world.amounts({1000}));
  state.queues[z.index()].past = base::DecayedAverage(base::kOneQ64, base::kHour);
  EXPECT_THAT(order(state), ElementsAre("z", "y"));
}

TEST(Rank, LooksAtThePastBeforeTheLastTurn) {
  TestWorld world({"gpu"}, {8000});
  const auto a = world.queue("a");
  const auto b = world.queue("b");
  State& state = world.finish();
  state.now = base::kHour;
  state.queues[a.index()].past = base::DecayedAverage(base::kOneQ64 / 4, base::kHour);
  state.queues[b.index()].served = 9;
  EXPECT_THAT(order(state), ElementsAre("b", "a"));
}

TEST(Rank, CountsOnlyHealthyCapacity) {  // F13
  TestWorld world({"gpu", "cpu"}, {8000, 8000}, 2);
  const auto a = world.queue("a");
  Engine engine = world.engine();
  engine.apply(0, NodeFailed{base::NodeId(1U)});
  EXPECT_EQ(engine.state().healthy[0], 8000);
  submit(engine, {.name = "half", .queue = a, .each = {4000}});
  starts(engine, 0);
  EXPECT_EQ(queue_share(engine.state(), a), (Fraction{1, 2}));
}

TEST(Key, BlendsShareAndPastWithOneRounding) {
  // 3/4 of a share of 1/3 is exactly 1/4: no unit may be lost on the way.
  const Key key = blended_key({1, 3}, 0, 250, model::kWeightOne);
  EXPECT_EQ(key.num, std::int64_t{1} << 30);
}

TEST(Key, StaysExactAtTheLargestWeightAndAmount) {
  const std::int64_t most = std::int64_t{1} << 44;
  const Key a = blended_key({most - 1, most}, 0, 0, model::kWeightMax);
  const Key b = blended_key({most - 2, most}, 0, 0, model::kWeightMax);
  EXPECT_LT(b, a);
}

}  // namespace
}  // namespace stint::engine
