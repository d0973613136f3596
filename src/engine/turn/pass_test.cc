// The turn in whole passes: ties, what a queue is ranked by, and groups whose children differ.
#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/test_world.h"

namespace stint::engine {
namespace {

using testing::ElementsAre;

TEST(Pass, SharesThatAddUpToTheSameTie) {  // F5: 0.1 + 0.1 + 0.1 > 0.3 in binary floating point
  for (const bool users : {false, true}) {
    TestWorld world({"gpu"}, {10000});
    const auto first = world.queue("z"), second = users ? first : world.queue("a");
    Engine engine = world.engine();
    const auto submit_one = [&](bool is_first, Amount gpus) {
      submit(engine, {.name = is_first ? "three times one" : "one times three",
                      .queue = is_first ? first : second,
                      .user = is_first ? "z" : "a",
                      .each = {gpus}});
    };
    for (int i = 0; i < 3; ++i) submit_one(true, 1000);
    starts(engine, 0);
    submit_one(false, 3000);
    starts(engine, 0);
    // Both hold three of ten; the one whose turn is longer ago goes first, whatever its name.
    submit_one(false, 1000);
    submit_one(true, 1000);
    EXPECT_THAT(starts(engine, 0), ElementsAre("three times one", "one times three")) << users;
  }
}

TEST(Pass, SiblingsThatWereNeverServedGoByName) {  // F2, F3
  for (const bool swapped : {false, true}) {
    TestWorld world({"gpu"}, {8000});
    const auto first = world.queue(swapped ? "b" : "a"), second = world.queue(swapped ? "a" : "b");
    Engine engine = world.engine();
    for (const auto queue : {first, second}) {
      submit(engine, {.name = world.tree[queue].path, .queue = queue, .each = {1000}});
    }
    EXPECT_THAT(starts(engine, 0), ElementsAre("a", "b")) << swapped;
  }
}

TEST(Pass, UsersThatWereNeverServedGoByName) {  // F2, F3
  for (const bool swapped : {false, true}) {
    TestWorld world({"gpu"}, {8000});
    const auto lab = world.queue("lab");
    Engine engine = world.engine();
    std::vector<std::string> users = {"ann", "bob", "eve"};
    if (swapped) std::reverse(users.begin(), users.end());
    for (const std::string& user : users) {
      submit(engine, {.name = user, .queue = lab, .user = user, .each = {1000}});
    }
    EXPECT_THAT(starts(engine, 0), ElementsAre("ann", "bob", "eve")) << swapped;
  }
}

TEST(Pass, AGrantIsATurnOfEveryGroupAboveIt) {  // oracles 1.5: a tie at an inner node rotates too
  TestWorld world({"gpu"}, {1000});
  const auto a = world.queue("a"), b = world.queue("b");
  const auto in_a = world.queue("x", a), in_b = world.queue("y", b);
  Engine engine = world.engine();
  for (int i = 0; i < 3; ++i) {
    submit(engine, {.name = "a", .queue = in_a, .each = {1000}});
    submit(engine, {.name = "b", .queue = in_b, .each = {1000}});
  }
  std::vector<std::string> log;
  for (int i = 0; i < 6; ++i) {
    for (const std::string& name : starts(engine, 0)) log.push_back(name);
    engine.apply(0, RunEnded{engine.state().runs[0].job, true});
  }
  EXPECT_THAT(log, ElementsAre("a", "b", "a", "b", "a", "b"));
}

TEST(Pass, AGrantIsATurnOfItsUser) {
  TestWorld world({"gpu"}, {1000});
  const auto lab = world.queue("lab");
  Engine engine = world.engine();
  for (int i = 0; i < 3; ++i) {
    submit(engine, {.name = "ann", .queue = lab, .user = "ann", .each = {1000}});
    submit(engine, {.name = "bob", .queue = lab, .user = "bob", .each = {1000}});
  }
  std::vector<std::string> log;
  for (int i = 0; i < 6; ++i) {
    for (const std::string& name : starts(engine, 0)) log.push_back(name);
    engine.apply(0, RunEnded{engine.state().runs[0].job, true});
  }
  EXPECT_THAT(log, ElementsAre("ann", "bob", "ann", "bob", "ann", "bob"));
}

TEST(Pass, AGangIsWithinOnlyAsAWhole) {
  TestWorld world({"gpu"}, {8000});
  const auto q = world.queue("q"), r = world.queue("r");
  world.tree[q].guarantee = world.amounts({4000});
  Engine engine = world.engine();
  submit(engine, {.name = "before", .queue = q, .each = {1000}});
  starts(engine, 0);
  engine.apply(0, RunEnded{engine.state().runs[0].job, true});
  // One task would be within q's guarantee, the gang is not: a borrower that was served already.
  submit(engine, {.name = "gang", .queue = q, .each = {4000}, .tasks = 2});
  submit(engine, {.name = "one", .queue = r, .each = {8000}});
  EXPECT_THAT(starts(engine, 0), ElementsAre("one"));
}

TEST(Pass, AGroupCountsAsTheChildThatIsPoorest) {  // O-30
  TestWorld world({"cpu", "gpu"}, {10000, 10000});
  const auto one = world.queue("n1"), group = world.queue("n2");
  const auto cpu = world.queue("cpu", group), gpu = world.queue("gpu", group);
  Engine engine = world.engine();
  submit(engine, {.name = "cpu", .queue = cpu, .each = {8000, 0}});
  submit(engine, {.name = "gpu", .queue = gpu, .each = {0, 2000}});
  submit(engine, {.name = "one", .queue = one, .each = {0, 7000}});
  ASSERT_EQ(starts(engine, 0).size(), 3U);
  // The group's 8 CPUs count as 2, so that it goes before n1, and its poorer child first.
  submit(engine, {.name = "one", .queue = one, .each = {0, 1000}});
  submit(engine, {.name = "cpu", .queue = cpu, .each = {1000, 0}});
  submit(engine, {.name = "gpu", .queue = gpu, .each = {0, 1000}});
  EXPECT_THAT(starts(engine, 0), ElementsAre("gpu", "cpu"));
}

TEST(Pass, JobPriorityComesBeforeUsersWhereTheQueueSaysSo) {
  TestWorld world({"gpu"}, {8000});
  const auto lab = world.queue("lab");
  world.tree[lab].priority_scope = model::PriorityScope::Queue;
  Engine engine = world.engine();
  submit(engine, {.name = "bob", .queue = lab, .user = "bob", .each = {4000}});
  starts(engine, 0);
  // Ann holds nothing, and waits for Bob's more important job.
  submit(engine, {.name = "ann", .queue = lab, .user = "ann", .each = {4000}, .priority = 1});
  submit(engine, {.name = "top", .queue = lab, .user = "bob", .each = {4000}, .priority = 2});
  EXPECT_THAT(starts(engine, 0), ElementsAre("top"));
}

TEST(Pass, AJobBackFromAFailureCountsWithItsUsersHighestPriority) {  // DESIGN §5.8
  TestWorld world({"gpu"}, {8000});
  const auto lab = world.queue("lab");
  world.tree[lab].priority_scope = model::PriorityScope::Queue;
  Engine engine = world.engine();
  submit(engine, {.name = "low", .queue = lab, .user = "ann", .each = {8000}, .priority = -1});
  starts(engine, 0);
  submit(engine, {.name = "high", .queue = lab, .user = "ann", .each = {8000}, .priority = 5});
  submit(engine, {.name = "bob", .queue = lab, .user = "bob", .each = {8000}, .priority = 4});
  engine.apply(1000, NodeFailed{base::NodeId(0U)});
  engine.apply(2000, NodeReturned{base::NodeId(0U)});
  EXPECT_THAT(starts(engine, 2000), ElementsAre("low"));
}

TEST(Pass, AChildThatAlsoAsksForWhatIsFreeIsNotBlocked) {
  TestWorld world({"cpu", "gpu"}, {10000, 20000});
  const auto one = world.queue("n1"), group = world.queue("n2");
  const auto c = world.queue("c", group), g = world.queue("g", group);
  Engine engine = world.engine();
  submit(engine, {.name = "c", .queue = c, .each = {10000, 6000}});
  submit(engine, {.name = "g", .queue = g, .each = {0, 4000}});
  submit(engine, {.name = "one", .queue = one, .each = {0, 7000}});
  ASSERT_EQ(starts(engine, 0).size(), 3U);
  submit(engine, {.name = "never", .queue = c, .each = {1000, 0}});
  submit(engine, {.name = "one", .queue = one, .each = {0, 1000}});
  submit(engine, {.name = "c", .queue = c, .each = {0, 1000}});
  submit(engine, {.name = "g", .queue = g, .each = {0, 1000}});
  // c holds all CPUs and is scaled from 1 to g's 1/5: n2 counts as 1.2 + 4 of 20 and goes before n1
  // with 7. Then g has nothing to offer any more, so c is the least share, and n2 counts as 6 + 5.
  EXPECT_THAT(starts(engine, 0), ElementsAre("g", "one", "c"));
}

TEST(Pass, AChildWhoseJobsWereAllTriedIsBlocked) {
  TestWorld world({"gpu"}, {20000});
  const auto one = world.queue("n1"), group = world.queue("n2");
  const auto c = world.queue("c", group), g = world.queue("g", group);
  world.tree[c].limit = world.amounts({1000});
  Engine engine = world.engine();
  submit(engine, {.name = "c", .queue = c, .each = {1000}});
  submit(engine, {.name = "g", .queue = g, .each = {8000}});
  submit(engine, {.name = "one", .queue = one, .each = {4000}});
  ASSERT_EQ(starts(engine, 0).size(), 3U);
  submit(engine, {.name = "one", .queue = one, .each = {1000}});
  submit(engine, {.name = "c", .queue = c, .each = {1000}});
  submit(engine, {.name = "g", .queue = g, .each = {1000}});
  // While c is a candidate n2 counts as 1 + 1 and is asked first; c is at its limit. From then on
  // n2 counts as 1 + 8, more than n1.
  EXPECT_THAT(starts(engine, 0), ElementsAre("one", "g"));
}

}  // namespace
}  // namespace stint::engine
