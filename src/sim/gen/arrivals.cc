#include "sim/gen/arrivals.h"

#include <algorithm>

#include "base/assert.h"
#include "base/int128.h"
#include "sim/gen/fixed_point.h"

namespace stint::sim {

using base::u128;

namespace {
// Parts of the smallest rate of an hour; 20 bits of hours, 30 of rate and these fit 64.
constexpr unsigned kPartBits = 12;

std::int64_t rate_of(const GenModel& model, std::size_t hour, std::size_t hours) {
  return model.hours[hour % 24] * model.week[hour / 24 % 7] *
         model.season[hour * model.season.size() / hours];
}

}  // namespace

bool has_arrivals(const GenModel& model, std::int64_t hours) {
  const auto count = static_cast<std::size_t>(hours);
  for (std::size_t hour = 0; hour < count; ++hour) {
    if (rate_of(model, hour, count) > 0) return true;
  }
  return false;
}

Arrivals::Arrivals(const GenModel& model, std::int64_t hours, std::uint64_t seed) : rng_(seed) {
  std::uint64_t sum = 0;
  const auto count = static_cast<std::size_t>(hours);
  sums_.reserve(count);
  for (std::size_t hour = 0; hour < count; ++hour) {
    const std::int64_t rate = rate_of(model, hour, count);
    sums_.push_back(sum += static_cast<std::uint64_t>(rate) << kPartBits);
  }
  STINT_ASSERT(sum > 0);
}

std::int64_t Arrivals::next(std::int64_t jobs_left, std::uint64_t mean_jobs_q16) {
  STINT_ASSERT(jobs_left > 0);
  const std::uint64_t left = sums_.back() - at_;
  const u128 mean_gap_q16 =
      static_cast<u128>(left) * mean_jobs_q16 / static_cast<std::uint64_t>(jobs_left);
  const u128 gap = (mean_gap_q16 * exponential_q32(rng_.next())) >> 48U;
  // The very end is not left to chance.
  at_ += static_cast<std::uint64_t>(std::min<u128>(gap, left - std::min<std::uint64_t>(left, 1)));
  while (sums_[hour_] <= at_ && hour_ + 1 < sums_.size()) ++hour_;
  const std::uint64_t begin = hour_ == 0 ? 0 : sums_[hour_ - 1];
  const std::uint64_t rate = sums_[hour_] - begin;
  const std::uint64_t part = std::min(at_ - begin, rate);
  const auto second =
      rate == 0 ? 0 : static_cast<std::int64_t>(static_cast<u128>(part) * 3600 / rate);
  return static_cast<std::int64_t>(hour_) * 3600 + std::min<std::int64_t>(second, 3599);
}

}  // namespace stint::sim
