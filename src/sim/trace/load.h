// From a trace to jobs of a State: queues mapped, users and shapes interned.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "codec/trace/trace.h"
#include "engine/engine.h"

namespace stint::sim {

struct LoadOptions {
  // `from -> to`, from `--queue-map`; a queue of the trace that is not named keeps its name.
  std::vector<std::pair<std::string, std::string>> queue_map;
  // Add queues that the tree lacks, flat and of weight 1.
  bool auto_queues = false;
};

// Adds the trace's queues (if allowed), users and shapes to `state` and returns its jobs in row
// order.
//   Errors  every queue that the tree lacks or that is no leaf, every column that this cluster
//   cannot honour
//           (gpu without GPUs is no error: the job is impossible), all at once.
[[nodiscard]] base::Result<std::vector<model::JobSpec>> load_jobs(const codec::Trace& trace,
                                                                  const LoadOptions& options,
                                                                  engine::State& state);

// Reads a queue map: one `from to` (or `from,to`) per line, `#` comments.
[[nodiscard]] base::Result<std::vector<std::pair<std::string, std::string>>> read_queue_map(
    std::string_view text, std::string_view file);

}  // namespace stint::sim
