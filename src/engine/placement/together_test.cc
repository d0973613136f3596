#include <gtest/gtest.h>

#include "engine/placement/place.h"
#include "engine/test_world.h"

namespace stint::engine {
namespace {

constexpr model::Level kBlock = 0;
constexpr model::Level kRack = 1;
constexpr model::Level kNode = 2;

// Nodes of eight GPUs: racks of so many nodes each, two racks a block.
class Racks {
 public:
  explicit Racks(const std::vector<std::size_t>& nodes_of_racks) {
    std::size_t nodes = 0;
    for (const std::size_t n : nodes_of_racks) nodes += n;
    TestWorld world({"gpu"}, {8000}, nodes);
    model::Cluster& cluster = world.state.cluster;
    cluster.levels = {"block", "rack"};
    std::size_t next = 0;
    for (std::size_t r = 0; r < nodes_of_racks.size(); ++r) {
      for (std::size_t n = 0; n < nodes_of_racks[r]; ++n) {
        cluster.nodes[next++].domains = {"b" + std::to_string(r / 2), "r" + std::to_string(r)};
      }
    }
    state_ = std::move(world.finish());
  }

  void take(std::size_t node, Amount gpus) {
    model::Shape shape;
    shape.each = TestWorld::amounts({gpus * base::kUnit}, 1);
    model::Placement placement = {{base::NodeId(node), 1, {}}};
    commit_placement(state_, shape, placement);
  }
  // Nodes and tasks, such as "0x4 1x4"; "-" if it finds none.
  std::string find(std::uint32_t tasks, Amount gpus, model::Level level, bool must = true) {
    model::Shape shape;
    shape.tasks = tasks;
    shape.each = TestWorld::amounts({gpus * base::kUnit}, 1);
    shape.wish = {level, must};
    const auto placement = find_placement(state_, shape, {});
    if (!placement) return "-";
    std::string text;
    for (const model::Slice& slice : *placement) {
      if (!text.empty()) text += ' ';
      text += std::to_string(slice.node.value) + 'x' + std::to_string(slice.tasks);
    }
    return text;
  }

 private:
  State state_;
};

TEST(Together, TakesTheFullestRackThatHoldsTheGang) {  // O-66
  Racks racks({9, 6, 4});
  EXPECT_EQ(racks.find(4, 8, kRack), "15x1 16x1 17x1 18x1");
  EXPECT_EQ(racks.find(5, 8, kRack), "9x1 10x1 11x1 12x1 13x1");
  EXPECT_EQ(racks.find(7, 8, kRack), "0x1 1x1 2x1 3x1 4x1 5x1 6x1");
  EXPECT_EQ(racks.find(10, 8, kRack), "-");
}

TEST(Together, TakesTheFirstOfRacksThatAreAlike) {
  Racks racks({2, 2, 2});
  EXPECT_EQ(racks.find(2, 8, kRack), "0x1 1x1");
  racks.take(0, 1);
  EXPECT_EQ(racks.find(2, 8, kRack), "2x1 3x1");
  EXPECT_EQ(racks.find(2, 4, kRack), "1x2") << "the fullest that still holds it";
}

TEST(Together, UsesFewNodes) {
  Racks racks({3});
  racks.take(0, 4);
  EXPECT_EQ(racks.find(4, 4, kRack), "1x2 2x2");
  EXPECT_EQ(racks.find(3, 4, kRack), "1x2 0x1") << "what is left goes to the fullest node";
  EXPECT_EQ(racks.find(1, 4, kRack), "0x1");
}

TEST(Together, OnOneNodeMeansOneNode) {
  Racks racks({2});
  racks.take(0, 4);
  racks.take(1, 2);
  EXPECT_EQ(racks.find(6, 1, kNode), "1x6");
  EXPECT_EQ(racks.find(4, 1, kNode), "0x4");
  EXPECT_EQ(racks.find(7, 1, kNode), "-");
}

TEST(Prefer, WidensOneLevelAtATime) {
  Racks racks({2, 2, 2, 2});
  racks.take(0, 8);
  racks.take(2, 8);
  EXPECT_EQ(racks.find(2, 8, kRack, false), "4x1 5x1");
  racks.take(1, 8);
  racks.take(4, 8);
  racks.take(6, 8);
  EXPECT_EQ(racks.find(2, 8, kRack, false), "5x1 7x1") << "one block";
  EXPECT_EQ(racks.find(3, 8, kBlock, false), "3x1 5x1 7x1") << "the whole cluster";
  EXPECT_EQ(racks.find(3, 8, kBlock), "-");
}

}  // namespace
}  // namespace stint::engine
