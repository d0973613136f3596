// Watches a simulation and adds up what the summary needs.
//
// Sums over time are exact integers (base units × ms); division comes last.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/int128.h"
#include "sim/metrics/summary.h"
#include "sim/simulator.h"

namespace stint::sim {

// Takes finished pieces of text, such as lines of a file.
using TextSink = std::function<void(std::string_view)>;

class Collector : public Observer {
 public:
  explicit Collector(const engine::State& state);

  // Writes `timeline.csv` to `sink`: one row per queue at every multiple of `step`.
  void write_timeline(TextSink sink, Millis step);

  void time_passes(const engine::Engine& engine, Millis next) override;
  void instant_ends(const engine::Engine& engine) override;

  // Requires that the simulation is over.
  [[nodiscard]] Summary summary(const engine::Engine& engine) const;

 private:
  struct Sums {
    base::i128 held = 0;
    base::i128 borrowed = 0;
    base::i128 violation = 0;
    double lent = 0;
    double share = 0;
  };

  void add_lent(const engine::State& state, double span);
  void add_jain(const engine::Engine& engine, double span);
  void write_rows(const engine::Engine& engine, Millis t) const;

  base::ResourceId main_;
  std::vector<Sums> sums_;
  base::i128 available_ = 0;
  double jain_sum_ = 0;
  double jain_span_ = 0;
  double span_ = 0;
  std::optional<Millis> first_;
  TextSink timeline_;
  Millis step_ = 0;
  Millis next_sample_ = 0;
};

// The resource that reports are about.
[[nodiscard]] base::ResourceId main_resource(const model::Cluster& cluster);

}  // namespace stint::sim
