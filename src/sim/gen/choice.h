// A draw among numbered things by whole weights.
//
// Threads  const after construction.
//
//   const Choice choice(std::vector<std::uint64_t>{3, 1});
//   choice.pick(rng)   // 0 three times out of four
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "base/rng.h"

namespace stint::sim {

class Choice {
 public:
  Choice() = default;
  // Requires a sum above 0 and below 2^63. A thing of weight 0 is never drawn.
  explicit Choice(std::vector<std::uint64_t> weights) : sums_(std::move(weights)) {
    std::uint64_t sum = 0;
    for (std::uint64_t& weight : sums_) weight = (sum += weight);
    STINT_ASSERT(sum > 0);
  }
  [[nodiscard]] std::size_t pick(base::Rng& rng) const {
    const std::uint64_t draw = rng.below(sums_.back());
    return static_cast<std::size_t>(std::upper_bound(sums_.begin(), sums_.end(), draw) -
                                    sums_.begin());
  }

 private:
  std::vector<std::uint64_t> sums_;
};

}  // namespace stint::sim
