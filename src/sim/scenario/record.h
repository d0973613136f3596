// What the judge of a scenario needs to know that State does not keep: the order of starts, and
// breaches.
#pragma once

#include <string>
#include <vector>

#include "base/int128.h"
#include "model/invariants.h"
#include "sim/simulator.h"

namespace stint::sim {

class ScenarioRecord : public Observer {
 public:
  void started(const engine::Engine& engine, const engine::Start& start) override;
  void after_event(const engine::Engine& engine) override;
  void instant_ends(const engine::Engine& engine) override;

  // Jobs in the order of their first start.
  [[nodiscard]] const std::vector<JobId>& first_starts() const { return first_starts_; }
  // Each breach once, with the time at which it was first seen.
  [[nodiscard]] const std::vector<std::string>& breaches() const { return breaches_; }

 private:
  void note(const engine::Engine& engine, const std::vector<std::string>& found);

  std::vector<JobId> first_starts_;
  std::vector<std::string> seen_;
  std::vector<std::string> breaches_;
  model::LimitWatch limits_;
};

// GPU time that the runs of a queue's jobs have held up to now, net of lost work: thousandths of
// GPU × ms.
[[nodiscard]] base::i128 charged_gpu_ms(const engine::State& state, base::QueueId queue);

}  // namespace stint::sim
