#include "sim/metrics/fairness.h"

#include <vector>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "engine/test_world.h"
#include "sim/metrics/formulas.h"

namespace stint::sim {
namespace {

using base::Amount;
using base::QueueId;

// Queues that hold and ask for random amounts of one resource.
class Crowd {
 public:
  explicit Crowd(base::Rng& rng) : world_({"gpu"}, {1'000'000}) {
    for (int q = 0; q < 8; ++q) {
      const QueueId id = world_.queue("q" + std::to_string(q));
      world_.tree[id].weight = static_cast<std::int64_t>(rng.below(4)) * model::kWeightOne;
      world_.tree[id].guarantee[0] = static_cast<Amount>(rng.below(3)) * 50'000;
      if (rng.below(3) == 0) world_.tree[id].limit[0] = 100'000 + world_.tree[id].guarantee[0];
    }
  }
  void change(base::Rng& rng, Fairness& fairness) {
    if (asks_.empty()) {
      world_.finish();
      asks_.resize(world_.state.queues.size());
    }
    const QueueId queue(1 + rng.below(8));
    world_.state.queues[queue.index()].now[0] =
        static_cast<Amount>(rng.below(3) * rng.below(200'000));
    asks_[queue.index()] = static_cast<Amount>(rng.below(2) * rng.below(300'000));
    fairness.changed(world_.state, queue, asks_[queue.index()]);
  }
  // By entitlements(), and Jain's index of the backlogged; less than 0 if fewer than two count.
  [[nodiscard]] double index() const {
    std::vector<Claimant> claimants;
    for (std::size_t q = 1; q < asks_.size(); ++q) {
      const model::Queue& queue = world_.state.tree.queues[q];
      const auto held = static_cast<double>(world_.state.queues[q].now[0]);
      claimants.push_back({static_cast<double>(world_.state.guarantees[q][0]),
                           static_cast<double>(queue.weight), held + static_cast<double>(asks_[q]),
                           static_cast<double>(queue.limit[0])});
    }
    const auto given = entitlements(static_cast<double>(world_.state.healthy[0]), claimants);
    std::vector<double> ratios;
    for (std::size_t q = 1; q < asks_.size(); ++q) {
      if (asks_[q] == 0 || given[q - 1] <= 0) continue;
      ratios.push_back(static_cast<double>(world_.state.queues[q].now[0]) / given[q - 1]);
    }
    return ratios.size() < 2 ? -1 : jain_index(ratios);
  }
  [[nodiscard]] engine::Engine engine() const { return engine::Engine(world_.state); }

 private:
  engine::TestWorld world_;
  std::vector<Amount> asks_;  // by QueueId
};

// The index goes from one state to the next by small steps; what it comes to is the definition.
TEST(Fairness, IsJainsIndexOfWhatTheDefinitionEntitlesTo) {
  base::Rng rng(1);
  int compared = 0;
  for (int world = 0; world < 200; ++world) {
    Crowd crowd(rng);
    Fairness fairness(base::ResourceId(0U));
    double sum = 0;
    int counted = 0;
    for (int step = 0; step < 40; ++step) {
      crowd.change(rng, fairness);
      fairness.add(crowd.engine(), 1);
      const double index = crowd.index();
      if (index < 0) continue;
      sum += index;
      ++counted;
      ASSERT_NEAR(fairness.index(), sum / counted, 1e-9) << "world " << world << " step " << step;
    }
    compared += counted;
  }
  EXPECT_GT(compared, 2000);
}

}  // namespace
}  // namespace stint::sim
