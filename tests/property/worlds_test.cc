// What is always true (DESIGN §8), in random worlds, after every event and pass.
#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <variant>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/digest.h"
#include "base/rng.h"
#include "claims.h"
#include "codec/snapshot/snapshot.h"
#include "engine/placement/fit.h"
#include "model/invariants.h"
#include "sim/scenario/runner.h"
#include "world.h"

namespace stint::property {
namespace {

using base::JobId;
using model::JobState;

// Collects what is broken; a world is right if nothing is.
class Watch : public sim::Observer {
 public:
  void after_event(const engine::Engine& engine) override {
    note(engine, model::broken_invariants(engine.state()));
    note(engine, limits_.check(engine.state()));
  }
  void instant_ends(const engine::Engine& engine) override {
    if (const auto job = left_behind(engine)) {
      const std::string name = model::job_name(engine.state(), *job);
      note(engine, {fmt::format("I6: {} fits, is allowed, and was not started", name)});
    }
  }
  [[nodiscard]] const std::string& broken() const { return broken_; }
  [[nodiscard]] std::size_t checks() const { return checks_; }

 private:
  void note(const engine::Engine& engine, const std::vector<std::string>& found) {
    ++checks_;
    for (const std::string& breach : found) {
      broken_ += fmt::format("{} (at {})\n", breach, base::format_duration(engine.state().now));
    }
  }
  // A waiting job that should have been started: any of them, or under fifo the head of the line.
  static std::optional<JobId> left_behind(const engine::Engine& engine);

  model::LimitWatch limits_;
  std::string broken_;
  std::size_t checks_ = 0;
};

bool is_in_line(const engine::Engine& engine, const model::Job& job, JobId id) {
  return job.state == JobState::Waiting && !job.held && !job.spec.impossible &&
         engine::dependencies_met(engine.state(), id) && engine.fits_machine(job.spec.shape);
}

std::optional<JobId> Watch::left_behind(const engine::Engine& engine) {
  const model::State& state = engine.state();
  std::optional<JobId> head;
  for (std::size_t j = 0; j < state.jobs.size(); ++j) {
    const JobId id(j);
    if (!is_in_line(engine, state.jobs[j], id)) continue;
    if (state.policy.order != model::Order::Fifo && engine.could_start(id)) return id;
    const auto place = [&](JobId job) {
      return std::tuple(state.jobs[job.index()].spec.submit, job);
    };
    if (!head || place(id) < place(*head)) head = id;
  }
  if (state.policy.order == model::Order::Fifo && head && engine.could_start(*head)) return head;
  return std::nullopt;
}

TEST(Worlds, NothingThatIsAlwaysTrueEverBreaks) {
  std::size_t checks = 0;
  std::size_t starts = 0;
  holds("I1 I2 I3 I5 I6", [&] {
    const World world = make_world(*some_seed());
    show(world);
    Watch watch;
    sim::Simulator sim = simulator_of(world);
    sim.watch(&watch);
    sim.run_until(kHorizon);
    checks += watch.checks();
    starts += sim.engine().counters().starts;
    RC_LOG() << watch.broken();
    RC_ASSERT(watch.broken().empty());
  });
  // The worlds are no empty ones.
  EXPECT_GT(checks, 20U * kWorlds);
  EXPECT_GT(starts, 5U * kWorlds);
}

// --- I6 again: whoever looks at the same State anew starts nothing
// ------------------------------------------

class FreshLook : public sim::Observer {
 public:
  void instant_ends(const engine::Engine& engine) override {
    engine::Engine fresh(engine.state());
    for (const engine::Decision& decision : fresh.decide(engine.state().now)) {
      const JobId job = std::get<engine::Start>(decision).job;
      broken_ += fmt::format("{} was left waiting at {}\n", model::job_name(engine.state(), job),
                             base::format_duration(engine.state().now));
    }
  }
  [[nodiscard]] const std::string& broken() const { return broken_; }

