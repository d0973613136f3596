// What a bench has to say, as one line of JSON; tools/bench.py makes tables and verdicts of it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine.h"

namespace stint::bench {

// Numbers in the order in which they are to be shown.
using Numbers = std::vector<std::pair<std::string, double>>;

struct Result {
  std::string unit;
  std::vector<double> runs{};  // what one operation took on average, run by run
  std::vector<double> p99{};   // alike; empty where it says nothing
  Numbers counters{};          // per operation over all runs: noise-free
  Numbers others{};            // what else was seen
};

// Noise-free work between two moments.
class Work {
 public:
  explicit Work(const engine::Engine& engine);
  // What was done since, for each of so many operations.
  [[nodiscard]] Numbers per(const engine::Engine& engine, std::size_t operations) const;

 private:
  engine::Counters before_;
  std::uint64_t allocations_ = 0;
};

[[nodiscard]] std::string json_line(const std::string& name, const Result& result);

}  // namespace stint::bench
