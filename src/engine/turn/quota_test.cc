// What may start at all: limits and what waits behind them, lending, own parts.
#include "engine/turn/quota.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/explain/why.h"
#include "engine/test_world.h"

namespace stint::engine {
namespace {

using base::kHour;
using testing::ElementsAre;
using testing::IsEmpty;

model::UserRule rule(const TestWorld& world, const std::string& user, Amounts limit) {
  model::UserRule rule;
  rule.name = user;
  rule.limit = std::move(limit);
  EXPECT_EQ(rule.limit.size(), world.state.cluster.resources.size());
  return rule;
}

// --- who waits behind a limit that was reached (DESIGN §5.5, §5.8)

TEST(Barrier, HoldsUpNobodyInAnotherQueue) {
  TestWorld world({"gpu"}, {40000});
  const auto a = world.queue("a"), b = world.queue("b");
  world.tree[a].limit = world.amounts({10000});
  Engine engine = world.engine();
  submit(engine, {.name = "nine", .queue = a, .each = {9000}, .limit = 10 * kHour});
  submit(engine, {.name = "big", .queue = b, .each = {20000}});
  starts(engine, 0);
  // a holds less and comes first, so its limit is known when b's turn comes.
  submit(engine, {.name = "ten", .queue = a, .each = {10000}});
  submit(engine, {.name = "behind", .queue = a, .each = {1000}, .limit = 11 * kHour});
  submit(engine, {.name = "other", .queue = b, .each = {1000}, .limit = 11 * kHour});
  EXPECT_THAT(starts(engine, 0), ElementsAre("other"));
}

TEST(Barrier, OfAUserHoldsUpThatUserOnly) {
  TestWorld world({"gpu"}, {40000});
  const auto a = world.queue("a");
  world.tree[a].users = {rule(world, "ann", world.amounts({10000}))};
  Engine engine = world.engine();
  submit(engine, {.name = "nine", .queue = a, .user = "ann", .each = {9000}, .limit = 10 * kHour});
  submit(engine, {.name = "big", .queue = a, .user = "bob", .each = {20000}});
  starts(engine, 0);
  submit(engine, {.name = "ten", .queue = a, .user = "ann", .each = {10000}});
  const JobId behind = submit(
      engine, {.name = "behind", .queue = a, .user = "ann", .each = {1000}, .limit = 11 * kHour});
  submit(engine, {.name = "bob", .queue = a, .user = "bob", .each = {1000}, .limit = 11 * kHour});
  EXPECT_THAT(starts(engine, 0), ElementsAre("bob"));
  EXPECT_EQ(why_waiting(engine, behind), Reason::Limit);
}

TEST(Barrier, OfAnOuterQueueHoldsUpItsWholeSubtree) {
  TestWorld world({"gpu"}, {40000});
  const auto org = world.queue("org");
  const auto a = world.queue("a", org), b = world.queue("b", org);
  world.tree[org].limit = world.amounts({20000});
  Engine engine = world.engine();
  submit(engine, {.name = "a", .queue = a, .each = {8000}, .limit = 10 * kHour});
  submit(engine, {.name = "b", .queue = b, .each = {10000}, .limit = 10 * kHour});
  starts(engine, 0);
  submit(engine, {.name = "wide", .queue = a, .each = {4000}});
  submit(engine, {.name = "long", .queue = b, .each = {1000}, .limit = 11 * kHour});
  submit(engine, {.name = "short", .queue = b, .each = {1000}, .limit = 10 * kHour});
  EXPECT_THAT(starts(engine, 0), ElementsAre("short"));
}

TEST(Barrier, HoldsUpNobodyWhoAsksForSomethingElse) {
  TestWorld world({"gpu", "cpu"}, {40000, 40000});
  const auto a = world.queue("a");
  world.tree[a].limit[base::ResourceId(0U)] = 10000;
  Engine engine = world.engine();
  submit(engine, {.name = "nine", .queue = a, .each = {9000, 0}, .limit = 10 * kHour});
  submit(engine, {.name = "ten", .queue = a, .each = {10000, 0}});
  submit(engine, {.name = "cpu", .queue = a, .each = {0, 1000}, .limit = 11 * kHour});
  EXPECT_THAT(starts(engine, 0), ElementsAre("nine", "cpu"));
}

TEST(Barrier, OfTwoWhoWaitTheEarlierStartBinds) {
  for (const bool swapped : {false, true}) {
    TestWorld world({"gpu"}, {40000});
    const auto a = world.queue("a");
    world.tree[a].limit = world.amounts({10000});
    Engine engine = world.engine();
    submit(engine, {.name = "four", .queue = a, .each = {4000}, .limit = 2 * kHour});
    submit(engine, {.name = "five", .queue = a, .each = {5000}, .limit = 10 * kHour});
    // All ten are there after ten hours, five of them after two.
    submit(engine, {.name = "p", .queue = a, .each = {swapped ? 5000 : 10000}});
    submit(engine, {.name = "q", .queue = a, .each = {swapped ? 10000 : 5000}});
    submit(engine, {.name = "long", .queue = a, .each = {1000}, .limit = 3 * kHour});
    submit(engine, {.name = "short", .queue = a, .each = {1000}, .limit = 2 * kHour});
    EXPECT_THAT(starts(engine, 0), ElementsAre("four", "five", "short")) << swapped;
  }
}

TEST(Barrier, OfTwoLimitsStandsUntilBothHaveRoom) {
  TestWorld world({"gpu"}, {40000});
  const auto org = world.queue("org");
  const auto a = world.queue("a", org), b = world.queue("b", org);
  world.tree[org].limit = world.amounts({10000});
  world.tree[a].limit = world.amounts({8000});
  Engine engine = world.engine();
  submit(engine, {.name = "a", .queue = a, .each = {6000}, .limit = 10 * kHour});
  submit(engine, {.name = "b", .queue = b, .each = {3000}, .limit = 2 * kHour});
  // org has room for four after two hours, a only after ten.
  submit(engine, {.name = "four", .queue = a, .each = {4000}});
  submit(engine, {.name = "long", .queue = a, .each = {1000}, .limit = 11 * kHour});
  submit(engine, {.name = "one", .queue = a, .each = {1000}, .limit = 10 * kHour});
  EXPECT_THAT(starts(engine, 0), ElementsAre("a", "b", "one"));
}

TEST(Barrier, OfAnOwnPartHoldsUpOnlyProtectedWorkOfThatPart) {
  TestWorld world({"gpu"}, {40000});
  const auto a = world.queue("a"), b = world.queue("b");
  world.tree[a].guarantee = world.tree[b].guarantee = world.amounts({8000});
  Engine engine = world.engine();
  const auto keep = [&](const std::string& name, QueueId queue, Amount gpus, Millis hours) {
    return submit(engine, {.name = name,
                           .queue = queue,
                           .each = {gpus},
                           .limit = hours * kHour,
                           .preemptible = false});
  };
  keep("six", a, 6000, 4);
  submit(engine, {.name = "big", .queue = b, .each = {12000}});
  starts(engine, 0);
  // b has borrowed and comes after a.
  keep("four", a, 4000, 1);
  const JobId behind = keep("behind", a, 2000, 5);
  submit(engine, {.name = "free", .queue = a, .each = {2000}, .limit = 5 * kHour});
  keep("other", b, 2000, 5);
  EXPECT_THAT(starts(engine, 0), ElementsAre("free", "other"));
  EXPECT_EQ(why_waiting(engine, behind), Reason::GuaranteeOnly);
}

// --- limits

TEST(Limit, OfAUserCountsInAllQueuesBelow) {
  TestWorld world({"gpu"}, {40000});
  const auto org = world.queue("org");
  const auto a = world.queue("a", org), b = world.queue("b", org);
  world.tree[org].users = {rule(world, "", world.amounts({10000}))};
  Engine engine = world.engine();
  submit(engine, {.name = "a", .queue = a, .user = "ann", .each = {6000}});
  submit(engine, {.name = "b", .queue = b, .user = "ann", .each = {6000}});
  submit(engine, {.name = "bob", .queue = b, .user = "bob", .each = {6000}});
  EXPECT_THAT(starts(engine, 0), ElementsAre("a", "bob"));
}

TEST(Limit, IsReachedExactly) {
  TestWorld world({"gpu"}, {40000});
  const auto a = world.queue("a");
  world.tree[a].limit = world.amounts({10000});
  Engine engine = world.engine();
  submit(engine, {.name = "ten", .queue = a, .each = {10000}});
  submit(engine, {.name = "bit", .queue = a, .each = {1}});
  EXPECT_THAT(starts(engine, 0), ElementsAre("ten"));
}

TEST(Limit, StopsNoJobThatAsksForSomethingElse) {
  TestWorld world({"gpu", "cpu"}, {40000, 40000});
  const auto a = world.queue("a");
  world.tree[a].limit = world.amounts({4000, 40000});
  State& state = world.finish();
  // The limit was lowered below what runs.
  state.queues[a.index()].now = state.queues[a.index()].after = world.amounts({5000, 0});
  const Amounts cpu = world.amounts({0, 1000});
  const Amounts gpu = world.amounts({1000, 0});
  const std::vector<TenantId> nobody;
  EXPECT_THAT(exceeded_limits(state, {a, &nobody, &cpu}), IsEmpty());
  EXPECT_THAT(exceeded_limits(state, {a, &nobody, &gpu}),
              ElementsAre(Scope{a, {}, ResourceId(0U)}));
}

TEST(Limit, CountsARunUntilItHasLeft) {
  TestWorld world({"gpu"}, {40000});
  const auto a = world.queue("a");
  world.tree[a].limit = world.amounts({10000});
  State& state = world.finish();
  const std::vector<TenantId> nobody;
  const Amounts one = world.amounts({1000});
  // Told to stop, and a claim that is still to start: the larger reading counts.
  state.queues[a.index()].now = world.amounts({10000});
  EXPECT_FALSE(exceeded_limits(state, {a, &nobody, &one}).empty());
  std::swap(state.queues[a.index()].now, state.queues[a.index()].after);
  EXPECT_FALSE(exceeded_limits(state, {a, &nobody, &one}).empty());
}

// --- what is kept back (DESIGN §5.8, lend)

TEST(Lending, WhatTheOwnerUsesIsNoLongerKept) {
  TestWorld world({"gpu"}, {16000});
  const auto owner = world.queue("owner"), guest = world.queue("guest");
  world.tree[owner].guarantee = world.amounts({8000});
  world.tree[owner].lend = world.amounts({0});
  Engine engine = world.engine();
  submit(engine, {.name = "owner", .queue = owner, .each = {4000}});
  starts(engine, 0);
  for (int i = 0; i < 16; ++i) submit(engine, {.name = "guest", .queue = guest, .each = {1000}});
  EXPECT_EQ(starts(engine, 0).size(), 8U);
}

TEST(Lending, SumsWhatIsKeptBesideThePathOnEveryLevel) {
  TestWorld world({"gpu"}, {32000});
  const auto org = world.queue("org"), lab = world.queue("lab");
  const auto path = world.queue("path", org), sibling = world.queue("sibling", org);
  const auto leaf = world.queue("leaf", path);
  const auto keeps = [&](QueueId queue, Amount guarantee, Amount lend) {
    world.tree[queue].guarantee = world.amounts({guarantee});
    world.tree[queue].lend = world.amounts({lend});
  };
  keeps(lab, 5000, 1000);
  keeps(sibling, 2000, 0);
  keeps(path, 8000, 0);  // on the path: kept for the one who asks
  State& state = world.finish();
  EXPECT_EQ(kept_back(state, leaf)[0], 6000);
  EXPECT_EQ(kept_back(state, lab)[0], 10000);
}

TEST(Lending, BindsOnlyWhatTheJobAsksFor) {
  TestWorld world({"gpu", "cpu"}, {8000, 8000});
  const auto owner = world.queue("owner"), guest = world.queue("guest");
  world.tree[owner].guarantee = world.amounts({4000, 0});
  world.tree[owner].lend = world.amounts({0, 0});
  Engine engine = world.engine();
  submit(engine, {.name = "four", .queue = guest, .each = {4000, 0}});
  starts(engine, 0);
  // The owner's guarantee grows: less is free than is kept. That is no matter of CPUs.
  world.tree[owner].guarantee = world.amounts({6000, 0});
  engine.apply(1, PolicyApplied{world.tree, world.policy});
  submit(engine, {.name = "gpu", .queue = guest, .each = {1000, 1000}});
  submit(engine, {.name = "cpu", .queue = guest, .each = {0, 1000}});
  EXPECT_THAT(starts(engine, 1), ElementsAre("cpu"));
}

// --- protected work inside its own part (DESIGN §5.3)

TEST(OwnPart, ComesFromAGuaranteeOfWhatTheJobAsksFor) {
  TestWorld world({"gpu", "cpu"}, {8000, 8000});
  const auto a = world.queue("a");
  world.tree[a].guarantee = world.amounts({0, 4000});
  Engine engine = world.engine();
  submit(engine, {.name = "gpu", .queue = a, .each = {1000, 0}, .preemptible = false});
  submit(engine, {.name = "cpu", .queue = a, .each = {0, 4000}, .preemptible = false});
  EXPECT_THAT(starts(engine, 0), ElementsAre("cpu"));
  const std::vector<TenantId> nobody;
  const Amounts gpu = world.amounts({1000, 0});
  EXPECT_FALSE(own_part(engine.state(), {a, &nobody, &gpu, false}).queue.valid());
}

TEST(OwnPart, IsTheGuaranteeLessWhatTheOtherChildrenAreGuaranteed) {
  TestWorld world({"gpu"}, {32000});
  const auto org = world.queue("org");
  const auto plain = world.queue("plain", org), rich = world.queue("rich", org);
  world.tree[org].guarantee = world.amounts({10000});
  world.tree[rich].guarantee = world.amounts({6000});
  State& state = world.finish();
  const std::vector<TenantId> nobody;
  const Amounts one = world.amounts({1000});
  const OwnPart outer = own_part(state, {plain, &nobody, &one, false});
  EXPECT_EQ(outer.queue, org);
  EXPECT_EQ(outer.below, plain);
  EXPECT_EQ(outer.size, world.amounts({4000}));
  EXPECT_EQ(own_part(state, {rich, &nobody, &one, false}).size, world.amounts({6000}));
  // Of rich's protected 7 one is above its guarantee; plain's count whole.
  state.queues[rich.index()].protected_now = world.amounts({7000});
  state.queues[plain.index()].protected_now = world.amounts({2000});
  EXPECT_EQ(protected_usage(state, outer), world.amounts({3000}));
  EXPECT_THAT(outside_own_part(state, {plain, &nobody, &one, false}), IsEmpty());
  const Amounts two = world.amounts({2000});
  EXPECT_THAT(outside_own_part(state, {plain, &nobody, &two, false}),
              ElementsAre(Scope{org, {}, ResourceId(0U)}));
  EXPECT_THAT(outside_own_part(state, {plain, &nobody, &two, true}), IsEmpty());
}

TEST(OwnPart, IsNotJudgedByAModelThatTheQueueDoesNotName) {
  TestWorld world({"gpu", "gpu/h100"}, {8000, 8000});
  const auto a = world.queue("a");
  world.tree[a].guarantee = world.amounts({4000, 0});
  world.tree[a].counts[1] = false;
  State& state = world.finish();
  const std::vector<TenantId> nobody;
  const Amounts one = world.amounts({1000, 1000});
  EXPECT_THAT(outside_own_part(state, {a, &nobody, &one, false}), IsEmpty());
}

// --- when there will be room

TEST(EarliestRoom, WaitsForAsManyEndsAsAreNeeded) {
  TestWorld world({"gpu"}, {32000});
  const auto org = world.queue("org"), b = world.queue("b");
  const auto a = world.queue("a", org), own = world.queue("own", org);
  world.tree[org].guarantee = world.amounts({12000});
  world.tree[own].guarantee = world.amounts({4000});
  Engine engine = world.engine();
  const auto run = [&](QueueId queue, Amount gpus, Millis hours, bool preemptible = true) {
    submit(engine, {.name = "j",
                    .queue = queue,
                    .each = {gpus},
                    .limit = hours == 0 ? base::kNever : hours * kHour,
                    .preemptible = preemptible});
  };
  run(b, 1000, 1);
  run(own, 1000, 2, false);
  run(a, 1000, 3);
  run(a, 2000, 4, false);
  run(a, 4000, 5);
  run(a, 1000, 0);
  ASSERT_EQ(starts(engine, 0).size(), 6U);
  const Scope scope{org, {}, ResourceId(0U)};
  const auto room = [&](Amount excess, bool protected_only) {
    return earliest_room(engine.state(), engine.runs_by_limit(), scope, excess, protected_only, engine.state().runs.size());
  };
  EXPECT_EQ(room(1000, false), 2 * kHour);  // b is another queue
  EXPECT_EQ(room(4000, false), 4 * kHour);
  EXPECT_EQ(room(4001, false), 5 * kHour);
  EXPECT_EQ(room(8001, false), base::kNever);
  // own's protected run stands on own's guarantee.
  EXPECT_EQ(room(1000, true), 4 * kHour);
  EXPECT_EQ(room(2001, true), base::kNever);
}

}  // namespace
}  // namespace stint::engine
