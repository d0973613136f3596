#include "engine/placement/place.h"

#include <gtest/gtest.h>

#include "engine/placement/fit.h"
#include "engine/placement/order.h"
#include "engine/test_world.h"

namespace stint::engine {
namespace {

model::Shape shape_of(const TestWorld& world, std::vector<Amount> each, std::uint32_t tasks = 1) {
  model::Shape shape;
  shape.tasks = tasks;
  shape.each = world.amounts(each);
  return shape;
}

TEST(Devices, AFractionNeverSplitsOverTwo) {
  TestWorld world({"gpu"}, {2000});
  model::NodeState& node = world.finish().nodes[0];
  const base::ResourceId gpu(0U);
  static_cast<void>(take(node, world.amounts({600}), gpu, 1));
  static_cast<void>(take(node, world.amounts({600}), gpu, 1));
  // 0.8 are free, 0.4 on each: another 0.6 does not fit.
  EXPECT_EQ(tasks_that_fit(node, world.amounts({600}), gpu, 9), 0U);
  EXPECT_EQ(tasks_that_fit(node, world.amounts({400}), gpu, 9), 2U);
}

TEST(Devices, AWholeDeviceIsNeverShared) {
  TestWorld world({"gpu"}, {2000});
  model::NodeState& node = world.finish().nodes[0];
  const base::ResourceId gpu(0U);
  const auto used = take(node, world.amounts({500}), gpu, 1);
  EXPECT_EQ(tasks_that_fit(node, world.amounts({1000}), gpu, 9), 1U);
  EXPECT_EQ(tasks_that_fit(node, world.amounts({1500}), gpu, 9), 1U);
  give_back(node, world.amounts({500}), 1, used);
  EXPECT_EQ(tasks_that_fit(node, world.amounts({2000}), gpu, 9), 1U);
}

TEST(Devices, AFractionFillsTheFullestDeviceThatHasRoom) {
  TestWorld world({"gpu"}, {3000});
  model::NodeState& node = world.finish().nodes[0];
  const base::ResourceId gpu(0U);
  static_cast<void>(take(node, world.amounts({300}), gpu, 1));
  const auto used = take(node, world.amounts({500}), gpu, 1);
  ASSERT_EQ(used.size(), 1U);
  EXPECT_EQ(used[0].device, 0U);
  EXPECT_EQ(node.whole_devices, 2U);
}

TEST(Placement, ACpuJobKeepsOffGpuNodes) {
  TestWorld world({"gpu", "cpu"}, {0, 64000}, 2);
  world.state.cluster.nodes[0].has = world.amounts({8000, 16000});
  State& state = world.finish();
  const auto placement = find_placement(state, shape_of(world, {0, 16000}), {});
  ASSERT_TRUE(placement);
  EXPECT_EQ((*placement)[0].node, base::NodeId(1U));
}

TEST(Placement, LeastStrandingComesBeforeBestFit) {
  TestWorld world({"gpu", "cpu"}, {4000, 64000}, 2);
  world.state.cluster.nodes[0].has = world.amounts({4000, 16000});
  State& state = world.finish();
  const auto placement = find_placement(state, shape_of(world, {1000, 12000}), {});
  ASSERT_TRUE(placement);
  EXPECT_EQ((*placement)[0].node, base::NodeId(1U));
}

TEST(Placement, EqualRatiosOfUnequalNodesStrandEqually) {
  TestWorld world({"gpu", "cpu"}, {3000, 12000}, 2);
  world.state.cluster.nodes[1].has = world.amounts({6000, 24000});
  State& state = world.finish();
  const auto basis = order_basis(state, shape_of(world, {1000, 4000}));
  const auto growth = [&](std::size_t n) {
    return node_rank(basis, state.cluster.nodes[n], state.nodes[n].free, base::NodeId(n))
        .growth_q32;
  };
  EXPECT_EQ(growth(0), 0);
  EXPECT_EQ(growth(1), 0);
}

TEST(Placement, AGangIsWholeOrAbsent) {  // C028
  TestWorld world({"gpu"}, {6000}, 10);
  State& state = world.finish();
  EXPECT_FALSE(find_placement(state, shape_of(world, {4000}, 12), {}));
  EXPECT_TRUE(find_placement(state, shape_of(world, {4000}, 10), {}));
}

TEST(Placement, SingleGpusGoOnSingleNodesFirst) {  // C031
  TestWorld world({"gpu"}, {1000}, 3);
  world.state.cluster.nodes[0].has = world.amounts({2000});
  State& state = world.finish();
  const auto placement = find_placement(state, shape_of(world, {1000}, 2), {});
  ASSERT_TRUE(placement);
  ASSERT_EQ(placement->size(), 2U);
  EXPECT_EQ((*placement)[0].node, base::NodeId(1U));
  EXPECT_EQ((*placement)[1].node, base::NodeId(2U));
}

TEST(Placement, CommitAndReleaseLeaveNothingBehind) {
  TestWorld world({"gpu", "cpu"}, {8000, 64000}, 3);
  State& state = world.finish();
  const auto before = model::digest_of(state).value();
  const model::Shape shape = shape_of(world, {1500, 3000}, 7);
  auto placement = find_placement(state, shape, {});
  ASSERT_TRUE(placement);
  const Amounts holds = commit_placement(state, shape, *placement);
  EXPECT_EQ(holds, shape.total());
  EXPECT_NE(model::digest_of(state).value(), before);
  release_placement(state, shape, *placement);
  EXPECT_EQ(model::digest_of(state).value(), before);
}

}  // namespace
}  // namespace stint::engine
