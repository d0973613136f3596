// The workloads. Each builds its world anew and is the same on every machine, times apart.
#pragma once

#include <cstddef>
#include <cstdint>

#include "result.h"

namespace stint::bench {

// How often: so many runs of so many operations. A run that takes longer than a few seconds ends
// early and says less; but not where it must be the same everywhere.
struct Effort {
  std::size_t runs = 5;
  std::size_t operations = 20'000;
  bool may_end_early = true;
};
// When on the wall clock a run that begins now is to end.
[[nodiscard]] std::int64_t end_of_run(const Effort& effort);

// One full decision on a cluster that is nine tenths full and where nobody waits: a job is added
// and submitted, decide() starts it. Runs end between the decisions; that is `end_us`.
[[nodiscard]] Result steady(std::int64_t nodes, const Effort& effort);

// The same with the cluster full and so many jobs waiting, below departments or (0)
// not: a run ends, a job is submitted, and what
// has room starts. Measured is the submission and decide().
[[nodiscard]] Result backlog(std::int64_t nodes, std::uint32_t departments, std::uint32_t waiting,
                             const Effort& effort);

// decide() on an empty cluster where so many jobs wait.
[[nodiscard]] Result cold(std::int64_t nodes, std::uint32_t waiting, std::size_t runs);

// decide() after one more submission to a full cluster: nothing can start.
[[nodiscard]] Result blocked(std::int64_t nodes, std::uint32_t waiting, const Effort& effort);

// A start or an end booked on its accounts, and the next pick of the turn; no placement. Every user
// waits.
struct Crowds {
  std::uint32_t departments = 0;  // 0: the queues stand below the root
  std::uint32_t queues = 100;
  std::uint32_t users = 100;  // of each queue
  bool guarantees = false;
};
[[nodiscard]] Result share(const Crowds& crowds, const Effort& effort);

// Heap bytes for each job that waits in the engine.
[[nodiscard]] Result memory_waiting(std::uint32_t jobs);
// Heap bytes for each job that is over, records for jobs.csv and all of the simulator included.
[[nodiscard]] Result memory_finished(std::uint32_t jobs);

// The event heap with so many items: the next one out, another in.
[[nodiscard]] Result heap(std::size_t items, const Effort& effort);

}  // namespace stint::bench
