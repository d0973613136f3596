// Whether every id in a State that came from bytes points at something, so that using it is safe.
#pragma once

#include <string>

#include "model/state.h"

namespace stint::codec {

// The first inconsistency in words, empty if there is none.
[[nodiscard]] std::string inconsistency(const model::State& state);

}  // namespace stint::codec
