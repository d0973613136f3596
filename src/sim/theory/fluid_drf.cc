#include "sim/theory/fluid_drf.h"

#include <vector>

namespace stint::sim {

FluidResult fluid_drf(const DrfProblem& problem) {
  std::vector<Rational> measure;
  for (std::size_t i = 0; i < problem.users.size(); ++i) {
    measure.push_back(share_of_one_task(problem, i));
  }
  return fill_progressively(problem, measure);
}

}  // namespace stint::sim
