// Asset fairness: equal sums of shares over all resources. For comparison with DRF only: it breaks
// the sharing incentive (30 CPU and 30 GB, ⟨1,3⟩ and ⟨1,1⟩: the second user gets less
// than its half).
//
//   asset_fairness(problem).tasks;  // 63/25 and 54/25 where DRF says 3 and 2
#pragma once

#include "sim/theory/drf_problem.h"
#include "sim/theory/filling.h"

namespace stint::sim {

// Fills by Σ_r demand_r / capacity_r. `shares` of the result are dominant shares all the same.
//   Requires  check_problem(problem).
//   Source    DRF NSDI'11, section 5.1; oracles.md 1.1, rows O-04 and O-06.
[[nodiscard]] FluidResult asset_fairness(const DrfProblem& problem);

}  // namespace stint::sim
