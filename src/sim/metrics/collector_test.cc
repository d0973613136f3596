// Metrics by their definitions (oracles §8), on worlds small enough to reckon by hand.
#include "sim/metrics/collector.h"

#include <algorithm>
#include <deque>

#include <gtest/gtest.h>

#include "engine/test_world.h"

namespace stint::sim {
namespace {

using base::kSecond;

// Jobs of whole GPUs on nodes of eight, if nothing else is said. Times in seconds.
class Lab {
 public:
  explicit Lab(std::size_t nodes = 1, base::Amount gpus = 8)
      : world_({"gpu"}, {gpus * base::kUnit}, nodes) {}

  base::QueueId queue(const std::string& name, base::Amount guarantee,
                      base::QueueId parent = model::Tree::root()) {
    const base::QueueId id = world_.queue(name, parent);
    world_.tree[id].guarantee[0] = guarantee * base::kUnit;
    return id;
  }
  void weigh(base::QueueId queue, std::int64_t times) { world_.tree[queue].weight *= times; }
  // The job, to be changed before run().
  model::JobSpec& job(base::QueueId queue, Millis submit, Millis work, base::Amount gpus) {
    model::JobSpec spec;
    spec.queue = queue;
    spec.user = base::UserId(0U);
    spec.submit = submit * kSecond;
    spec.work = work * kSecond;
    spec.shape = base::ShapeId(shapes_.size());
    model::Shape shape;
    shape.each = world_.amounts({gpus * base::kUnit});
    shapes_.push_back(shape);
    return jobs_.emplace_back(std::move(spec));
  }
  void event(Millis at, engine::Event fact) {
    Outside outside;
    outside.at = at * kSecond;
    outside.facts = {std::move(fact)};
    outside_.push_back(std::move(outside));
  }
  Summary run(Millis warmup = 0, Millis until = base::kNever) {
    model::State state = world_.finish();
    state.users.intern("u");
    state.shapes = std::move(shapes_);
    Collector collector(state, warmup * kSecond);
    Simulator sim(std::move(state), {jobs_.begin(), jobs_.end()}, std::move(outside_));
    sim.watch(&collector);
    sim.run_until(until == base::kNever ? until : until * kSecond);
    return collector.summary(sim.engine());
  }

