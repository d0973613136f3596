// Whole units out of fractions: Webster's divisor method (Sainte-Laguë).
//
// House monotone: one more unit never takes a unit from anybody. Largest remainder (Hamilton) is
// not (the Alabama paradox, oracles.md F17), so it must not be used for GPUs.
//
// Threads  pure.
//
//   webster_round(std::vector<Rational>{6, 6, 2}, 10);  // {5, 4, 1}
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/theory/rational.h"

namespace stint::sim {

// Divides `units` whole units in proportion to `amounts`.
//   Shape     one entry per amount; the sum is `units`, or 0 everywhere if all amounts are 0.
//   Requires  amounts >= 0, units >= 0.
//   Ties      the larger amount, then the smaller index.
//   Source    Balinski and Young, Fair Representation; rows O-18 and O-19.
[[nodiscard]] std::vector<std::int64_t> webster_round(std::span<const Rational> amounts,
                                                      std::int64_t units);

}  // namespace stint::sim
