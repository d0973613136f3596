// A reservation: the earliest instant at which a waiting job fits, by the time limits of what runs,
// on named nodes (DESIGN §5.5).
//
// Source   backfilling: Lifka, The ANL/IBM SP scheduling system (1995), there with a count of
//          processors, here node by node and over all resources.
// Threads  const on State.
#pragma once

#include <map>
#include <optional>

#include "engine/placement/place.h"
#include "engine/turn/runs_by_limit.h"
#include "model/state.h"

namespace stint::engine {

struct Slot {
  JobId job;
  Millis start = 0;
  model::Placement nodes;
  // What will be free on them at its start, before it takes its part.
  FreeOn then;
};

// The job's earliest start; none if it cannot be computed, because what runs in its way has no
// limit. Requires that it does not fit now.
[[nodiscard]] std::optional<Slot> earliest_slot(const State& state, const RunsByLimit& by_limit,
                                                JobId job);

// Where `shape`, held from now on beyond the slot's start, may go so that the slot's job starts no
// later: where it would go anyway, or beside what the slot needs, or where it would go anyway with
// the slot on other nodes. Moves the slot as needed, as if the shape had been started.
[[nodiscard]] std::optional<model::Placement> place_beside(const State& state,
                                                           const RunsByLimit& by_limit,
                                                           const model::Shape& shape,
                                                           model::Placement wanted, Slot& slot);

}  // namespace stint::engine