 private:
  std::string broken_;
};

TEST(Worlds, AnEngineMadeFromTheStateOfAnInstantWouldStartNothingMore) {
  holds("passes until nothing changes", [] {
    const World world = make_world(*some_seed());
    show(world);
    FreshLook look;
    sim::Simulator sim = simulator_of(world);
    sim.watch(&look);
    sim.run_until(kHorizon);
    RC_LOG() << look.broken();
    RC_ASSERT(look.broken().empty());
  });
}

// --- I6 again, by a reckoning that shares no code with the engine
// -----------------------------------------

// Tasks of `each` that fit on the node, taking the emptiest shared device that still has room for a
// fraction as late as possible.
std::uint32_t tasks_on(const model::NodeState& node, const model::Amounts& each) {
  std::vector<int> devices(node.devices.begin(), node.devices.end());
  model::Amounts free = node.free;
  std::uint32_t count = 0;
  while (each.fits_in(free) && count < 64) {
    base::Amount gpus = each[0];
    const int part = static_cast<int>(gpus % 1000);
    if (part > 0) {
      std::sort(devices.begin(), devices.end());
      const auto it = std::find_if(devices.begin(), devices.end(),
                                   [&](int free_part) { return free_part >= part; });
      if (it == devices.end()) return count;
      *it -= part;
      gpus -= part;
    }
    for (int& device : devices) {
      if (gpus == 0) break;
      if (device != 1000) continue;
      device = 0;
      gpus -= 1000;
    }
    if (gpus > 0) return count;
    free -= each;
    ++count;
  }
  return count;
}

bool fits_somewhere(const model::State& state, const model::Shape& shape) {
  std::uint32_t tasks = 0;
  for (std::size_t n = 0; n < state.nodes.size(); ++n) {
    const model::Node& node = state.cluster.nodes[n];
    if (state.nodes[n].failed || state.nodes[n].draining) continue;
    const bool has_labels =
        std::all_of(shape.where.begin(), shape.where.end(), [&](base::LabelId label) {
          return std::count(node.labels.begin(), node.labels.end(), label) > 0;
        });
    if (has_labels) tasks += tasks_on(state.nodes[n], shape.each);
  }
  return tasks >= shape.tasks;
}

// Whether all that the job waits for has ended.
bool have_ended(const model::State& state, JobId job) {
  const auto after = state.after.find(job);
  return after == state.after.end() ||
         std::all_of(after->second.begin(), after->second.end(), [&](JobId id) {
           const JobState before = state.jobs.state_of(id);
           return before == JobState::Done || before == JobState::Timeout;
         });
}

class FitWatch : public sim::Observer {
 public:
  void instant_ends(const engine::Engine& engine) override {
    const model::State& state = engine.state();
    if (state.policy.order == model::Order::Fifo) return;
    for (const JobId id : state.jobs.ids()) {
      const model::Job& job = state.jobs[id];
      const bool waits = job.state == JobState::Waiting && !job.held && have_ended(state, id);
      if (!waits) continue;
      ++waited_;
      if (fits_somewhere(state, state.shapes[job.spec.shape.index()])) {
        broken_ += fmt::format("{} could run at {}\n", model::job_name(state, id), state.now);
      }
    }
  }
  [[nodiscard]] const std::string& broken() const { return broken_; }
  [[nodiscard]] std::size_t waited() const { return waited_; }

