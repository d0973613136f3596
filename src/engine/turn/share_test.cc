// Shares, what is within a guarantee, and how full a guarantee is.
#include "engine/turn/share.h"

#include <gtest/gtest.h>

#include "engine/test_world.h"
#include "engine/turn/rank.h"

namespace stint::engine {
namespace {

constexpr Amount kBillion = 1'000'000'000;

TEST(Share, IsTheLargestPartToTheLastUnit) {  // F7: as 32-bit floats the two parts are equal
  TestWorld world({"token", "coin"}, {2 * kBillion, 2 * kBillion});
  const Fraction share = share_above(world.amounts({kBillion, kBillion + 1}), world.amounts({0, 0}),
                                     {true, true}, world.amounts({2 * kBillion, 2 * kBillion}));
  EXPECT_EQ(share, (Fraction{kBillion + 1, 2 * kBillion}));
}

TEST(Share, LooksOnlyAtWhatCountsAndAtWhatThereIs) {
  TestWorld world({"gpu", "cpu", "memory"}, {8000, 8000, 0});
  const Fraction share = share_above(world.amounts({2000, 6000, 5}), world.amounts({1000, 0, 0}),
                                     {true, false, true}, world.amounts({8000, 8000, 0}));
  EXPECT_EQ(share, (Fraction{1, 8}));
}

// A queue with a guarantee of eight GPUs and eight CPUs that holds as much as is said.
class Guaranteed : public testing::Test {
 protected:
  void hold(std::vector<Amount> now, std::vector<Amount> after) {
    account().now = world_.amounts(now);
    account().after = world_.amounts(after);
  }
  bool within(std::vector<Amount> asks) { return is_within(state_, queue_, world_.amounts(asks)); }
  model::Account& account() { return state_.queues[queue_.index()]; }

  static State& prepare(TestWorld& world, model::QueueId queue) {
    world.tree[queue].guarantee = world.amounts({8000, 8000});
    return world.finish();
  }

  TestWorld world_{{"gpu", "cpu"}, {16000, 16000}};
  model::QueueId queue_ = world_.queue("q");
  State& state_ = prepare(world_, queue_);
};

TEST_F(Guaranteed, WorkIsWithinUpToTheLastUnit) {
  hold({6000, 0}, {6000, 0});
  EXPECT_TRUE(within({2000, 0}));
  EXPECT_FALSE(within({2001, 0}));
}

TEST_F(Guaranteed, WorkIsWithinWhateverElseIsOverTheGuarantee) {
  hold({6000, 9000}, {6000, 9000});
  EXPECT_TRUE(within({2000, 0}));
  EXPECT_FALSE(within({2000, 1}));
}

TEST_F(Guaranteed, WorkIsWithinOnceThoseWhoLeaveAreTold) {  // §5.1: within takes `after`
  hold({8000, 0}, {4000, 0});
  EXPECT_TRUE(within({4000, 0}));
}

TEST_F(Guaranteed, WorkIsNotWithinBesideAClaim) {
  hold({4000, 0}, {8000, 0});
  EXPECT_FALSE(within({1000, 0}));
}

TEST_F(Guaranteed, AModelThatIsNotNamedDoesNotCount) {
  state_.tree[queue_].counts[1] = false;
  hold({0, 9000}, {0, 9000});
  EXPECT_TRUE(within({1000, 1000}));
  EXPECT_EQ(guarantee_fill(state_, queue_), (Fraction{0, 1}));
}

TEST_F(Guaranteed, TheFillIsTheFullestResource) {
  hold({2000, 6000}, {2000, 6000});
  EXPECT_EQ(guarantee_fill(state_, queue_), (Fraction{3, 4}));
  hold({6000, 2000}, {6000, 2000});
  EXPECT_EQ(guarantee_fill(state_, queue_), (Fraction{3, 4}));
}

TEST_F(Guaranteed, TheFillTakesTheLargerReading) {  // §5.1: shares and turn
  hold({6000, 0}, {2000, 0});
  EXPECT_EQ(guarantee_fill(state_, queue_), (Fraction{3, 4}));
  hold({2000, 0}, {6000, 0});
  EXPECT_EQ(guarantee_fill(state_, queue_), (Fraction{3, 4}));
}

TEST(Fill, IsComparedToTheLastUnit) {  // F7, F8
  TestWorld world({"token"}, {4 * kBillion});
  const auto a = world.queue("a"), b = world.queue("b");
  world.tree[a].guarantee = world.tree[b].guarantee = world.amounts({2 * kBillion});
  State& state = world.finish();
  const auto rank = [&](model::QueueId queue, Amount holds) {
    state.queues[queue.index()].now = state.queues[queue.index()].after = world.amounts({holds});
    return queue_rank(state, queue, queue_share(state, queue), world.amounts({1}), 0);
  };
  EXPECT_TRUE(goes_before(rank(b, kBillion), rank(a, kBillion + 1)));
}

TEST(Key, TellsNeighboursApartThatDoublesDoNot) {
  const std::int64_t most = std::int64_t{1} << 44;
  const Key less = blended_key({most - 2, most - 1}, 0, 0, model::kWeightOne);
  const Key more = blended_key({most - 1, most}, 0, 0, model::kWeightOne);
  EXPECT_LT(less, more);
}

}  // namespace
}  // namespace stint::engine
