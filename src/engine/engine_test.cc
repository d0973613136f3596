// The engine from outside: facts in, starts out.
#include "engine/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/explain/why.h"
#include "engine/test_world.h"
#include "model/invariants.h"

namespace stint::engine {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Turn, AlternatesWhenEveryChoiceIsATie) {  // O-21, F1, F2
  for (const bool swapped : {false, true}) {
    TestWorld world({"gpu"}, {16000});
    // Both are inside their guarantee, so that only the turn decides.
    const auto first = world.queue(swapped ? "b" : "a");
    const auto second = world.queue(swapped ? "a" : "b");
    Engine engine = world.engine();
    for (int i = 0; i < 100; ++i) {
      submit(engine, {.name = "x", .queue = first, .each = {16000}});
      submit(engine, {.name = "y", .queue = second, .each = {16000}});
    }
    std::string log;
    for (Millis now = 0; now < 100; ++now) {
      const auto started = starts(engine, now);
      ASSERT_EQ(started.size(), 1U);
      log += started[0];
      engine.apply(now, RunEnded{engine.state().runs[0].job, true});
    }
    for (std::size_t i = 1; i < log.size(); ++i) EXPECT_NE(log[i], log[i - 1]) << log;
  }
}

TEST(Turn, ANewcomerDoesNotWinUntilItHasCaughtUp) {  // F11
  TestWorld world({"gpu"}, {16000});
  const auto old = world.queue("old"), fresh = world.queue("fresh");
  world.tree[old].guarantee = world.amounts({8000});
  world.tree[fresh].guarantee = world.amounts({8000});
  Engine engine = world.engine();
  const auto serve = [&](Millis now) {
    const auto started = starts(engine, now);
    while (!engine.state().runs.empty()) {
      engine.apply(now, RunEnded{engine.state().runs[0].job, true});
    }
    return started;
  };
  for (int i = 0; i < 200; ++i) submit(engine, {.name = "old", .queue = old, .each = {8000}});
  for (Millis now = 0; now < 50; ++now) serve(now);
  for (int i = 0; i < 20; ++i) submit(engine, {.name = "fresh", .queue = fresh, .each = {8000}});
  // Two fit at a time: each round serves one of each, never two newcomers.
  for (Millis now = 50; now < 60; ++now) {
    EXPECT_THAT(serve(now), testing::UnorderedElementsAre("old", "fresh"));
  }
}

TEST(Turn, GoesOnAfterAMisfit) {  // O-10, F9
  TestWorld world({"cpu", "memory"}, {10000, 20});
  const auto a = world.queue("a"), b = world.queue("b"), c = world.queue("c");
  Engine engine = world.engine();
  for (int i = 0; i < 25; ++i) {
    submit(engine, {.name = "a", .queue = a, .each = {1000, 0}});
    submit(engine, {.name = "b", .queue = b, .each = {1000, 1}});
    submit(engine, {.name = "c", .queue = c, .each = {0, 1}});
  }
  starts(engine, 0);
  EXPECT_EQ(engine.state().queues[a.index()].running_jobs, 5U);
  EXPECT_EQ(engine.state().queues[b.index()].running_jobs, 5U);
  EXPECT_EQ(engine.state().queues[c.index()].running_jobs, 15U);
}

TEST(Turn, AUserWithOneTaskLeavesTheRestToTheOther) {  // O-13
  TestWorld world({"cpu", "memory"}, {9000, 18});
  const auto a = world.queue("a"), b = world.queue("b");
  Engine engine = world.engine();
  submit(engine, {.name = "a", .queue = a, .each = {1000, 4}});
  for (int i = 0; i < 5; ++i) submit(engine, {.name = "b", .queue = b, .each = {3000, 1}});
  starts(engine, 0);
  EXPECT_EQ(engine.state().queues[a.index()].running_jobs, 1U);
  EXPECT_EQ(engine.state().queues[b.index()].running_jobs, 2U);
}