 private:
  std::string broken_;
  std::size_t waited_ = 0;
};

TEST(Worlds, WhereNoQuotaForbidsNobodyWaitsForWhatIsFree) {
  std::size_t waited = 0;
  holds("work conservation", [&] {
    WorldSeed seed = *some_seed();
    for (const Part part : {Part::Limits, Part::Lend, Part::UserBlocks, Part::Protected}) {
      seed.uses[static_cast<std::size_t>(part)] = false;
    }
    const World world = make_world(seed);
    show(world);
    FitWatch watch;
    sim::Simulator sim = simulator_of(world);
    sim.watch(&watch);
    sim.run_until(kHorizon);
    waited += watch.waited();
    RC_LOG() << watch.broken();
    RC_ASSERT(watch.broken().empty());
  });
  EXPECT_GT(waited, std::size_t{kWorlds});
}

// --- usage goes back to zero
// --------------------------------------------------------------------------------

std::vector<sim::Outside> and_then_cancel_all(const World& world) {
  std::vector<sim::Outside> outside = sim::outside_of(world.scenario);
  sim::Outside end;
  end.at = kHorizon;
  for (std::size_t j = 0; j < world.scenario.jobs.size(); ++j) {
    end.facts.emplace_back(engine::JobCancelled{JobId(j)});
  }
  outside.push_back(std::move(end));
  return outside;
}

std::string leftovers(const model::State& state) {
  std::string text;
  if (!state.runs.empty()) text += "a run is left\n";
  const auto account = [&](const model::Account& a, const std::string& who) {
    if (a.now.is_zero() && a.after.is_zero() && a.protected_now.is_zero() && a.running_jobs == 0)
      return;
    text += fmt::format("{} still holds something\n", who);
  };
  for (std::size_t q = 0; q < state.queues.size(); ++q)
    account(state.queues[q], state.tree.queues[q].path);
  for (const model::Tenant& t : state.tenants) account(t.account, state.users.name(t.user.value));
  for (std::size_t n = 0; n < state.nodes.size(); ++n) {
    const model::NodeState& node = state.nodes[n];
    const bool whole =
        std::all_of(node.devices.begin(), node.devices.end(), [](auto d) { return d == 1000; });
    if (node.free != state.cluster.nodes[n].has || !whole ||
        node.whole_devices != node.devices.size()) {
      text += fmt::format("{} is not whole again\n", state.cluster.nodes[n].name);
    }
  }
  if (state.free != state.healthy) text += "what is free is not what is healthy\n";
  return text;
}

TEST(Worlds, UsageIsExactlyZeroWhenEverythingHasEnded) {  // F6, O-83
  holds("back to zero", [] {
    const World world = make_world(*some_seed());
    show(world);
    sim::Simulator sim = simulator_of(world, and_then_cancel_all(world));
    sim.run_to_rest();
    const std::string left = leftovers(sim.engine().state());
    RC_LOG() << left;
    RC_ASSERT(left.empty());
  });
}

// --- snapshots and replay
// -----------------------------------------------------------------------------------

// The world's State after a random number of instants.
model::State some_state(const World& world, std::uint64_t random) {
  sim::Simulator sim = simulator_of(world);
  for (std::uint64_t steps = random % 40; steps > 0 && sim.step(kHorizon); --steps) {
  }
  return sim.engine().state();
}

TEST(Snapshots, GiveBackTheSameBytesAndDigest) {
  holds("decode(encode(s)) = s", [] {
    const World world = make_world(*some_seed());
    const model::State state = some_state(world, *rc::gen::inRange<std::uint64_t>(0, 40));
    show(world);
    const std::string bytes = codec::encode_state(state);
    const auto again = codec::decode_state(bytes);
    RC_ASSERT(again.has_value());
    RC_ASSERT(codec::encode_state(*again) == bytes);
    RC_ASSERT(model::digest_of(*again).value() == model::digest_of(state).value());
  });
}

TEST(Snapshots, AreRefusedWhenCutOrDamaged) {
  holds("damage is noticed", [] {
    const World world = make_world(*some_seed());
    const auto random = *rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>());
    const std::string bytes = codec::encode_state(some_state(world, random));
    base::Rng rng(random);
    for (int i = 0; i < 4; ++i) {
      RC_ASSERT(!codec::decode_state(std::string_view(bytes).substr(0, rng.below(bytes.size()))));
      std::string flipped = bytes;
      char& hit = flipped[rng.below(bytes.size())];
      hit = static_cast<char>(static_cast<unsigned char>(hit) ^ (1U << rng.below(8)));
      RC_ASSERT(!codec::decode_state(flipped));
    }
    RC_ASSERT(!codec::decode_state(bytes + '\0'));
  });
}

struct Outcome {
  std::string log;
  std::uint64_t digest = 0;
  std::vector<Millis> instants;
};

Outcome outcome_of(const World& world, std::vector<sim::Outside> outside) {
  DecisionLog log;
  sim::Simulator sim = simulator_of(world, std::move(outside));
  sim.watch(&log);
  sim.run_until(kHorizon);
  return {log.with_jobs(sim.engine()), model::digest_of(sim.engine().state()).value(),
          log.instants()};
}

std::vector<sim::Outside> with_restarts(const World& world, const std::vector<Millis>& times,
                                        bool first) {
  std::vector<sim::Outside> outside = sim::outside_of(world.scenario);
  for (const Millis at : times) {
    sim::Outside restart;
    restart.at = at;
    restart.restart_controller = true;
    outside.insert(first ? outside.begin() : outside.end(), std::move(restart));
  }
  return outside;
}

void expect_same(const Outcome& plain, const Outcome& restarted) {
  RC_LOG() << "without a restart:\n" << plain.log << "with restarts:\n" << restarted.log;
  RC_ASSERT(restarted.log == plain.log);
  RC_ASSERT(restarted.digest == plain.digest);
}

TEST(Restarts, AtAnInstantOfTheWorldChangeNothing) {  // I11
  holds("replay gives the same digest", [] {
    const World world = make_world(*some_seed());
    show(world);
    const Outcome plain = outcome_of(world, sim::outside_of(world.scenario));
    std::vector<Millis> times;
    for (int i = *rc::gen::inRange(1, 4); i > 0 && !plain.instants.empty(); --i) {
      times.push_back(plain.instants[*rc::gen::inRange<std::size_t>(0, plain.instants.size())]);
      RC_LOG() << "restart at " << base::format_duration(times.back()) << '\n';
    }
    expect_same(plain, outcome_of(world, with_restarts(world, times, *rc::gen::arbitrary<bool>())));
  });
}

// A restart brings a pass of its own. As `past` decays the order changes, and with it which of two
// jobs stands behind the other's limit (DESIGN §5.8): where there are limits that pass may rightly
// start one.
TEST(Restarts, BetweenInstantsChangeNothingWhereNobodyIsLimited) {  // I11
  holds("replay gives the same digest", [] {
    WorldSeed seed = *some_seed();
    for (const Part part : {Part::Limits, Part::UserBlocks, Part::Protected}) {
      seed.uses[static_cast<std::size_t>(part)] = false;
    }
    const World world = make_world(seed);
    show(world);
    std::vector<Millis> times;
    for (int i = *rc::gen::inRange(1, 4); i > 0; --i) {
      times.push_back(*rc::gen::inRange<Millis>(0, 6 * base::kHour));
      RC_LOG() << "restart at " << base::format_duration(times.back()) << '\n';
    }
    expect_same(outcome_of(world, sim::outside_of(world.scenario)),
                outcome_of(world, with_restarts(world, times, false)));
  });
}

// --- the harness itself
// ---------------------------------------------------------------------------------------

TEST(Canary, AFalseClaimIsRefutedAndShrunk) {
  const auto refuted = counterexample("nobody ever waits for room", [] {
    const World world = make_world(*some_seed());
    show(world);
    FitWatch watch;
    sim::Simulator sim = simulator_of(world);
    sim.watch(&watch);
    sim.run_until(kHorizon);
    RC_ASSERT(watch.waited() == 0U);
  });
  ASSERT_TRUE(refuted);
  // Two jobs and one node are enough, and shrinking finds that out.
  EXPECT_NE(refuted->find("name: n1"), std::string::npos) << *refuted;
  EXPECT_EQ(refuted->find("name: n2"), std::string::npos) << *refuted;
  EXPECT_EQ(refuted->find("name: j3"), std::string::npos) << *refuted;
}

TEST(Canary, ALostDeviceIsNoticed) {
  holds("a damaged State is no legal one", [] {
    const World world = make_world(*some_seed());
    model::State state = some_state(world, *rc::gen::inRange<std::uint64_t>(0, 40));
    const auto n = *rc::gen::inRange<std::size_t>(0, state.nodes.size());
    state.nodes[n].free[0] += *rc::gen::element<base::Amount>(-1, 1, 1000);
    RC_ASSERT(!model::broken_invariants(state).empty());
  });
}

}  // namespace
}  // namespace stint::property
