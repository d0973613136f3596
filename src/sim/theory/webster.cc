#include "sim/theory/webster.h"

#include <algorithm>

#include "base/assert.h"

namespace stint::sim {

namespace {

// Smallest whole number that is at least `value`.
std::int64_t ceiling(const Rational& value) { return -(Rational() - value).floor().to_int64(); }

// Who gets the next unit: the largest amount / (2 · units so far + 1).
std::size_t next_in_line(std::span<const Rational> amounts, std::span<const std::int64_t> so_far) {
  std::size_t best = 0;
  Rational best_claim;
  for (std::size_t i = 0; i < amounts.size(); ++i) {
    const Rational claim = amounts[i] / (2 * so_far[i] + 1);
    if (claim > best_claim || (claim == best_claim && amounts[i] > amounts[best])) {
      best = i;
      best_claim = claim;
    }
  }
  return best;
}

}  // namespace

std::vector<std::int64_t> webster_round(std::span<const Rational> amounts, std::int64_t units) {
  STINT_ASSERT(units >= 0);
  std::vector<std::int64_t> whole(amounts.size(), 0);
  Rational sum;
  for (const Rational& amount : amounts) {
    STINT_ASSERT(amount.sign() >= 0);
    sum += amount;
  }
  if (sum.is_zero()) return whole;
  // A start that spares most of the steps: with divisor sum / (units − n/2) every amount rounds to
  // at most quotient + 1/2, so the total is at most `units`, and it is what the steps would reach
  // anyway.
  const Rational houses =
      Rational(units) - Rational::ratio(static_cast<std::int64_t>(amounts.size()), 2);
  std::int64_t given = 0;
  if (houses.sign() > 0) {
    for (std::size_t i = 0; i < amounts.size(); ++i) {
      const Rational quotient = amounts[i] * houses / sum;
      whole[i] = std::max<std::int64_t>(0, ceiling(quotient - Rational::ratio(1, 2)));
      given += whole[i];
    }
  }
  for (; given < units; ++given) ++whole[next_in_line(amounts, whole)];
  return whole;
}

}  // namespace stint::sim