 private:
  engine::TestWorld world_;
  std::vector<model::Shape> shapes_;
  std::deque<model::JobSpec> jobs_;
  std::vector<Outside> outside_;
};

constexpr base::i128 kGpuSecond = 1000 * 1000;

const QueueSummary& queue_of(const Summary& summary, std::string_view path) {
  return *std::find_if(summary.queues.begin(), summary.queues.end(),
                       [&](const QueueSummary& q) { return q.path == path; });
}

TEST(Collector, CountsCompletionFromSubmissionToEnd) {
  Lab lab;
  const auto a = lab.queue("a", 0);
  const auto b = lab.queue("b", 0);
  lab.job(a, 0, 100, 8);
  lab.job(b, 10, 50, 8);                        // 100 to 150
  lab.job(b, 20, 500, 8).limit = 60 * kSecond;  // 150 to 210: at its limit
  lab.job(b, 30, 1, 8).patience = 0;            // leaves
  const Summary summary = lab.run();
  EXPECT_EQ(summary.total.finished, 3U);
  EXPECT_DOUBLE_EQ(summary.total.jct_mean_s, (100 + 140 + 190) / 3.0);
  EXPECT_DOUBLE_EQ(summary.total.jct_p50_s, 140);
  EXPECT_DOUBLE_EQ(summary.total.jct_p99_s, 190);
  EXPECT_DOUBLE_EQ(queue_of(summary, "a").jct_mean_s, 100);
  // Nobody was stopped: the effective wait is the wait of those that finished.
  EXPECT_DOUBLE_EQ(summary.total.effective_wait_mean_s, (0 + 90 + 130) / 3.0);
  EXPECT_EQ(summary.left, 1U);
}

TEST(Collector, RanksWaitsAsTheDefinitionsOwnExample) {  // oracles §8: 90x0, 5x60, 4x600, 1x7200
  Lab lab;
  const auto a = lab.queue("a", 0);
  // Who waits comes one second after the job that is in its way.
  lab.job(a, 0, 61, 8);
  for (int n = 0; n < 5; ++n) lab.job(a, 1, 1, 1);
  lab.job(a, 1000, 601, 8);
  for (int n = 0; n < 4; ++n) lab.job(a, 1001, 1, 1);
  lab.job(a, 2000, 7201, 8);
  lab.job(a, 2001, 1, 1);
  for (int n = 0; n < 87; ++n) lab.job(a, 10'000 + 10 * n, 1, 1);
  const Summary summary = lab.run();
  EXPECT_EQ(summary.total.started, 100U);
  EXPECT_DOUBLE_EQ(summary.total.wait_p50_s, 0);
  EXPECT_DOUBLE_EQ(summary.total.wait_p95_s, 60);
  EXPECT_DOUBLE_EQ(summary.total.wait_p99_s, 600);
  EXPECT_DOUBLE_EQ(summary.total.wait_mean_s, 99);
}

TEST(Collector, CountsAViolationOverTime_O73) {
  Lab lab(8);
  const auto owner = lab.queue("owner", 64);
  const auto guest = lab.queue("guest", 0);
  for (int n = 0; n < 3; ++n) lab.job(guest, 0, 121, 8);
  for (int n = 0; n < 10; ++n) lab.job(owner, 1, 1000, 8);  // 40 of 80 run, from 121 on 64
  const Summary summary = lab.run();
  EXPECT_NEAR(queue_of(summary, "owner").violation_hours * 3600, 2880, 1e-9);
  EXPECT_NEAR(summary.total.violation_hours * 3600, 2880, 1e-9);
}

// Work 100 with saves of 5 after each 30: 0-30 35-65 70-80 fails; the second run restarts for 10
// and works 90-120, saves, and works 125-135.
Lab failing(Millis back) {
  Lab lab(2);
  const auto a = lab.queue("a", 0);
  model::JobSpec& job = lab.job(a, 0, 100, 8);
  job.checkpoint = {30 * kSecond, 5 * kSecond, 10 * kSecond, false};
  lab.event(80, engine::NodeFailed{base::NodeId(0U)});
  lab.event(back, engine::NodeReturned{base::NodeId(0U)});
  return lab;
}

TEST(Collector, TellsUsefulWorkFromLostWorkAndOverhead) {
  const Summary summary = failing(100).run();
  const CapacityUse& use = summary.capacity_use;
  // First run: 60 saved, 10 of saves, 10 lost. Second: 10 restart, 40 worked, 5 of a save.
  EXPECT_EQ(use.useful, 8 * 100 * kGpuSecond);
  EXPECT_EQ(use.lost, 8 * 10 * kGpuSecond);
  EXPECT_EQ(use.overhead, 8 * (10 + 10 + 5) * kGpuSecond);
  EXPECT_EQ(use.down, 8 * 20 * kGpuSecond);
  EXPECT_EQ(use.all, 16 * 135 * kGpuSecond);
  EXPECT_EQ(use.idle, use.all - use.down - use.held());
  const double available = 16.0 * 135 - 8 * 20;
  EXPECT_DOUBLE_EQ(summary.allocation, 8 * 135 / available);
  EXPECT_DOUBLE_EQ(summary.goodput, 8 * 100 / available);
  // One stop: 10 lost and 10 of restart.
  EXPECT_DOUBLE_EQ(summary.failure_waste, 20.0 / 135);
  EXPECT_DOUBLE_EQ(summary.preemption_waste, 0);
}

TEST(Collector, CountsTheTimeOfRequeuesAsEffectiveWait) {
  const Summary summary = failing(100).run();
  EXPECT_DOUBLE_EQ(summary.total.wait_mean_s, 0);
  EXPECT_DOUBLE_EQ(summary.total.jct_mean_s, 135);
  EXPECT_DOUBLE_EQ(summary.total.effective_wait_mean_s, 135 - 115);  // alone: 100 and three saves
}

TEST(Collector, LeavesOutWhatPassesBeforeTheWarmUpEnds) {
  // From 50 on: 15 saved, 5 of a save, 10 lost; then as above.
  const CapacityUse use = failing(100).run(50).capacity_use;
  EXPECT_EQ(use.useful, 8 * (15 + 40) * kGpuSecond);
  EXPECT_EQ(use.lost, 8 * 10 * kGpuSecond);
  EXPECT_EQ(use.overhead, 8 * (5 + 10 + 5) * kGpuSecond);
  EXPECT_EQ(use.all, 16 * 85 * kGpuSecond);
  // From 75 on: only a part of what is lost.
  EXPECT_EQ(failing(100).run(75).capacity_use.lost, 8 * 5 * kGpuSecond);
}

TEST(Collector, CountsWhatStillRunsAtTheEnd) {
  const CapacityUse use = failing(100).run(0, 40).capacity_use;
  EXPECT_EQ(use.useful, 8 * 35 * kGpuSecond);
  EXPECT_EQ(use.overhead, 8 * 5 * kGpuSecond);
  EXPECT_EQ(use.lost, 0);
}

TEST(Collector, AccountsForADayOfAHundredGpus) {  // oracles §8: 900 + 100 + 600 + 800 = 2,400
  constexpr Millis kHourS = base::kHour / kSecond;
  Lab lab(10, 10);
  const auto a = lab.queue("a", 0);
  // Ten jobs that work 9 hours and save for one, on the six nodes that stay.
  for (const Millis hour : {0, 4, 4, 4, 4, 4, 14, 14, 14, 14}) {
    model::JobSpec& job = lab.job(a, hour * kHourS, 9 * kHourS, 10);
    job.checkpoint = {90 * base::kMinute, 12 * base::kMinute, 0, false};
  }
  for (std::uint32_t n = 6; n < 10; ++n) {
    lab.event(4 * kHourS, engine::NodeFailed{base::NodeId(n)});
  }
  const CapacityUse use = lab.run(0, 24 * kHourS).capacity_use;
  constexpr base::i128 kGpuHour = 3600 * kGpuSecond;
  EXPECT_EQ(use.useful + use.lost, 900 * kGpuHour);
  EXPECT_EQ(use.overhead, 100 * kGpuHour);
  EXPECT_EQ(use.idle, 600 * kGpuHour);
  EXPECT_EQ(use.down, 800 * kGpuHour);
  EXPECT_EQ(use.all, 2400 * kGpuHour);
}

TEST(Collector, CountsWhatItsOwnerStopsAsUseful) {
  Lab lab;
  const auto a = lab.queue("a", 0);
  lab.job(a, 0, 100, 8);
  lab.event(60, engine::JobCancelled{JobId(0U)});
  const Summary summary = lab.run();
  EXPECT_EQ(summary.capacity_use.useful, 8 * 60 * kGpuSecond);
  EXPECT_EQ(summary.capacity_use.lost, 0);
  EXPECT_DOUBLE_EQ(summary.preemption_waste, 0);
}

TEST(Collector, TimesRequestsThatTheGuaranteeCovers) {
  Lab lab;
  const auto owner = lab.queue("owner", 4);
  const auto guest = lab.queue("guest", 0);
  lab.job(guest, 0, 100, 8);
  lab.job(owner, 10, 20, 3);   // covered: runs at 100
  lab.job(owner, 20, 20, 2);   // 3 + 2 are more than 4
  lab.job(owner, 130, 20, 4);  // covered, starts at once
  const Summary summary = lab.run();
  EXPECT_EQ(summary.total.requests, 2U);
  EXPECT_EQ(queue_of(summary, "owner").requests, 2U);
  EXPECT_EQ(queue_of(summary, "guest").requests, 0U);
  EXPECT_DOUBLE_EQ(summary.total.reclaim_max_s, 90);
  EXPECT_DOUBLE_EQ(summary.total.reclaim_p99_s, 90);
}

TEST(Collector, CountsARequestInsideTheNearestGuaranteeAbove) {
  Lab lab;
  const auto owner = lab.queue("owner", 4);
  const auto leaf = lab.queue("leaf", 0, owner);
  lab.job(leaf, 0, 20, 4);
  const Summary summary = lab.run();
  EXPECT_EQ(queue_of(summary, "owner").requests, 1U);
  EXPECT_EQ(queue_of(summary, "owner/leaf").requests, 0U);
}

TEST(Collector, CountsARequestThatStillWaitsWithItsWaitSoFar) {
  Lab lab;
  const auto owner = lab.queue("owner", 4);
  const auto guest = lab.queue("guest", 0);
  lab.job(guest, 0, 100, 8);
  lab.job(owner, 10, 20, 4);
  EXPECT_DOUBLE_EQ(lab.run(0, 70).total.reclaim_max_s, 60);
}

TEST(Collector, ForgetsARequestThatLeavesOrIsHeld) {
  for (const bool leaves : {true, false}) {
    Lab lab;
    const auto owner = lab.queue("owner", 4);
    const auto guest = lab.queue("guest", 0);
    lab.job(guest, 0, 100, 8);
    lab.job(owner, 10, 20, 4).patience = leaves ? 5 * kSecond : base::kNever;
    if (!leaves) lab.event(15, engine::JobHeld{JobId(1U)});
    const Summary summary = lab.run();
    EXPECT_EQ(summary.total.requests, 0U) << leaves;
    EXPECT_DOUBLE_EQ(summary.starvation_s, 0);
  }
}

TEST(Envy, IsWhatAnotherBacklogOfTheSameWeightHoldsMore) {
  for (const std::int64_t times : {1, 3}) {
    Lab lab;
    const auto a = lab.queue("a", 0);
    const auto b = lab.queue("b", 0);
    lab.weigh(b, times);
    lab.job(a, 0, 100, 2);
    lab.job(b, 0, 100, 6);
    lab.job(a, 1, 10, 1);
    lab.job(b, 1, 10, 1);
    EXPECT_DOUBLE_EQ(lab.run().envy, 3.0 / static_cast<double>(times)) << times;
  }
}

TEST(Envy, IsNothingWhereTwoNeverWait) {
  Lab lab;
  const auto a = lab.queue("a", 0);
  lab.queue("b", 0);
  lab.job(a, 0, 100, 8);
  lab.job(a, 1, 10, 1);
  EXPECT_DOUBLE_EQ(lab.run().envy, 0);
}

TEST(Starvation, IsHowLongAnOwnerWaitedWhenABorrowerWasStarted) {
  Lab lab(2);
  const auto owner = lab.queue("owner", 8);
  const auto guest = lab.queue("guest", 0);
  lab.job(guest, 0, 100, 5);
  lab.job(guest, 0, 100, 5);
  lab.job(owner, 10, 20, 8);  // needs a whole node: 100
  lab.job(guest, 40, 10, 3);  // fits beside the guests
  EXPECT_DOUBLE_EQ(lab.run().starvation_s, 30);
}

TEST(Starvation, IsNothingWhereTheOwnerComesFirst) {
  Lab lab;
  const auto owner = lab.queue("owner", 8);
  const auto guest = lab.queue("guest", 0);
  lab.job(guest, 0, 100, 8);
  lab.job(guest, 5, 10, 8);
  lab.job(owner, 10, 20, 8);
  const Summary summary = lab.run();
  EXPECT_DOUBLE_EQ(summary.starvation_s, 0);
  EXPECT_DOUBLE_EQ(summary.total.reclaim_max_s, 90);
}

TEST(Starvation, IsNotWhatOneOwnersOwnJobsDoToEachOther) {
  Lab lab(3);
  const auto owner = lab.queue("owner", 8);
  const auto guest = lab.queue("guest", 0);
  for (int node = 0; node < 3; ++node) lab.job(guest, 0, 100, 5);
  lab.job(owner, 10, 20, 8);  // covered, and needs a whole node: 100
  for (int node = 0; node < 3; ++node) lab.job(owner, 40, 10, 3);  // 9 of 8: the last one borrows
  EXPECT_DOUBLE_EQ(lab.run().starvation_s, 0);
}

}  // namespace
}  // namespace stint::sim
