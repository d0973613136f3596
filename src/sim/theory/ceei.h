// CEEI, competitive equilibrium from equal incomes: maximise Π tasks^weight. For comparison with
// DRF only: it rewards lies and is not population monotone (oracles.md 1.3).
//
// The optimum has no closed form, so this is numeric: each answer is within kCeeiTolerance
// (relative) of the true one, and the same on every machine. Nothing decides by it.
//
// Threads  pure.
//
//   ceei(problem).tasks;  // 4.0909…, 1.6363… where DRF says 3 and 2
#pragma once

#include <vector>

#include "sim/theory/drf_problem.h"

namespace stint::sim {

inline constexpr double kCeeiTolerance = 1e-9;

struct CeeiResult {
  std::vector<double> tasks;   // per user
  std::vector<double> shares;  // dominant share per user
  int iterations = 0;          // Newton steps taken
};

// Solves by a primal-dual interior-point method.
//   Shape     one entry per user. Users of weight 0, without demand, with no tasks, or asking for
//             something that has no capacity get 0; the rest is not handed out to them.
//   Requires  check_problem(problem).
//   Source    method: Boyd and Vandenberghe, Convex Optimization, 11.7; rows O-05, O-07, O-15.
[[nodiscard]] CeeiResult ceei(const DrfProblem& problem);

}  // namespace stint::sim
