#include "engine/placement/node_index.h"

#include <gtest/gtest.h>

#include "base/rng.h"
#include "engine/test_world.h"

namespace stint::engine {
namespace {

// A cluster of several kinds, some of whose nodes are full, on which gangs come and go.
struct Busy {
  State state;
  std::vector<std::pair<base::ShapeId, model::Placement>> running;
  base::Rng rng{7};
  int placed = 0;

  explicit Busy(std::size_t nodes) {
    model::Cluster cluster;
    for (const char* name : {"gpu", "cpu", "memory", "gpu/a", "gpu/b"}) {
      cluster.resources.intern(name);
    }
    const base::LabelId fast(cluster.labels.intern("net=fast"));
    for (std::size_t n = 0; n < nodes; ++n) {
      model::Node node;
      const bool has_gpus = n % 5 != 4;
      const Amount gpus = has_gpus ? Amount{n % 3 == 0 ? 4 : 8} * 1000 : 0;
      const bool is_a = n % 2 == 0;
      node.has = TestWorld::amounts({gpus, 32'000, 256, is_a ? gpus : 0, is_a ? 0 : gpus}, 5);
      if (has_gpus) node.model = base::ResourceId(is_a ? 3U : 4U);
      if (n % 7 < 3) node.labels = {fast};
      cluster.nodes.push_back(node);
    }
    state = model::make_state(std::move(cluster), model::empty_tree(5), {});
    for (const Amount gpu : {0, 250, 500, 1000, 1500, 2000, 4000, 8000}) {
      for (const std::uint32_t tasks : {1U, 3U, 10U}) {
        model::Shape shape;
        shape.tasks = tasks;
        shape.each = TestWorld::amounts({gpu, 1000 + gpu / 2, gpu == 500 ? 64 : 0, 0, 0}, 5);
        if (tasks == 3) shape.where = {fast};
        state.shapes.push_back(shape);
      }
    }
  }
  base::ShapeId some_shape() { return base::ShapeId(rng.below(state.shapes.size())); }
};

// Bounds of models that bind now and then.
PlacementBounds some_bounds(base::Rng& rng) {
  PlacementBounds bounds{Amounts(5), rng.below(3) == 0};
  for (std::size_t r = 0; r < 5; ++r) bounds.models[r] = model::kUnlimited;
  if (bounds.models_bind) bounds.models[3] = static_cast<Amount>(rng.below(9)) * 1000;
  return bounds;
}

void step(Busy& busy, NodeIndex& index) {
  const base::ShapeId shape = busy.some_shape();
  if (busy.rng.below(20) == 0) {
    model::NodeState& node = busy.state.nodes[busy.rng.below(busy.state.nodes.size())];
    node.failed = !node.failed;
    busy.state.healthy = busy.state.free = Amounts(5);
    for (std::size_t n = 0; n < busy.state.nodes.size(); ++n) {
      if (!busy.state.nodes[n].healthy()) continue;
      busy.state.healthy += busy.state.cluster.nodes[n].has;
      busy.state.free += busy.state.nodes[n].free;
    }
    index.rebuild(busy.state);
  }
  const PlacementBounds bounds = some_bounds(busy.rng);
  auto found = index.find(busy.state, shape, bounds);
  const model::Shape& of = busy.state.shapes[shape.index()];
  ASSERT_EQ(found, find_placement(busy.state, of, bounds));
  ASSERT_EQ(index.fits_machine(busy.state, of), can_place(busy.state, of, World::AllEmpty));
  if (found && busy.rng.below(4) > 0) {
    commit_placement(busy.state, of, *found);
    for (const model::Slice& slice : *found) index.update(busy.state, slice.node);
    ++busy.placed;
    busy.running.emplace_back(shape, std::move(*found));
  } else if (!busy.running.empty()) {
    const std::size_t gone = busy.rng.below(busy.running.size());
    const auto [old, placement] = std::move(busy.running[gone]);
    busy.running.erase(busy.running.begin() + static_cast<std::ptrdiff_t>(gone));
    release_placement(busy.state, busy.state.shapes[old.index()], placement);
    for (const model::Slice& slice : placement) index.update(busy.state, slice.node);
  }
}

TEST(NodeIndex, FindsWhatThePlainSearchFinds) {
  for (const std::size_t nodes : {1U, 4U, 40U, 200U}) {
    Busy busy(nodes);
    NodeIndex index;
    index.rebuild(busy.state);
    for (int i = 0; i < 3000 && !::testing::Test::HasFatalFailure(); ++i) step(busy, index);
    EXPECT_GT(busy.placed, 300);
  }
}

}  // namespace
}  // namespace stint::engine
