// Why a job waits: exactly one primary reason from a closed list (DESIGN §5.9, precedence in §5.8).
//
// Threads  the owner of the engine: asking brings caches up to date.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/engine.h"

namespace stint::engine {

// In order of precedence. Reasons of parts that do not exist yet (claims, preemption,
// budgets, calendar) join here with those parts.
enum class Reason : std::uint8_t {
  None,           // it does not wait
  Impossible,     // not even the empty machine as configured could hold it
  Held,           // by an order
  NotBefore,      // its time has not come
  After,          // jobs that it waits for have not ended
  Limit,          // a limit on its path, or it would end too late for an earlier job at that limit
  GuaranteeOnly,  // protected work outside its own part
  Down,           // no healthy shape, or it would start if nodes that are down were up
  Turn,           // it fits, but others go first
  Reserved,       // it fits, but would delay one that has a reservation
  Domain,         // it would fit, but not in one domain of the level that it asks for
  Fragmented,     // enough is free in total, not where one task needs it
  Resources,      // too little is free
};

// The word of DESIGN §5.9, such as `guarantee-only`.
[[nodiscard]] std::string_view reason_word(Reason reason);

// Every word of the closed list, also those of parts to come: what a scenario's `why:` may say.
[[nodiscard]] bool is_reason_word(std::string_view word);

// The primary reason at state().now.
[[nodiscard]] Reason why_waiting(const Engine& engine, base::JobId job);

}  // namespace stint::engine
