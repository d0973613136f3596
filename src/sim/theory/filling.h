// Progressive filling: all levels rise at one speed, and whoever meets a full resource stops.
//
// The one loop behind fluid DRF and asset fairness; they differ only in what one task adds to a
// user's level (oracles.md 1.1). A user's level is measure × tasks / weight.
//
// Invariants  1. exact: no fraction is rounded.
//             2. nobody is active at the end: each user is stopped by a full resource that it
//                needs, by having all its tasks, by asking for something that has no capacity, or
//                for nothing.
//             3. users of weight 0 are filled last, from what the others left, as if of weight 1.
// Threads     pure.
//
//   const FluidResult fluid = fluid_drf(problem);   // see fluid_drf.h
//   fluid.tasks[0].to_string();                     // "54/13"
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sim/theory/drf_problem.h"
#include "sim/theory/rational.h"

namespace stint::sim {

// Why a user's tasks stopped growing.
enum class FreezeCause {
  Saturated,   // a resource that it needs is full
  DemandMet,   // it has all its tasks
  Infeasible,  // it asks for something of which there is none
  NoDemand,    // it asks for nothing
};

// One stop of the rising level. Indexes are those of the problem.
struct FluidStep {
  Rational level;            // level reached by all active users: measure × tasks / weight
  bool is_leftover = false;  // users of weight 0 are being filled
  std::vector<std::size_t> saturated;  // resources that became full here
  std::vector<std::size_t> frozen;     // users stopped by a full resource
  std::vector<std::size_t> met;        // users that have all their tasks
  std::vector<Rational> tasks;         // of every user, at this moment
};

struct FluidResult {
  std::vector<Rational> tasks;         // per user
  std::vector<Rational> shares;        // dominant share per user, without the weight
  std::vector<FreezeCause> causes;     // per user
  std::vector<Rational> used;          // per resource
  std::vector<std::size_t> saturated;  // resources that are full at the end, in order
  std::vector<FluidStep> steps;
};

// Fills with `measure[i]` = what one task adds to the level of user i.
//   Requires  check_problem(problem), and a measure above zero for everybody who asks for anything.
//   Source    DRF NSDI'11, section 4.2, generalised to weights; oracles.md 1.1.
[[nodiscard]] FluidResult fill_progressively(const DrfProblem& problem,
                                             std::span<const Rational> measure);

}  // namespace stint::sim
