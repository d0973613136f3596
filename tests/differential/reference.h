// What must start now, by the rules alone (DESIGN §5.0-§5.4, §5.8; records 0001-0003): slow and
// obvious, so that it can be read beside them. It shares no code with the engine.
//
// Of State it believes what is configured, what was submitted and has happened, the runs and where
// they stand, and memory: `past`, `served`, `serial`. All else is counted anew from the runs.
// Threads  free of state.
#pragma once

#include <cstdint>
#include <vector>

#include "model/state.h"

namespace stint::differential {

struct Granted {
  base::JobId job;
  model::Placement placement;
};

// The starts of the passes at `now` >= before.now, in order.
[[nodiscard]] std::vector<Granted> reference_decide(const model::State& before, base::Millis now);

}  // namespace stint::differential
