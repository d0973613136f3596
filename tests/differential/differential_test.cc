// The engine against the reference on random worlds: at every instant the same starts, in the same
// order, on the same nodes and devices.
//
//   STINT_WORLDS=20000 build/dev/differential_test    that many worlds
//   STINT_WORLD=17 build/dev/differential_test        that one alone
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "reference.h"
#include "world.h"

namespace stint::differential {
namespace {

using base::Millis;
using base::Rng;
using property::World;
using property::WorldSeed;

std::string words(const model::State& state, const std::vector<Granted>& starts) {
  std::string text;
  for (const Granted& start : starts) {
    text += fmt::format("  j{}", start.job.value);
    for (const model::Slice& slice : start.placement) {
      text += fmt::format(" {}x{}", state.cluster.nodes[slice.node.index()].name, slice.tasks);
      std::vector<model::DeviceShare> devices = slice.devices;
      std::ranges::sort(devices, {}, [](const auto& d) { return std::tuple(d.device, d.milli); });
      for (const auto& d : devices) text += fmt::format("/{}:{}", d.device, d.milli);
    }
    text += '\n';
  }
  return text.empty() ? "  nothing\n" : text;
}

std::string setting(const char* name, const char* fallback) {
  const char* text = std::getenv(name);
  return text == nullptr ? fallback : text;
}

// What the reference is shown instead of State: for the canary.
using Lens = void (*)(model::State&);

// Compares every decision; notes the first difference.
class Compare : public sim::Observer {
 public:
  explicit Compare(Lens lens = nullptr) : lens_(lens) {}

  void deciding(const engine::Engine& engine, Millis now) override {
    close(engine);
    const model::State& state = engine.state();
    const bool off_cycle = state.policy.cycle > 0 && now % state.policy.cycle != 0;
    // Where nothing happened there is no instant, hence no pass (DESIGN §5.0).
    expected_.clear();
    if (anew_ && lens_ == nullptr) expected_ = reference_decide(state, now);
    if (anew_ && lens_ != nullptr) {
      model::State seen = state;
      lens_(seen);
      expected_ = reference_decide(seen, now);
    }
    anew_ = anew_ && off_cycle;
    actual_.clear();
    is_open_ = true;
  }
  void started(const engine::Engine& engine, const engine::Start& start) override {
    const model::State& state = engine.state();
    actual_.push_back({start.job, state.runs[state.jobs[start.job.index()].run].placement});
  }
  void after_event(const engine::Engine& engine) override {
    // After starts the first call is about them; every other is about a fact.
    if (!is_open_ || actual_.empty()) anew_ = true;
    close(engine);
  }
  void instant_ends(const engine::Engine& engine) override { close(engine); }

  [[nodiscard]] const std::string& difference() const { return difference_; }
  [[nodiscard]] std::size_t decisions() const { return decisions_; }
  [[nodiscard]] std::size_t starts() const { return starts_; }

 private:
  void close(const engine::Engine& engine) {
    if (!std::exchange(is_open_, false)) return;
    ++decisions_;
    starts_ += actual_.size();
    const std::string expected = words(engine.state(), expected_);
    const std::string actual = words(engine.state(), actual_);
    if (!difference_.empty() || expected == actual) return;
    difference_ = fmt::format("at {} the reference starts\n{}and the engine\n{}",
                              base::format_duration(engine.state().now), expected, actual);
  }

