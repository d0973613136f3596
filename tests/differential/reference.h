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

// Which jobs count as tried in a pass once one was found unable to start. By the words of DESIGN
// §5.8 that job alone (EachJob). The engine also passes over those known to fail for the same
// reason: all of a shape that found no nodes, and the same user's of a shape that a limit, lending
// or a model's quota stopped (KnownMisfits). In one world of 150 that decides otherwise:
// tests/scenarios/bugs/0009 and 0010.
enum class Reading : std::uint8_t { KnownMisfits, EachJob };

// The starts of the passes at `now` >= before.now, in order.
[[nodiscard]] std::vector<Granted> reference_decide(const model::State& before, base::Millis now,
                                                    Reading reading = Reading::KnownMisfits);

}  // namespace stint::differential
