// Small random worlds: a cluster, a quota tree, a policy, jobs and events, from a few seeds.
//
// What rapidcheck draws is a WorldSeed: one number per job and event, switches for what the world
// may use, and seeds for the rest. Dropping a job, an event or a switch leaves the others as they
// were, so a world that breaks a claim shrinks to a few jobs on plain queues. Times are round, so
// much happens at one instant.
//
// Invariants  1. the same seed gives the same world on every machine (base::Rng).  2. worlds are
// legal: what
//                is refused when a file is read does not occur.  3. text_of() gives the world as a
//                scenario file, to be run with `stint test`; of a policy applied in mid-run only
//                what it sets.
//
//   const World world = make_world(*some_seed());
//   show(world);                       // in the log of a claim that fails
//   sim::Simulator sim = simulator_of(world);
#pragma once

#include <array>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include <rapidcheck.h>

#include "codec/scenario/scenario.h"
#include "model/guarantees.h"
#include "sim/simulator.h"

namespace stint::property {

using base::Millis;

// What a world may use. A switch that is off makes it simpler.
enum class Part : std::uint8_t {
  CpuMemory,
  Models,
  Labels,
  Nested,
  Guarantees,
  Limits,
  Lend,
  Weights,
  QueuePriority,
  UserBlocks,
  PriorityScope,
  History,
  OtherOrder,
  Gangs,
  Fractions,
  JobPriority,
  Protected,
  TimeLimits,
  Checkpoints,
  Dependencies,
  StopsIn,
  LateJobs,
  Cancels,
  Holds,
  Failures,
  Drains,
  Applies,
  Restarts,
  // Not drawn by some_seed(): what is claimed of every instant does not hold with these.
  Cycle,
  SubmitFirst,
  SlowStops,     // many cancels of jobs that take their time to leave
  Reservations,  // a list with one reservation
};
inline constexpr std::size_t kPartsDrawn = 28;
inline constexpr std::size_t kParts = 32;

struct WorldSeed {
  std::uint64_t rest = 0;    // cluster, tree, policy
  std::uint32_t nodes = 1;   // some_seed() draws 1 to 6, more are legal
  std::uint32_t queues = 1;  // 1 to 8
  std::array<bool, kParts> uses{};
  std::vector<std::uint32_t> jobs;    // some_seed() draws up to 40
  std::vector<std::uint32_t> events;  // and up to 16

  [[nodiscard]] bool has(Part part) const { return uses[static_cast<std::size_t>(part)]; }
};

struct World {
  codec::Scenario scenario;
  // As written, for text_of(): of the scenario's own tree, then of every tree that is applied.
  std::vector<std::vector<model::GuaranteeRequest>> guarantees;
};

// One line for rapidcheck; show() gives the world itself.
void showValue(const WorldSeed& seed, std::ostream& out);

// Draws seeds; shrinks to fewer jobs, events, nodes, queues and parts.
[[nodiscard]] rc::Gen<WorldSeed> some_seed();

[[nodiscard]] World make_world(const WorldSeed& seed);

// The world as a scenario file.
[[nodiscard]] std::string text_of(const World& world);

// Writes the world into the log of the claim that is being tried.
void show(const World& world);

// A simulator of the world, at rest at time 0, with a reload for its restarts of the controller.
[[nodiscard]] sim::Simulator simulator_of(const World& world);
[[nodiscard]] sim::Simulator simulator_of(const World& world, std::vector<sim::Outside> outside);

// State through the bytes of a snapshot and back.
[[nodiscard]] model::State reloaded(const model::State& state);

// Everything that a run decided, in words: each start with its time and devices, each end, and how
// every job stands at last. Jobs are named by the index that `original` gives them (empty: their
// own).
class DecisionLog : public sim::Observer {
 public:
  explicit DecisionLog(std::vector<std::uint32_t> original = {}) : original_(std::move(original)) {}

  void started(const engine::Engine& engine, const engine::Start& start) override;
  void instant_ends(const engine::Engine& engine) override;
  [[nodiscard]] const std::string& text() const { return text_; }
  // The same, followed by how every job stands now.
  [[nodiscard]] std::string with_jobs(const engine::Engine& engine) const;
  // Times of all instants, in order.
  [[nodiscard]] const std::vector<Millis>& instants() const { return instants_; }

 private:
  [[nodiscard]] std::uint32_t original(base::JobId job) const;

  std::vector<std::uint32_t> original_;
  std::string text_;
  std::vector<Millis> instants_;
};

// The world run to rest (no later than kHorizon): all its decisions.
[[nodiscard]] std::string decisions_of(const World& world);

// Later than everything that happens in a world.
inline constexpr Millis kHorizon = 60 * base::kDay;

}  // namespace stint::property