TEST(Turn, JobPriorityReordersNobodyElse) {  // F14
  TestWorld world({"gpu"}, {2000});
  const auto lab = world.queue("lab");
  Engine engine = world.engine();
  submit(engine, {.name = "ann", .queue = lab, .user = "ann", .each = {1000}});
  submit(engine, {.name = "ann", .queue = lab, .user = "ann", .each = {1000}});
  submit(engine, {.name = "low", .queue = lab, .user = "bob", .each = {1000}});
  submit(engine, {.name = "top", .queue = lab, .user = "bob", .each = {1000}, .priority = 100});
  EXPECT_THAT(starts(engine, 0), ElementsAre("ann", "top"));
}

TEST(Turn, ServesATinyGuaranteeInTheFirstPass) {  // F15
  TestWorld world({"gpu"}, {3'601'000});
  const auto small = world.queue("small"), large = world.queue("large");
  world.tree[small].guarantee = world.amounts({1000});
  world.tree[large].guarantee = world.amounts({3'600'000});
  Engine engine = world.engine();
  for (int i = 0; i < 3700; ++i) submit(engine, {.name = "large", .queue = large, .each = {1000}});
  submit(engine, {.name = "small", .queue = small, .each = {1000}});
  const auto started = starts(engine, 0);
  EXPECT_NE(std::find(started.begin(), started.end(), "small"), started.end());
}

TEST(Turn,
     CountsAStartAtOnce) {  // F20: no sampling, so nobody admits a thousand between two samples
  TestWorld world({"gpu"}, {1'000'000});
  const auto a = world.queue("a"), b = world.queue("b");
  Engine engine = world.engine();
  for (int i = 0; i < 600; ++i) {
    submit(engine, {.name = "a", .queue = a, .each = {1000}});
    submit(engine, {.name = "b", .queue = b, .each = {1000}});
  }
  starts(engine, 0);
  EXPECT_EQ(engine.state().queues[a.index()].running_jobs, 500U);
  EXPECT_EQ(engine.state().queues[b.index()].running_jobs, 500U);
}

TEST(Turn, IsTheSameAThousandTimes) {  // F3
  const auto run = [] {
    TestWorld world({"gpu", "cpu"}, {8000, 64000}, 4);
    std::vector<model::QueueId> queues;
    for (const char* name : {"c", "a", "d", "b"}) queues.push_back(world.queue(name));
    Engine engine = world.engine();
    for (int i = 0; i < 12; ++i) {
      for (const auto q : queues) submit(engine, {.name = "j", .queue = q, .each = {1000, 4000}});
    }
    starts(engine, 0);
    return model::digest_of(engine.state()).value();
  };
  const std::uint64_t first = run();
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(run(), first);
}

TEST(Quota, ALimitCountsTheRequestItself) {  // C010
  TestWorld world({"gpu"}, {32000});
  const auto a = world.queue("a");
  world.tree[a].limit = world.amounts({10000});
  Engine engine = world.engine();
  submit(engine, {.name = "nine", .queue = a, .each = {9000}});
  const JobId ten = submit(engine, {.name = "ten", .queue = a, .each = {10000}});
  submit(engine, {.name = "one", .queue = a, .each = {1000}});
  EXPECT_THAT(starts(engine, 0), ElementsAre("nine", "one"));
  EXPECT_EQ(why_waiting(engine, ten), Reason::Limit);
}

TEST(Quota, WorkBehindALimitMustEndInTime) {
  TestWorld world({"gpu"}, {32000});
  const auto a = world.queue("a");
  world.tree[a].limit = world.amounts({10000});
  Engine engine = world.engine();
  submit(engine, {.name = "nine", .queue = a, .each = {9000}, .limit = 10 * base::kHour});
  submit(engine, {.name = "ten", .queue = a, .each = {10000}, .limit = base::kHour});
  submit(engine, {.name = "long", .queue = a, .each = {1000}, .limit = 20 * base::kHour});
  submit(engine, {.name = "short", .queue = a, .each = {1000}, .limit = 10 * base::kHour});
  EXPECT_THAT(starts(engine, 0), ElementsAre("nine", "short"));
}

