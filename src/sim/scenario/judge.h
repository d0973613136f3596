// Judges one expectation against the world as it stands.
#pragma once

#include <optional>
#include <string>

#include "codec/scenario/scenario.h"
#include "engine/engine.h"
#include "sim/scenario/record.h"

namespace stint::sim {

// Nothing if the expectation is true, else what was expected, what was seen, and why.
[[nodiscard]] std::optional<std::string> judge(const codec::Expectation& expectation,
                                               const engine::Engine& engine,
                                               const ScenarioRecord& record);

}  // namespace stint::sim
