// The parameters of the generator as text: for `--show`, and as a page of the reference.
//
// Threads  free of state.
#pragma once

#include <string>

#include "sim/gen/gen_plan.h"

namespace stint::sim {

// One parameter a line, `KEY=VALUE` as --set takes it, and what it means. The number that follows
// from the others is marked.
[[nodiscard]] std::string show_gen(const GenSettings& settings, const GenPlan& plan);

// docs/reference/gen.md: presets, and parameters with their values in each.
[[nodiscard]] std::string gen_reference_markdown();

}  // namespace stint::sim
