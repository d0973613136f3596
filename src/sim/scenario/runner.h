// Runs a scenario and judges its expectations (DESIGN §6 `stint test`).
//
// The always-on invariants (I1, I2, I3, I5, I6) are checked after every event and pass of every
// scenario.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/digest.h"
#include "codec/scenario/scenario.h"
#include "engine/engine.h"
#include "sim/simulator.h"

namespace stint::sim {

// One expectation that did not come true, or an invariant that broke.
struct Failure {
  std::uint32_t line = 0;  // of the expectation; 0 for an invariant
  std::string text;        // what was expected, what was seen, and why
};

struct ScenarioReport {
  std::uint32_t passed = 0;
  std::vector<Failure> failures;
  base::Digest digest;  // of all decisions and the final State
};

[[nodiscard]] ScenarioReport run_scenario(const codec::Scenario& scenario);

// What happens in the scenario from outside, in file order.
[[nodiscard]] std::vector<Outside> outside_of(const codec::Scenario& scenario);

// The engine's State at the start of the scenario: its cluster, tree, policy, users and shapes.
[[nodiscard]] engine::State initial_state(const codec::Scenario& scenario);

}  // namespace stint::sim
