// Jain's index over time: how evenly those who wait are treated, measured by what each is entitled
// to (oracles §8).
//
// Counts while at least two leaves are backlogged; the index of each span is weighted by its
// length.
//
// Threads  one owner.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/engine.h"

namespace stint::sim {

class Fairness {
 public:
  explicit Fairness(base::ResourceId main) : main_(main) {}

  // The index as it stands holds for `span` ms.
  void add(const engine::Engine& engine, base::Millis span);
  // What a queue holds or asks for has changed; `asks` is what waits there.
  void changed(const engine::State& state, base::QueueId queue, base::Amount asks);

  // Leaves where something waits, in the order of their ids.
  [[nodiscard]] const std::vector<base::QueueId>& backlog() const { return backlog_; }
  [[nodiscard]] double index() const { return span_ > 0 ? sum_ / span_ : 1; }
  // Hours during which two queues were backlogged.
  [[nodiscard]] double hours() const { return span_ / 3.6e6; }

 private:
  struct Claim {  // of a queue that holds or asks for something, among its siblings
    base::QueueId queue;
    double sure = 0;  // min(guarantee, demand)
    double more = 0;  // what it wants beyond that, and may have
    double weight = 0;
  };
  struct Share {  // a queue's part of what its parent is entitled to
    double held = 0;
    base::QueueId parent;
    std::uint32_t place = 0;  // among the parent's claims
    bool claims = false;
    bool is_backlogged = false;
  };
  struct Level {  // a queue with children
    std::vector<Claim> claims;
    double height = 0;  // what each unit of weight was given beyond guarantees, the last time
  };

  void claim(base::QueueId parent, const Claim& claim, bool claims);
  void entitle(const engine::State& state, base::QueueId queue, double total);
  [[nodiscard]] static double height(const Level& level, double left);
  [[nodiscard]] static double given(const Level& level, const Share& share);
  [[nodiscard]] std::optional<double> present(const engine::Engine& engine);

  base::ResourceId main_;
  std::vector<Share> shares_;           // by QueueId
  std::vector<Level> levels_;           // by QueueId
  std::vector<base::QueueId> backlog_;  // backlogged leaves
  bool is_fresh_ = false;
  std::optional<double> index_;  // at present; none if fewer than two count
  double sum_ = 0;
  double span_ = 0;
};

}  // namespace stint::sim