  Lens lens_;
  std::vector<Granted> expected_;
  std::vector<Granted> actual_;
  bool is_open_ = false;
  bool anew_ = true;  // something happened since the last passes
  std::string difference_;
  std::size_t decisions_ = 0;
  std::size_t starts_ = 0;
};

// The world of that number: larger than those of the property tests, and with all parts.
WorldSeed seed_of(std::uint64_t number) {
  Rng rng(number);
  WorldSeed seed;
  seed.rest = rng.next() >> 2U;
  seed.nodes = static_cast<std::uint32_t>(rng.between(1, 12));
  seed.queues = static_cast<std::uint32_t>(rng.between(1, 8));
  // The reference knows no reservations, the last part.
  for (std::size_t p = 0; p < static_cast<std::size_t>(property::Part::Reservations); ++p) {
    seed.uses[p] = rng.below(2) == 0;
  }
  seed.jobs.resize(rng.below(61));
  for (std::uint32_t& job : seed.jobs) job = static_cast<std::uint32_t>(rng.below(1U << 31U));
  seed.events.resize(rng.below(17));
  for (std::uint32_t& event : seed.events) event = static_cast<std::uint32_t>(rng.below(1U << 31U));
  return seed;
}

// In half a minute; 20,000 with `./dev test --all`.
constexpr const char* kWorlds = "5000";

struct Totals {
  std::size_t decisions = 0;
  std::size_t starts = 0;
};

std::string difference_in(const WorldSeed& seed, Totals& totals, Lens lens = nullptr) {
  Compare compare(lens);
  sim::Simulator sim = property::simulator_of(property::make_world(seed));
  sim.watch(&compare);
  sim.run_until(property::kHorizon);
  totals.decisions += compare.decisions();
  totals.starts += compare.starts();
  return compare.difference();
}

// The seed with whatever can be left out left out.
WorldSeed shrunk(WorldSeed seed) {
  Totals ignored;
  const auto keep_if_different = [&](const WorldSeed& smaller) {
    const bool is_different = !difference_in(smaller, ignored).empty();
    if (is_different) seed = smaller;
    return is_different;
  };
  const auto drop_each = [&](std::vector<std::uint32_t> WorldSeed::* list) {
    for (std::size_t i = (seed.*list).size(); i-- > 0;) {
      WorldSeed smaller = seed;
      (smaller.*list).erase((smaller.*list).begin() + static_cast<std::ptrdiff_t>(i));
      keep_if_different(smaller);
    }
  };
  for (int round = 0; round < 3; ++round) {
    drop_each(&WorldSeed::events);
    drop_each(&WorldSeed::jobs);
    for (bool& use : seed.uses) {
      WorldSeed smaller = seed;
      smaller.uses[static_cast<std::size_t>(&use - seed.uses.data())] = false;
      keep_if_different(smaller);
    }
    for (const auto count : {&WorldSeed::nodes, &WorldSeed::queues}) {
      WorldSeed smaller = seed;
      while (--(smaller.*count) > 0 && keep_if_different(smaller)) {
      }
    }
  }
  return seed;
}

TEST(Differential, TheEngineDecidesAsTheRulesSay) {
  const std::string one = setting("STINT_WORLD", "");
  const std::uint64_t first = one.empty() ? 0 : std::stoull(one);
  const std::uint64_t count = one.empty() ? std::stoull(setting("STINT_WORLDS", kWorlds)) : 1;
  Totals totals;
  for (std::uint64_t number = first; number < first + count; ++number) {
    if (difference_in(seed_of(number), totals).empty()) continue;
    Totals ignored;
    const WorldSeed seed = shrunk(seed_of(number));
    FAIL() << fmt::format("world {} of {}: {}\n{}", number, count, difference_in(seed, ignored),
                          property::text_of(property::make_world(seed)));
  }
  std::cout << fmt::format("{} worlds, {} decisions, {} starts, 0 differences\n", count,
                           totals.decisions, totals.starts);
}

TEST(Differential, ATurnTakenFromTheWrongOneIsNoticed) {
  const Lens forget_who_was_served = [](model::State& state) {
    for (model::Account& queue : state.queues) queue.served = 0;
  };
  Totals ignored;
  std::uint64_t number = 0;
  while (number < 100 && difference_in(seed_of(number), ignored, forget_who_was_served).empty())
    ++number;
  EXPECT_LT(number, 100U) << "the test is blind";
}

}  // namespace
}  // namespace stint::differential
