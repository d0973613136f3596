// Capacity is accounted for to the unit-millisecond, in random worlds (I10).
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "claims.h"
#include "sim/metrics/collector.h"
#include "world.h"

namespace stint::property {
namespace {

using base::i128;

// Counts span by span from the nodes and the runs alone.
class Meter : public sim::Observer {
 public:
  explicit Meter(Millis warmup) : warmup_(warmup) {}

  void submitted(const engine::Engine& engine, base::JobId /*job*/) override {
    if (begin_ == base::kNever) begin_ = base::later(engine.state().now, warmup_);
  }
  void time_passes(const engine::Engine& engine, Millis next) override {
    if (next <= begin_) return;
    const model::State& state = engine.state();
    const Millis span = next - std::max(state.now, begin_);
    model::Amounts held(state.cluster.resources.size());
    model::Amounts idle = held;
    model::Amounts down = held;
    for (std::size_t n = 0; n < state.nodes.size(); ++n) {
      const model::NodeState& node = state.nodes[n];
      if (node.failed) {
        down += state.cluster.nodes[n].has;
      } else {
        (node.draining ? down : idle) += node.free;
      }
    }
    for (const model::Run& run : state.runs) held += run.holds;
    const model::Amounts all = state.cluster.capacity();
    for (std::size_t r = 0; r < all.size(); ++r) {
      if (state.cluster.resources.name(base::ResourceId(r)).find('/') != std::string::npos)
        continue;
      if (held[r] + idle[r] + down[r] != all[r]) {
        broken_ += fmt::format("resource {} at {}: {} + {} + {} is not {}\n", r, state.now, held[r],
                               idle[r], down[r], all[r]);
      }
    }
    const base::ResourceId main = sim::main_resource(state.cluster);
    held_ += i128{held[main]} * span;
    idle_ += i128{idle[main]} * span;
    down_ += i128{down[main]} * span;
    all_ += i128{all[main]} * span;
  }
  [[nodiscard]] const std::string& broken() const { return broken_; }
  [[nodiscard]] i128 held() const { return held_; }
  [[nodiscard]] i128 down() const { return down_; }
  // Whether the collector, which counts run by run and by what is free, comes to the same.
  void compare(const sim::CapacityUse& use) const {
    RC_ASSERT(use.held() == held_);
    RC_ASSERT(use.idle == idle_);
    RC_ASSERT(use.down == down_);
    RC_ASSERT(use.all == all_);
    RC_ASSERT(use.useful + use.lost + use.overhead + use.idle + use.down == use.all);
    RC_ASSERT(use.useful >= 0 && use.lost >= 0 && use.overhead >= 0);
  }

 private:
  Millis warmup_;
  Millis begin_ = base::kNever;
  i128 held_ = 0;
  i128 idle_ = 0;
  i128 down_ = 0;
  i128 all_ = 0;
  std::string broken_;
};

TEST(Capacity, IsHeldIdleOrDownToTheUnitMillisecond) {  // I10
  i128 held = 0;
  i128 down = 0;
  i128 lost = 0;
  i128 overhead = 0;
  holds("useful + lost + overhead + idle + down = capacity x time", [&] {
    const World world = make_world(*some_seed());
    show(world);
    const Millis warmup = *rc::gen::element(Millis{0}, 10 * base::kMinute, Millis{base::kHour});
    const Millis until = *rc::gen::element(Millis{base::kHour}, 5 * base::kHour, Millis{kHorizon});
    sim::Simulator sim = simulator_of(world);
    Meter meter(warmup);
    sim::Collector collector(sim.engine().state(), warmup);
    sim.watch(&meter);
    sim.watch(&collector);
    sim.run_until(until);
    RC_LOG() << meter.broken();
    RC_ASSERT(meter.broken().empty());
    const sim::CapacityUse use = collector.summary(sim.engine()).capacity_use;
    meter.compare(use);
    held += meter.held() > 0 ? 1 : 0;
    down += meter.down() > 0 ? 1 : 0;
    lost += use.lost > 0 ? 1 : 0;
    overhead += use.overhead > 0 ? 1 : 0;
  });
  // The worlds are no empty ones.
  EXPECT_GT(static_cast<int>(held), kWorlds / 2);
  EXPECT_GT(static_cast<int>(down), kWorlds / 10);
  EXPECT_GT(static_cast<int>(lost), kWorlds / 20);
  EXPECT_GT(static_cast<int>(overhead), kWorlds / 10);
}

}  // namespace
}  // namespace stint::property
