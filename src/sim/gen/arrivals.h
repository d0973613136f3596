// When people submit: a stream of rising times whose rate follows the hour, the day and the season.
//
// A unit-rate process is stretched by the cumulated rate (Cinlar 1975), in integers. The rate is
// steered by what is left, so that the last job comes near the end of the span.
//
// Threads  one owner.
#pragma once

#include <cstdint>
#include <vector>

#include "base/rng.h"
#include "sim/gen/gen_model.h"

namespace stint::sim {

// Whether some hour of a span of `hours` has a rate above 0.
[[nodiscard]] bool has_arrivals(const GenModel& model, std::int64_t hours);

class Arrivals {
 public:
  // `hours` is the length of the span. Requires has_arrivals().
  Arrivals(const GenModel& model, std::int64_t hours, std::uint64_t seed);

  // The next time in seconds, not before the last one and inside the span.
  //   jobs_left       jobs that are still to come, this submission included; above 0
  //   mean_jobs_q16   jobs that a submission brings on average, times 2^16
  [[nodiscard]] std::int64_t next(std::int64_t jobs_left, std::uint64_t mean_jobs_q16);

 private:
  std::vector<std::uint64_t> sums_;  // cumulated rate at the end of each hour
  std::size_t hour_ = 0;
  std::uint64_t at_ = 0;  // cumulated rate up to now
  base::Rng rng_;
};

}  // namespace stint::sim
