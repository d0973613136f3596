// Which of two nodes is filled first: one test per word of the order in DESIGN §5.4.
#include "engine/placement/order.h"

#include <gtest/gtest.h>

#include "engine/placement/place.h"
#include "engine/test_world.h"

namespace stint::engine {
namespace {

// Two nodes of one kind of which some is in use, and the node that a single task goes to.
class TwoNodes {
 public:
  TwoNodes(std::vector<std::string> resources, std::vector<Amount> has)
      : world_(std::move(resources), std::move(has), 2) {}

  [[nodiscard]] std::uint32_t chosen(std::vector<Amount> each, std::vector<Amount> first_free,
                                     std::vector<Amount> second_free) {
    State& state = world_.finish();
    leave_free(state, 0, world_.amounts(first_free));
    leave_free(state, 1, world_.amounts(second_free));
    model::Shape shape;
    shape.each = world_.amounts(each);
    const auto placement = find_placement(state, shape, {});
    return placement ? placement->front().node.value : ~0U;
  }

  // The second node without this resource.
  void lacks(std::size_t resource) {
    const base::ResourceId id(resource);
    world_.state.cluster.nodes[1].has[id] = 0;
  }

 private:
  static void leave_free(State& state, std::size_t n, const Amounts& free) {
    model::NodeState& node = state.nodes[n];
    state.free -= node.free - free;
    node.free = free;
    if (const auto gpu = state.cluster.resources.gpu()) {
      node.whole_devices = static_cast<std::uint32_t>(free[*gpu] / base::kUnit);
      for (std::size_t d = node.whole_devices; d < node.devices.size(); ++d) node.devices[d] = 0;
    }
  }

  TestWorld world_;
};

TEST(NodeOrder, NodesWithoutWhatTheJobLeavesUnusedComeFirst) {
  TwoNodes nodes({"gpu", "cpu"}, {4000, 16000});
  nodes.lacks(0);
  // The GPUs of the first node are all in use: nothing would be stranded, and its CPUs fit better.
  EXPECT_EQ(nodes.chosen({0, 4000}, {0, 4000}, {0, 16000}), 1U);
}

TEST(NodeOrder, CountsTheGrowthOfStrandingNotWhatIsStrandedAlready) {
  TwoNodes nodes({"gpu", "cpu"}, {4000, 16000});
  // On the second node GPUs are stranded behind CPUs; each GPU taken there makes that less.
  EXPECT_EQ(nodes.chosen({1000, 1000}, {4000, 16000}, {4000, 4000}), 1U);
}

TEST(NodeOrder, LooksAtTheWorstOfAllOtherResources) {
  TwoNodes nodes({"gpu", "cpu", "memory"}, {4000, 16000, 64});
  // A task takes a quarter of the memory more than it takes of GPUs where memory is short.
  EXPECT_EQ(nodes.chosen({1000, 4000, 32}, {4000, 12000, 64}, {4000, 12000, 48}), 0U);
}

TEST(NodeOrder, ThenTheLeastFreeOfTheScarcestResource) {
  TwoNodes nodes({"cpu", "memory"}, {16000, 16});
  // Overall the first node is fuller; the job is after CPUs, and of these the second has fewer.
  EXPECT_EQ(nodes.chosen({8000, 1}, {16000, 1}, {12000, 16}), 1U);
}

TEST(NodeOrder, TheScarcestResourceNeedNotBeTheGpu) {
  TwoNodes nodes({"gpu", "cpu"}, {4000, 16000});
  // 6 of 32 CPUs are more than 1 of 8 GPUs; nothing is stranded on either node.
  EXPECT_EQ(nodes.chosen({1000, 6000}, {1000, 16000}, {2000, 14000}), 1U);
}

TEST(NodeOrder, ThenTheLeastFreeOverall) {
  TwoNodes nodes({"cpu", "memory"}, {16000, 16});
  EXPECT_EQ(nodes.chosen({8000, 1}, {12000, 16}, {12000, 15}), 1U);
}

TEST(NodeOrder, ThenTheOrderOfTheFile) {
  TwoNodes nodes({"gpu", "cpu"}, {4000, 16000});
  EXPECT_EQ(nodes.chosen({1000, 1000}, {3000, 12000}, {3000, 12000}), 0U);
}

}  // namespace
}  // namespace stint::engine
