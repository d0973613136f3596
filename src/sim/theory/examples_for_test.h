// Problems that several tests of the calculators share. Only tests include this.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/theory/drf_problem.h"

namespace stint::sim {

// Shorthand: capacities named r0, r1 …, users named a, b …, each ⟨demand per task⟩.
inline DrfProblem problem_of(const std::vector<Rational>& capacity,
                             const std::vector<std::vector<Rational>>& demands) {
  DrfProblem problem;
  for (std::size_t r = 0; r < capacity.size(); ++r) {
    problem.resources.push_back({"r" + std::to_string(r), capacity[r]});
  }
  for (std::size_t i = 0; i < demands.size(); ++i) {
    problem.users.push_back(
        {.name = std::string(1, static_cast<char>('a' + i)), .demand = demands[i]});
  }
  return problem;
}

// The worked example of the DRF paper: 9 CPU and 18 GB, ⟨1,4⟩ and ⟨3,1⟩ (oracles.md 1.3).
inline DrfProblem worked_example() {
  DrfProblem problem = problem_of({9, 18}, {{1, 4}, {3, 1}});
  problem.resources[0].name = "cpu";
  problem.resources[1] = {"memory", 18, "Gi"};
  return problem;
}

// `54/13 18/13`: exact numbers as one text, so that a failing test shows all of them.
inline std::string listed(const std::vector<Rational>& numbers) {
  std::string text;
  for (const Rational& number : numbers) {
    if (!text.empty()) text += ' ';
    text += number.to_string();
  }
  return text;
}

}  // namespace stint::sim
