// What became of the time that runs held: work whose results survived, work that was lost, and the
// time that went into restarts and saves (oracles §8: goodput, preemption waste; DESIGN §8 I10).
//
// Exact, in base units × ms, run by run when a run ends:
//
//   held = useful + lost + overhead
//
// A run that ends by itself, or is cancelled by its owner, keeps all it has worked. One that is
// stopped for somebody else, or whose node fails, keeps what it has saved; lost is the time since
// then.
//
// Threads  one owner.
#pragma once

#include "base/int128.h"
#include "engine/engine.h"

namespace stint::sim {

using base::Millis;

class RunCosts {
 public:
  struct Sums {
    base::i128 useful = 0;
    base::i128 lost = 0;
    base::i128 overhead = 0;    // restarts, and saves
    base::i128 preemption = 0;  // lost by evictions, and the restarts that follow from them
    base::i128 failure = 0;     // the same by failed nodes
    [[nodiscard]] base::i128 held() const { return useful + lost + overhead; }
  };

  explicit RunCosts(base::ResourceId main) : main_(main) {}

  // The engine is about to be told `fact` at `now`; only what a run held from `from` on counts.
  void telling(const engine::Engine& engine, const engine::Event& fact, Millis now, Millis from);
  // With what the present runs have done so far, as if nothing of it were lost.
  [[nodiscard]] Sums sums(const engine::Engine& engine, Millis from) const;

 private:
  // How a run ended: what it had done by then, in spans of this run.
  struct Close {
    Millis kept = 0;  // work that survives
    Millis lost = 0;
  };
  static void add(Sums& sums, const engine::Engine& engine, const model::Run& run, Millis now,
                  Millis from, Close close, base::ResourceId main);
  void stopped(const engine::Engine& engine, const engine::RunStopped& fact, Millis now,
               Millis from);
  void node_failed(const engine::Engine& engine, base::NodeId node, Millis now, Millis from);

  base::ResourceId main_;
  Sums sums_;
};

}  // namespace stint::sim
