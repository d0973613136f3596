// Clusters and crowds for the benches: equal nodes of 8 GPUs, a tree of departments, queues and
// users, jobs of 1 to 8 GPUs, all drawn from a fixed seed.
//
//   World world({.nodes = 10'000, .queues = 50, .users = 20});
//   world.submit();  // somebody's job
//   world.decide();
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/rng.h"
#include "engine/engine.h"

namespace stint::bench {

using base::JobId;
using base::Millis;

inline constexpr std::int64_t kGpusPerNode = 8;

struct Size {
  std::int64_t nodes = 0;
  std::uint32_t queues = 50;      // leaves
  std::uint32_t departments = 5;  // 0: leaves stand below the root
  std::uint32_t users = 20;       // of each leaf
  bool guarantees = true;         // of what stands below the root, limits as well
  std::int64_t gpus_least = 1;    // what jobs ask for
  std::int64_t gpus_most = 8;
};

class World {
 public:
  explicit World(const Size& size);

  // A job of a random user and size, at the present time; its decision is not taken yet.
  void submit();
  // … of that tenant, for so many GPUs. Tenants are numbered; each has one leaf.
  void submit(std::size_t tenant, std::int64_t gpus);
  [[nodiscard]] model::JobSpec spec_of(std::size_t tenant, std::int64_t gpus) const;
  [[nodiscard]] std::size_t tenants() const { return users_.size(); }
  // Ends a random run, and forgets its job as the simulator does. Requires a run.
  void end_one();
  // Decides at the present time; how many started.
  std::size_t decide();
  void let_pass(Millis ms) { now_ += ms; }

  // Submits and decides until that many thousandths of all GPUs are in use.
  void fill(std::int64_t milli);
  // Submits until so many wait, and nothing that waits can start.
  void crowd(std::uint32_t waiting);
  [[nodiscard]] bool is_above(std::int64_t milli) const;
  [[nodiscard]] std::uint32_t waiting() const { return engine_.waiting()[0].jobs; }

  [[nodiscard]] engine::Engine& engine() { return engine_; }
  [[nodiscard]] const engine::State& state() const { return engine_.state(); }
  [[nodiscard]] const Size& size() const { return size_; }

 private:
  Size size_;
  engine::Engine engine_;
  std::vector<base::QueueId> leaves_;
  std::vector<base::UserId> users_;
  std::vector<base::ShapeId> shapes_;  // by GPUs
  base::Rng rng_{1};
  base::ResourceId gpu_;
  std::int64_t gpus_ = 0;  // of the machine, in thousandths
  Millis now_ = 0;
};

}  // namespace stint::bench
