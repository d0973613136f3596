// Accounts along the path of a run, and guarantees on a machine that shrinks.
#include "engine/turn/account.h"

#include <gtest/gtest.h>

#include "engine/test_world.h"

namespace stint::engine {
namespace {

TEST(Guarantees, AreScaledToWhatIsHealthyAndGrowBack) {  // DESIGN §5.1, §5.8: rounded down
  TestWorld world({"gpu"}, {4000}, 4);
  const auto a = world.queue("a"), b = world.queue("b");
  const auto child = world.queue("child", a);
  world.tree[a].guarantee = world.amounts({9000});
  world.tree[child].guarantee = world.amounts({3000});
  world.tree[b].guarantee = world.amounts({5000});
  Engine engine = world.engine();
  const auto guaranteed = [&](model::QueueId q) { return engine.state().guarantees[q.index()][0]; };
  engine.apply(0, NodeDrained{base::NodeId(0U)});
  // 14 GPUs are promised, 12 are left.
  EXPECT_EQ(guaranteed(a), 7714);
  EXPECT_EQ(guaranteed(child), 2571);
  EXPECT_EQ(guaranteed(b), 4285);
  engine.apply(0, NodeResumed{base::NodeId(0U)});
  EXPECT_EQ(guaranteed(a), 9000);
  EXPECT_EQ(guaranteed(child), 3000);
}

TEST(Accounts, ARunThatIsToldToStopHoldsUntilItHasLeft) {  // DESIGN §5.1, two readings
  TestWorld world({"gpu"}, {8000});
  const auto a = world.queue("a");
  Engine engine = world.engine();
  const JobId job = submit(engine, {.name = "j", .queue = a, .each = {4000}});
  starts(engine, 0);
  engine.apply(1000, JobCancelled{job});
  const model::Account& account = engine.state().queues[a.index()];
  EXPECT_EQ(account.now, world.amounts({4000}));
  EXPECT_EQ(account.after, world.amounts({0}));
  EXPECT_EQ(usage(account), world.amounts({4000}));
  engine.apply(2000, RunStopped{job, 0, 0});
  EXPECT_EQ(usage(account), world.amounts({0}));
}

}  // namespace
}  // namespace stint::engine
