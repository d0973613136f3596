// O-56: exponential traffic on a pool of servers, against Erlang's formulas.
//
// Poisson arrivals and exponential service times make every run of the simulator an estimate of the
// probability of waiting C(c, a), and where nobody waits of blocking B(c, a). One long run per
// value, cut into batches: their means are all but independent, so Student's t gives the interval.
// A value that is wrong by `tolerance` must lie outside of it, on either side: the test would see
// it.
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "replay.h"

namespace stint::oracle {
namespace {

constexpr std::size_t kBatches = 30;
constexpr double kStudent99 = 2.756;      // two-sided 99 %, 29 degrees of freedom
constexpr double kServiceMs = 1'000'000;  // so that whole ms are fine enough
constexpr std::uint64_t kSeed = 20'240'701;

struct Traffic {
  double load = 0;  // arrivals per service time
  Millis patience = base::kNever;
  std::uint64_t jobs_per_batch = 0;
};

// Jobs of one server each, made as they are asked for.
class PoissonSource : public sim::JobSource {
 public:
  explicit PoissonSource(const Traffic& traffic) : traffic_(traffic), rng_(kSeed) { draw(); }

  [[nodiscard]] Millis next_submit() const override {
    // One batch more than is counted: the pool starts empty.
    return next_ < (kBatches + 1) * traffic_.jobs_per_batch ? submit_ : base::kNever;
  }
  std::pair<base::JobId, model::JobSpec> take() override {
    model::JobSpec spec;
    spec.queue = base::QueueId(1U);
    spec.user = base::UserId(0U);
    spec.shape = base::ShapeId(0U);
    spec.submit = submit_;
    spec.work = std::max<Millis>(1, std::llround(exponential(kServiceMs)));
    spec.patience = traffic_.patience;
    const base::JobId id(next_++);
    draw();
    return {id, std::move(spec)};
  }

 private:
  double exponential(double mean) { return -mean * std::log(1 - rng_.unit()); }
  void draw() {
    arrival_ += exponential(kServiceMs / traffic_.load);
    submit_ = std::llround(arrival_);
  }

  Traffic traffic_;
  base::Rng rng_;
  std::size_t next_ = 0;
  double arrival_ = 0;
  Millis submit_ = 0;
};

// Counts who did not start at once, by batch.
class Delays : public sim::Observer {
 public:
  explicit Delays(const Traffic& traffic) : batch_size_(traffic.jobs_per_batch) {}

  void started(const engine::Engine& engine, const engine::Start& start) override {
    const Millis submit = engine.state().jobs[start.job].spec.submit;
    if (submit < engine.state().now) ++delayed_[start.job.index() / batch_size_];
  }
  void finished(const engine::Engine& engine, base::JobId job) override {
    ++over_;
    if (engine.state().jobs[job].runs == 0) ++delayed_[job.index() / batch_size_];
  }

  [[nodiscard]] std::uint64_t over() const { return over_; }
  // Share of the jobs of each counted batch.
  [[nodiscard]] std::array<double, kBatches> shares() const {
    std::array<double, kBatches> shares{};
    for (std::size_t i = 0; i < kBatches; ++i) {
      shares[i] = static_cast<double>(delayed_[i + 1]) / static_cast<double>(batch_size_);
    }
    return shares;
  }

 private:
  std::uint64_t batch_size_;
  std::array<std::uint64_t, kBatches + 1> delayed_{};
  std::uint64_t over_ = 0;
};

model::State servers(std::int64_t count) {
  const model::State empty = pool_state({"cpu", count}, model::Policy{});
  model::Tree tree = model::empty_tree(1);
  model::add_queue(tree, model::Tree::root(), "calls", 1);
  model::finish_tree(tree);
  model::State state = model::make_state(empty.cluster, tree, empty.policy);
  state.users.intern("caller");
  model::Shape one;
  one.each = model::Amounts(1);
  one.each[model::ResourceId(0U)] = base::kUnit;
  state.shapes.push_back(one);
  return state;
}

struct Interval {
  double mean = 0;
  double half = 0;
  [[nodiscard]] bool holds(double value) const { return std::abs(value - mean) <= half; }
};

Interval interval_of(const std::array<double, kBatches>& shares) {
  double mean = 0;
  for (const double share : shares) mean += share / kBatches;
  double squares = 0;
  for (const double share : shares) squares += (share - mean) * (share - mean);
  return {mean, kStudent99 * std::sqrt(squares / (kBatches - 1) / kBatches)};
}

void expect_erlang(const std::string& name, std::int64_t count, const Traffic& traffic,
                   double value, double tolerance) {
  sim::Simulator sim(servers(count), std::make_unique<PoissonSource>(traffic));
  Delays delays(traffic);
  sim.watch(&delays);
  sim.run_to_rest();
  ASSERT_EQ(delays.over(), (kBatches + 1) * traffic.jobs_per_batch);
  const Interval interval = interval_of(delays.shares());
  const std::string seen = fmt::format(
      "{} = {:.6f}: simulated {:.6f} ± {:.6f} (99 %, {} jobs, half-width {:.1f} %)", name, value,
      interval.mean, interval.half, kBatches * traffic.jobs_per_batch, 100 * interval.half / value);
  fmt::print("{}\n", seen);
  EXPECT_TRUE(interval.holds(value)) << seen;
  EXPECT_FALSE(interval.holds(value * (1 + tolerance))) << seen;
  EXPECT_FALSE(interval.holds(value * (1 - tolerance))) << seen;
}

TEST(Erlang, EightServersMakeAsManyWaitAsTheFormulaSays) {
  expect_erlang("C(8,6)", 8, {.load = 6, .jobs_per_batch = 20'000}, .356981, .05);
}

TEST(Erlang, EightyServersMakeAsManyWaitAsTheFormulaSays) {
  expect_erlang("C(80,60)", 80, {.load = 60, .jobs_per_batch = 110'000}, .008737, .15);
}

TEST(Erlang, TenServersTurnAwayAsManyAsTheFormulaSays) {
  expect_erlang("B(10,8)", 10, {.load = 8, .patience = 0, .jobs_per_batch = 20'000}, .121661, .05);
}

TEST(Erlang, AHundredServersTurnAwayAsManyAsTheFormulaSays) {
  expect_erlang("B(100,80)", 100, {.load = 80, .patience = 0, .jobs_per_batch = 40'000}, .003992,
                .15);
}

}  // namespace
}  // namespace stint::oracle
