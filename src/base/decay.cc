#include "base/decay.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#include "base/assert.h"

namespace stint::base {

namespace {

// 2^(-x) for x in [0, 1) is the product of 2^(-2^-i) over the bits i of x that are set. 32 factors
// are tabled. Of the other 32 bits y < 2^-32, and 2^(-y) = 1 - y ln 2 up to (y ln 2)^2 / 2 < 2^-65.
constexpr std::size_t kFactors = 32;

// ln 2 with 64 bits behind the point, rounded to nearest (OEIS A002162).
constexpr std::uint64_t kLn2Q64 = 0xb17217f7d1cf79acU;

// The root of `square`, rounded to nearest. Requires square < 2^128 - 2^64, so that the result
// fits 64 bits.
constexpr std::uint64_t root(u128 square) {
  std::uint64_t low = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 63U; bit != 0; bit >>= 1U) {
    const std::uint64_t candidate = low | bit;
    if (static_cast<u128>(candidate) * candidate <= square) low = candidate;
  }
  // (low + 1/2)^2 = low^2 + low + 1/4
  const u128 above = square - static_cast<u128>(low) * low;
  return above > low ? low + 1 : low;
}

// 2^(-1/2), 2^(-1/4), …: each the root of the one before. An error is halved by the next root, so
// that all are within one unit of 2^-64.
constexpr std::array<std::uint64_t, kFactors> make_factors() {
  std::array<std::uint64_t, kFactors> factors{};
  u128 square = u128{1} << 127U;
  for (std::uint64_t& factor : factors) {
    factor = root(square);
    square = static_cast<u128>(factor) << 64U;
  }
  return factors;
}

constexpr std::array<std::uint64_t, kFactors> kFactorsQ64 = make_factors();

constexpr std::uint64_t kHalfQ64 = std::uint64_t{1} << 63U;

// a * b, both at most 1 and not both 1, rounded to nearest.
constexpr u128 mul_nearest(u128 a, std::uint64_t b) { return (a * b + kHalfQ64) >> 64U; }

// value * factor, factor <= 1, rounded down.
constexpr u128 mul_down(u128 value, u128 factor) {
  if (factor == kOneQ64) return value;
  const u128 high = value >> 64U;
  const u128 low = static_cast<std::uint64_t>(value);
  return high * factor + (low * factor >> 64U);
}

// The products of the leading bits, so that no step is made twice.
constexpr unsigned kTabled = 10;
constexpr std::array<u128, std::size_t{1} << kTabled> make_products() {
  std::array<u128, std::size_t{1} << kTabled> products{};
  for (std::size_t bits = 0; bits < products.size(); ++bits) {
    u128 product = kOneQ64;
    for (unsigned i = 0; i < kTabled; ++i) {
      if ((bits >> (kTabled - 1 - i) & 1U) != 0) product = mul_nearest(product, kFactorsQ64[i]);
    }
    products[bits] = product;
  }
  return products;
}
constexpr std::array<u128, std::size_t{1} << kTabled> kProducts = make_products();

// 2^(-x) with x in [0, 1), 64 bits behind the point. In [1/2, 1]; at most 33 roundings and 32
// tabled errors of half a unit to one unit each, below 64 * 2^-64 together, and measured below
// 2^-60.
constexpr u128 exp2_minus(std::uint64_t x) {
  std::uint64_t high = x >> 32U;
  u128 product = kProducts[high >> (32U - kTabled)];
  high &= (std::uint64_t{1} << (32U - kTabled)) - 1;
  while (high != 0) {
    const auto lead = static_cast<unsigned>(std::countl_zero(high)) - 32;  // bit 2^-(lead + 1)
    product = mul_nearest(product, kFactorsQ64[lead]);
    high &= ~(std::uint64_t{1} << (31U - lead));
  }
  const std::uint64_t low = x & 0xffffffffU;
  const auto step = static_cast<std::uint64_t>(static_cast<u128>(low) * kLn2Q64 >> 64U);
  product -= product * step >> 64U;
  return std::max<u128>(product, kHalfQ64);
}

// A factor as 2^(-x) and a shift: small factors keep all their digits.
struct Decay {
  u128 mantissa_q64 = kOneQ64;
  Millis halvings = 0;
};

Decay decay_over(Millis dt, Millis half_life) {
  STINT_ASSERT(dt >= 0 && half_life >= 0);
  if (dt == 0 || half_life == kNever) return {};
  if (half_life == 0) return {0, 0};
  const auto rest = static_cast<u128>(dt % half_life);
  const u128 x = (rest << 64U) / static_cast<u128>(half_life);
  return {exp2_minus(static_cast<std::uint64_t>(x)), dt / half_life};
}

u128 apply(u128 value, const Decay& decay) {
  if (decay.halvings >= 128) return 0;
  return mul_down(value, decay.mantissa_q64) >> static_cast<unsigned>(decay.halvings);
}

u128 to_q64(Fraction rate) {
  STINT_ASSERT(rate.num >= 0 && rate.den > 0);
  return (static_cast<u128>(rate.num) << 64U) / static_cast<u128>(rate.den);
}

}  // namespace

u128 decayed(u128 value, Millis dt, Millis half_life) {
  return apply(value, decay_over(dt, half_life));
}

u128 decay_factor_q64(Millis dt, Millis half_life) { return decayed(kOneQ64, dt, half_life); }

std::int64_t to_q32(u128 value_q64) {
  constexpr u128 kMost = u128{1} << 62U;
  return static_cast<std::int64_t>(std::min(value_q64 >> 32U, kMost));
}

u128 DecayedAverage::value_at(Millis now, Fraction rate, Millis half_life) const {
  STINT_ASSERT(now >= at_);
  const u128 target = to_q64(rate);
  if (half_life == 0) return target;
  // The distance to the rate decays; this form has one rounding and the rate as its fixed point.
  if (value_ >= target) return target + decayed(value_ - target, now - at_, half_life);
  return target - decayed(target - value_, now - at_, half_life);
}

void DecayedAverage::advance(Millis now, Fraction rate, Millis half_life) {
  value_ = value_at(now, rate, half_life);
  at_ = now;
}

void DecayedSum::charge(std::int64_t amount, Millis at, Millis half_life) {
  STINT_ASSERT(amount >= 0);
  constexpr u128 kMost = ~u128{0};
  const u128 left = value_at(at, half_life);
  const u128 added = static_cast<u128>(amount) << 64U;
  value_ = added > kMost - left ? kMost : left + added;
  at_ = at;
}

u128 DecayedSum::value_at(Millis now, Millis half_life) const {
  STINT_ASSERT(now >= at_);
  return decayed(value_, now - at_, half_life);
}

}  // namespace stint::base
