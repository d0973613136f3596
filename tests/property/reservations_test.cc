// What a reservation of a list promises, in random worlds.
#include <optional>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "claims.h"
#include "world.h"

namespace stint::property {
namespace {

// While nothing but submissions and ends happens, the start of the job that has the reservation
// never gets later, unless a newcomer may go before it (by length); and what waits would make it
// later, or does not fit.
class Promises : public sim::Observer {
 public:
  void world_changed(const engine::Engine& /*engine*/) override { last_.reset(); }
  void restarted(const engine::Engine& /*engine*/) override { last_.reset(); }
  void instant_ends(const engine::Engine& engine) override {
    const auto& slot = engine.slot();
    const bool newcomers_go_last = engine.state().policy.order != model::Order::SjfSkip;
    if (last_ && slot && slot->job == last_->job && newcomers_go_last) {
      ++kept_;
      if (slot->start > last_->start) {
        broken_ +=
            fmt::format("{}: promised {}, now {}\n", engine.state().now, last_->start, slot->start);
      }
    }
    last_ = slot;
    if (engine.state().policy.order != model::Order::Fair) look_for_idle_room(engine);
  }
  [[nodiscard]] const std::string& broken() const { return broken_; }
  [[nodiscard]] std::size_t kept() const { return kept_; }
  [[nodiscard]] std::size_t delaying() const { return delaying_; }

 private:
  void look_for_idle_room(const engine::Engine& engine) {
    const model::State& state = engine.state();
    for (const base::JobId id : state.jobs.ids()) {
      if (state.jobs[id].state != model::JobState::Waiting) continue;
      if (engine.could_start(id)) {
        broken_ += fmt::format("{}: job {} was not started\n", state.now, id.value);
      }
      if (engine.would_delay_slot(id)) ++delaying_;
    }
  }

  std::optional<engine::Slot> last_;
  std::string broken_;
  std::size_t kept_ = 0;
  std::size_t delaying_ = 0;
};

TEST(Reservations, NeverGetLaterByWhatStartsAfterThem) {
  std::size_t kept = 0;
  std::size_t delaying = 0;
  holds("I7 I6", [&] {
    WorldSeed seed = *some_seed();
    seed.uses[static_cast<std::size_t>(Part::Reservations)] = true;
    seed.uses[static_cast<std::size_t>(Part::TimeLimits)] = true;
    // Who waited for another comes back with an older submit time, and goes before the head.
    seed.uses[static_cast<std::size_t>(Part::Dependencies)] = false;
    const World world = make_world(seed);
    show(world);
    Promises promises;
    sim::Simulator sim = simulator_of(world);
    sim.watch(&promises);
    sim.run_until(kHorizon);
    kept += promises.kept();
    delaying += promises.delaying();
    RC_LOG() << promises.broken();
    RC_ASSERT(promises.broken().empty());
  });
  // The worlds are no empty ones.
  EXPECT_GT(kept, static_cast<std::size_t>(kWorlds));
  EXPECT_GT(delaying, static_cast<std::size_t>(kWorlds) / 10);
}

}  // namespace
}  // namespace stint::property
