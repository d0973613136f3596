#include "sim/metrics/envy.h"

#include <algorithm>

namespace stint::sim {

namespace {

constexpr base::Millis kStep = 6 * base::kHour;
constexpr std::size_t kPairsPerStep = 16384;

}  // namespace

void Envy::look(const engine::Engine& engine, std::span<const base::QueueId> backlog,
                base::Millis next) {
  if (backlog.size() < 2 || next <= next_) return;
  const engine::State& state = engine.state();
  const std::size_t resources = state.healthy.size();
  bundles_.clear();
  values_.clear();
  values_.reserve(2 * resources * backlog.size());  // spans into it stay valid
  for (const base::QueueId queue : backlog) {
    const engine::WaitingSum& waits = engine.waiting()[queue.index()];
    const auto weight = static_cast<double>(state.tree[queue].weight);
    if (waits.jobs == 0 || weight <= 0) continue;
    const double* const first = values_.data() + values_.size();
    for (const base::Amount asks : waits.asks) {
      values_.push_back(static_cast<double>(asks) / waits.jobs);
    }
    for (const base::Amount held : state.queues[queue.index()].now) {
      values_.push_back(static_cast<double>(held));
    }
    bundles_.push_back({{first, resources}, {first + resources, resources}, weight});
  }
  most_ = std::max(most_, envy(bundles_));
  const std::size_t pairs = bundles_.size() * bundles_.size();
  next_ = std::max(next_, state.now) + kStep * static_cast<base::Millis>(1 + pairs / kPairsPerStep);
}

}  // namespace stint::sim
