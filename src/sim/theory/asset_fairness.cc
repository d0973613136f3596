#include "sim/theory/asset_fairness.h"

#include <vector>

namespace stint::sim {

FluidResult asset_fairness(const DrfProblem& problem) {
  std::vector<Rational> measure;
  for (const DrfUser& user : problem.users) {
    Rational sum;
    for (std::size_t r = 0; r < problem.resources.size(); ++r) {
      if (problem.resources[r].capacity.is_zero()) continue;
      sum += user.demand[r] / problem.resources[r].capacity;
    }
    measure.push_back(sum);
  }
  return fill_progressively(problem, measure);
}

}  // namespace stint::sim