TEST(Quota, WhatIsNotLentStaysFree) {
  TestWorld world({"gpu"}, {16000});
  const auto owner = world.queue("owner"), guest = world.queue("guest");
  world.tree[owner].guarantee = world.amounts({8000});
  world.tree[owner].lend = world.amounts({4000});
  Engine engine = world.engine();
  for (int i = 0; i < 16; ++i) submit(engine, {.name = "guest", .queue = guest, .each = {1000}});
  EXPECT_EQ(starts(engine, 0).size(), 12U);
  submit(engine, {.name = "owner", .queue = owner, .each = {4000}});
  EXPECT_THAT(starts(engine, 1), ElementsAre("owner"));
}

TEST(Quota, ProtectedWorkNeedsAGuaranteeOfItsOwn) {
  TestWorld world({"gpu"}, {8000});
  const auto a = world.queue("a"), b = world.queue("b");
  world.tree[a].guarantee = world.amounts({4000});
  Engine engine = world.engine();
  const JobId keep =
      submit(engine, {.name = "b", .queue = b, .each = {1000}, .preemptible = false});
  submit(engine, {.name = "a", .queue = a, .each = {4000}, .preemptible = false});
  EXPECT_THAT(starts(engine, 0), ElementsAre("a"));
  EXPECT_EQ(why_waiting(engine, keep), Reason::GuaranteeOnly);
}

TEST(Accounts, ReturnToExactlyZero) {  // O-83, F6
  TestWorld world({"gpu"}, {1000});
  const auto a = world.queue("a");
  Engine engine = world.engine();
  for (int i = 0; i < 10; ++i) submit(engine, {.name = "tenth", .queue = a, .each = {100}});
  EXPECT_EQ(starts(engine, 0).size(), 10U);
  EXPECT_EQ(engine.state().queues[a.index()].now[0], 1000);
  while (!engine.state().runs.empty()) engine.apply(1, RunEnded{engine.state().runs[0].job, true});
  EXPECT_TRUE(engine.state().queues[a.index()].now.is_zero());
  EXPECT_EQ(engine.state().nodes[0].whole_devices, 1U);
  EXPECT_THAT(model::broken_invariants(engine.state()), IsEmpty());
}

TEST(Failure, StopsTheRunAndTakesTheJobBack) {
  TestWorld world({"gpu"}, {8000}, 2);
  const auto a = world.queue("a");
  Engine engine = world.engine();
  const JobId gang = submit(engine, {.name = "gang", .queue = a, .each = {8000}, .tasks = 2});
  starts(engine, 0);
  engine.apply(1000, NodeFailed{base::NodeId(0U)});
  EXPECT_EQ(engine.state().jobs[gang.index()].state, model::JobState::Waiting);
  EXPECT_EQ(engine.state().jobs[gang.index()].lost_gpu_ms, base::i128{16000} * 1000);
  EXPECT_THAT(starts(engine, 1000), IsEmpty());
  EXPECT_EQ(why_waiting(engine, gang), Reason::Down);
  engine.apply(2000, NodeReturned{base::NodeId(0U)});
  EXPECT_THAT(starts(engine, 2000), ElementsAre("gang"));
  EXPECT_THAT(model::broken_invariants(engine.state()), IsEmpty());
}

TEST(Cycle, DecidesOnlyAtItsMultiples) {
  TestWorld world({"gpu"}, {8000});
  const auto a = world.queue("a");
  world.policy.cycle = 10 * base::kSecond;
  Engine engine = world.engine();
  engine.decide(0);
  engine.apply(3000, NodeDrained{base::NodeId(0U)});
  engine.apply(3000, NodeResumed{base::NodeId(0U)});
  submit(engine, {.name = "j", .queue = a, .each = {1000}});
  EXPECT_THAT(starts(engine, 3000), IsEmpty());
  EXPECT_EQ(engine.next_wake(), 10 * base::kSecond);
  EXPECT_THAT(starts(engine, 10 * base::kSecond), ElementsAre("j"));
}

}  // namespace
}  // namespace stint::engine
