// What is always true of State (DESIGN §8): checked after every event in tests.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/state.h"

namespace stint::model {

// Breaches of I1 (nodes and devices), I3 (usage = recount) and I5 (gangs whole), each as one
// sentence that starts with its number. Empty: all hold.
[[nodiscard]] std::vector<std::string> broken_invariants(const State& state);

// I2 needs two moments: a limit may be exceeded only by usage that did not grow (the limit was
// lowered).
class LimitWatch {
 public:
  // Breaches of I2 since the last call.
  [[nodiscard]] std::vector<std::string> check(const State& state);

 private:
  // Nothing for an account that was not there, or had no limit, at the last check.
  std::vector<std::optional<Amounts>> queues_;
  std::vector<std::optional<Amounts>> tenants_;
};

}  // namespace stint::model
