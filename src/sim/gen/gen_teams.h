// The quota tree of a generated world. Internal to sim/gen.
#pragma once

#include "base/result.h"
#include "sim/gen/gen_plan.h"

namespace stint::sim {

// Weights 1 / i^exponent of places 1 to `count`, scaled to 2^30 for the first.
//   Source  Zipf (1949), with an integer power: fixed_point.h.
[[nodiscard]] std::vector<std::uint64_t> zipf(std::int64_t count, std::int64_t exponent_milli);

// Fills orgs, teams and users of a plan whose model, gpus and node_gpus are there.
//   Errors  lists of other length than there are teams, more guests than teams, more orgs than
//           teams.
[[nodiscard]] base::Result<void> add_teams(GenPlan& plan, const GenSettings& settings);

}  // namespace stint::sim
