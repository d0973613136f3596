// What several runs of one configuration, such as one per seed, have in common: every headline
// number as mean ± half-width of its 95 % confidence interval.
//
// Pure text. A queue that only some runs know is averaged over those.
#pragma once

#include <span>
#include <string>

#include "sim/metrics/summary.h"

namespace stint::sim {

// The table per queue and the figures of the whole cluster. Requires a run.
[[nodiscard]] std::string spread_text(std::span<const Summary> runs);

// As metrics_json, with `{mean, half_width, runs}` in the place of every number; `half_width` is
// null for fewer than two runs. Requires a run.
[[nodiscard]] std::string spread_json(std::span<const Summary> runs);

}  // namespace stint::sim
