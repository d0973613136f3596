// Fluid dominant resource fairness: the exact division that the discrete loop approximates.
//
// Dominant shares over weights rise at one speed; the result is leximin. It is sharing incentive,
// envy-free, Pareto efficient and strategy-proof; it is NOT resource monotone, and population
// monotone only if everybody asks for everything (oracles.md 1.2).
//
//   const FluidResult fluid = fluid_drf(problem);
//   fluid.tasks[0].to_string();  // "3"
#pragma once

#include "sim/theory/drf_problem.h"
#include "sim/theory/filling.h"

namespace stint::sim {

// The fluid DRF division of `problem`.
//   Shape     one entry per user or resource, in the order of the problem.
//   Requires  check_problem(problem).
//   Source    DRF NSDI'11; oracles.md 1.1 and rows O-01, O-06 to O-15, O-77.
[[nodiscard]] FluidResult fluid_drf(const DrfProblem& problem);

}  // namespace stint::sim
