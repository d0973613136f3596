#include "sim/metrics/envy.h"

#include <algorithm>
#include <vector>

#include "sim/metrics/formulas.h"

namespace stint::sim {

namespace {

constexpr std::size_t kPairsPerHour = 4096;

std::vector<double> doubles(const model::Amounts& amounts, double part) {
  std::vector<double> values;
  for (const base::Amount amount : amounts) values.push_back(static_cast<double>(amount) * part);
  return values;
}

}  // namespace

void Envy::look(const engine::Engine& engine, std::span<const base::QueueId> backlog,
                base::Millis next) {
  if (backlog.size() < 2 || next <= next_) return;
  const engine::State& state = engine.state();
  std::vector<Bundle> bundles;
  for (const base::QueueId queue : backlog) {
    const engine::WaitingSum& waits = engine.waiting()[queue.index()];
    const auto weight = static_cast<double>(state.tree[queue].weight);
    if (waits.jobs == 0 || weight <= 0) continue;
    bundles.push_back({doubles(waits.asks, 1.0 / waits.jobs),
                       doubles(state.queues[queue.index()].now, 1), weight});
  }
  most_ = std::max(most_, envy(bundles));
  const std::size_t pairs = bundles.size() * bundles.size();
  next_ = std::max(next_, state.now) +
          base::kHour * static_cast<base::Millis>(1 + pairs / kPairsPerHour);
}

}  // namespace stint::sim
