// Doubles are welcome here: they check the integers, they do not decide anything.
#include "base/decay.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/rng.h"

namespace stint::base {
namespace {

constexpr Millis kWeek = 7 * kDay;
constexpr Fraction kIdle{0, 1};

double real(u128 value_q64) {
  return static_cast<double>(std::ldexp(static_cast<long double>(value_q64), -64));
}
long double exact_factor(Millis dt, Millis half_life) {
  return std::exp2(-static_cast<long double>(dt) / static_cast<long double>(half_life));
}
u128 distance(u128 a, u128 b) { return a > b ? a - b : b - a; }

// ---- the factor

TEST(DecayFactor, IsExactAtWholeHalfLives) {
  EXPECT_TRUE(decay_factor_q64(0, kDay) == kOneQ64);
  EXPECT_TRUE(decay_factor_q64(kDay, kDay) == kOneQ64 / 2);
  EXPECT_TRUE(decay_factor_q64(10 * kDay, kDay) == kOneQ64 / 1024);
  EXPECT_TRUE(decay_factor_q64(64 * kDay, kDay) == 1);
  EXPECT_TRUE(decay_factor_q64(64 * kDay + 1, kDay) == 0);
  EXPECT_TRUE(decay_factor_q64(200 * kDay, kDay) == 0);
}

TEST(DecayFactor, IsTheRootOfTwoAtHalfAHalfLife) {
  // floor(2^63.5) = 0xb504f333f9de6484 (OEIS A010503 times 2^64)
  EXPECT_LE(distance(decay_factor_q64(kHour, 2 * kHour), 0xb504f333f9de6484U), 1U);
}

TEST(DecayFactor, ErrsByLessThanItSays) {
  static_assert(std::numeric_limits<long double>::digits >= 64);
  Rng rng(1);
  for (int i = 0; i < 200'000; ++i) {
    const Millis half_life = rng.between(1, Millis{1} << rng.between(0, 62));
    const Millis dt = rng.between(0, half_life);
    const auto got = std::ldexp(static_cast<long double>(decay_factor_q64(dt, half_life)), -64);
    ASSERT_LT(std::abs(got - exact_factor(dt, half_life)), 0x1p-57L) << dt << " / " << half_life;
  }
}

TEST(DecayFactor, FallsStrictlyFromMillisecondToMillisecond) {
  Rng rng(2);
  for (const Millis half_life : {Millis{1}, Millis{3}, kSecond, kDay, kWeek, kSpanMax}) {
    for (int i = 0; i < 5000; ++i) {
      // Near whole and half half-lives many bits of the exponent turn over at once.
      const Millis around = half_life / 4 * rng.between(0, 12);
      const Millis dt = std::max<Millis>(0, around + rng.between(-3, 3));
      ASSERT_TRUE(decay_factor_q64(dt, half_life) > decay_factor_q64(dt + 1, half_life))
          << dt << " / " << half_life;
    }
  }
}

TEST(DecayFactor, KnowsTheTwoExtremesOfTheHalfLife) {
  EXPECT_TRUE(decay_factor_q64(kDay, kNever) == kOneQ64);
  EXPECT_TRUE(decay_factor_q64(kNever, kNever) == kOneQ64);
  EXPECT_TRUE(decay_factor_q64(1, 0) == 0);
  EXPECT_TRUE(decay_factor_q64(0, 0) == kOneQ64);
  EXPECT_TRUE(decay_factor_q64(kNever, 1) == 0);
}

TEST(Decayed, KeepsTheDigitsOfLargeValues) {
  // 2^40 after 50 half-lives and a half: a factor rounded to Q64 would keep 14 bits of it.
  const u128 left = decayed(kOneQ64 << 40U, 101 * kHour, 2 * kHour);
  EXPECT_NEAR(real(left) / std::exp2(-10.5), 1, 1e-13);
}

TEST(Decayed, KeepsTheOrderOfTwoValues) {
  Rng rng(3);
  for (int i = 0; i < 20'000; ++i) {
    const u128 small = static_cast<u128>(rng.next()) << rng.below(45);
    const u128 large = small + rng.below(4);
    const Millis dt = rng.between(0, 70 * kDay);
    ASSERT_TRUE(decayed(small, dt, kDay) <= decayed(large, dt, kDay));
  }
}

// ---- the oracles; the numbers are rows of the oracle table

TEST(DecayedSum, O35AThousandGpuHoursTwoHalfLivesLater) {
  DecayedSum sum;
  sum.charge(1000, 0, kWeek);
  EXPECT_TRUE(sum.value_at(14 * kDay, kWeek) == kOneQ64 * 250);
}

TEST(DecayedAverage, O37SamplesOfFiveMinutesReachTheAverage) {
  DecayedAverage past;
  for (const auto& [samples, want] : {std::pair{2016, 1.0}, {4032, 1.5}, {6048, 1.75}}) {
    while (past.at() < samples * 5 * kMinute) past.advance(past.at() + 5 * kMinute, {2, 1}, kWeek);
    EXPECT_NEAR(real(past.value()), want, 1e-12);
  }
}

TEST(DecayedSum, O38EightGpusForADay) {
  DecayedSum charged;  // GPU-seconds, charged each second
  for (Millis t = kSecond; t <= kDay; t += kSecond) charged.charge(8, t, kWeek);
  EXPECT_NEAR(real(charged.value()) / 3600, 182.800, 0.0005);
  EXPECT_NEAR(real(charged.value_at(kDay + kWeek, kWeek)) / 3600, 91.400, 0.0005);
}

TEST(DecayedAverage, O38TheAverageFormDiffersByHalfLifeOverLnTwo) {
  DecayedAverage past;
  past.advance(kDay, {8, 1}, kWeek);
  const double gpu_hours = 168 / std::log(2.0);
  EXPECT_NEAR(real(past.value()) * gpu_hours, 182.800, 0.0005);
  EXPECT_NEAR(real(past.value_at(kDay + kWeek, kIdle, kWeek)) * gpu_hours, 91.400, 0.0005);
}

TEST(DecayedAverage, O39AHundredCoresFromAHalf) {
  const DecayedAverage past(kOneQ64 / 2, 0);
  EXPECT_TRUE(past.value_at(24 * kHour, {100, 1}, kDay) == kOneQ64 * 201 / 4);  // 50.25
  EXPECT_TRUE(past.value_at(48 * kHour, {100, 1}, kDay) == kOneQ64 * 601 / 8);  // 75.125
}

TEST(DecayedSum, O46TheOrderOfTwoIdleUsersNeverTurns) {
  constexpr Millis kHalfLife = 168 * kHour;
  DecayedSum first;
  first.charge(1000, 0, kHalfLife);
  DecayedSum second;
  second.charge(600, 100 * kHour, kHalfLife);
  EXPECT_NEAR(real(first.value_at(100 * kHour, kHalfLife)), 661.9, 0.05);
  for (const Millis t : {100 * kHour, 500 * kHour}) {
    const u128 a = first.value_at(t, kHalfLife);
    const u128 b = second.value_at(t, kHalfLife);
    EXPECT_TRUE(a > b);
    EXPECT_NEAR(real(a) / real(b), 1.103225, 5e-7);
  }
}

TEST(DecayedAverage, O84OneTickEqualsTenThousand) {
  for (const Fraction rate :
       {Fraction{1, 1}, Fraction{1, 3}, Fraction{8, 100'000}, Fraction{5, 2}}) {
    for (const Millis half_life : {kHour, kDay, kWeek}) {
      DecayedAverage one(kOneQ64 / 7, 0);
      DecayedAverage many = one;
      one.advance(10'000 * 61'987, rate, half_life);
      for (int i = 1; i <= 10'000; ++i) many.advance(Millis{i} * 61'987, rate, half_life);
      EXPECT_NEAR(real(many.value()) / real(one.value()), 1, 1e-12);
    }
  }
}

TEST(DecayedAverage, O84HoldsForAnySplit) {
  Rng rng(4);
  for (int world = 0; world < 300; ++world) {
    const Fraction rate{rng.between(0, 1000), 1000};
    const Millis half_life = rng.between(kMinute, kWeek);
    const Millis end = rng.between(1, 3 * half_life);
    DecayedAverage one(static_cast<u128>(rng.next()), 0);
    DecayedAverage many = one;
    while (many.at() < end) {
      const Millis step = rng.between(0, std::max<Millis>(1, end >> rng.between(0, 8)));
      many.advance(std::min(end, many.at() + step), rate, half_life);
    }
    one.advance(end, rate, half_life);
    EXPECT_NEAR(real(many.value()), real(one.value()), 1e-12 * real(one.value()) + 1e-16);
  }
}

// C041: usage decayed to 1e-40 and a formula broke on it.
TEST(DecayedAverage, C041FourHundredHalfLivesIdleAreExactlyFresh) {
  DecayedAverage heavy;
  DecayedAverage light;
  heavy.advance(kHour, {8, 8}, kHour);
  light.advance(kHour, {1, 8}, kHour);
  DecayedAverage polled = heavy;
  u128 last = heavy.value();
  for (int hour = 1; hour <= 400; ++hour) {
    const Millis now = kHour + hour * kHour;
    polled.advance(now, kIdle, kHour);
    const u128 value = heavy.value_at(now, kIdle, kHour);
    EXPECT_TRUE(value <= last && value <= kOneQ64);
    EXPECT_TRUE(light.value_at(now, kIdle, kHour) <= value);  // the order stays, then it is a tie
    EXPECT_TRUE(polled.value() == value);                     // whole half-lives are exact
    last = value;
  }
  // 1/2 at the start: 2^-64 is reached after 63 half-lives, and half of it is 0.
  EXPECT_TRUE(heavy.value_at(kHour + 63 * kHour, kIdle, kHour) == 1);
  EXPECT_TRUE(heavy.value_at(kHour + 64 * kHour, kIdle, kHour) == 0);
  EXPECT_TRUE(heavy.value_at(kHour + 400 * kHour, kIdle, kHour) == DecayedAverage().value());
  EXPECT_TRUE(light.value_at(kHour + 400 * kHour, kIdle, kHour) == DecayedAverage().value());
}

// F21: increments below one unit must not be truncated away tick by tick.
TEST(DecayedAverage, F21SmallIncrementsAreNotLost) {
  for (const Fraction rate : {Fraction{1, 1}, Fraction{1, 100'000}, Fraction{1, 1'000'000'000}}) {
    DecayedAverage past;
    for (int i = 1; i <= 2016; ++i) past.advance(Millis{i} * 5 * kMinute, rate, kWeek);
    const double steady = static_cast<double>(rate.num) / static_cast<double>(rate.den);
    EXPECT_NEAR(real(past.value()) / steady, 0.5, 1e-6);
  }
  // The smallest rate that is not 0 arrives, even in steps of a millisecond.
  DecayedAverage past;
  for (Millis t = 1; t <= 2000; ++t) past.advance(t, {1, Millis{1} << 54}, kWeek);
  EXPECT_GT(past.value(), 0U);
}

// ---- the average

TEST(DecayedAverage, MovesToTheRateAndNeverPast) {
  Rng rng(5);
  for (int world = 0; world < 2000; ++world) {
    const Fraction rate{rng.between(0, 1000), rng.between(1, 1000)};
    const u128 target = (static_cast<u128>(rate.num) << 64U) / static_cast<u128>(rate.den);
    DecayedAverage past(static_cast<u128>(rng.next()) << rng.below(8), 0);
    for (int i = 0; i < 20; ++i) {
      const u128 before = past.value();
      past.advance(past.at() + rng.between(1, kDay), rate, kHour * rng.between(1, 100));
      ASSERT_EQ(past.value() < target, before < target && past.value() != target);
      ASSERT_TRUE(before == target ? past.value() == target
                                   : distance(past.value(), target) < distance(before, target));
    }
  }
}

TEST(DecayedAverage, StandsStillAtASteadyRate) {
  DecayedAverage past;
  past.advance(100'000 * kDay, {1, 3}, kDay);
  const u128 steady = past.value();
  EXPECT_TRUE(steady == (kOneQ64 / 3));
  for (int i = 0; i < 1000; ++i) past.advance(past.at() + 12'345, {1, 3}, kDay);
  EXPECT_TRUE(past.value() == steady);
}

TEST(DecayedAverage, GrowsWithTheRate) {
  Rng rng(6);
  for (int i = 0; i < 20'000; ++i) {
    const DecayedAverage past(rng.next(), 0);
    const std::int64_t num = rng.between(0, 999'999);
    const Millis now = rng.between(0, 10 * kDay);
    ASSERT_TRUE(past.value_at(now, {num, 1'000'000}, kDay) <=
                past.value_at(now, {num + 1, 1'000'000}, kDay));
  }
}

TEST(DecayedAverage, LookingAheadChangesNothing) {
  DecayedAverage past;
  past.advance(kHour, {1, 2}, kDay);
  const DecayedAverage before = past;
  const u128 seen = past.value_at(kDay, {1, 4}, kDay);
  EXPECT_EQ(past, before);
  past.advance(kDay, {1, 4}, kDay);
  EXPECT_TRUE(past.value() == seen);
  EXPECT_EQ(past.at(), kDay);
}

TEST(DecayedAverage, HasNoMemoryWithoutAHalfLife) {
  DecayedAverage past(kOneQ64, 0);
  EXPECT_TRUE(past.value_at(0, {1, 4}, 0) == kOneQ64 / 4);
  EXPECT_TRUE(past.value_at(kDay, kIdle, 0) == 0);
}

TEST(DecayedAverage, ChangesNothingInNoTime) {
  DecayedAverage past(kOneQ64 / 3, kHour);
  past.advance(kHour, {1, 1}, kDay);
  EXPECT_TRUE(past.value() == kOneQ64 / 3);
}

TEST(DecayedAverage, HoldsTheLargestShare) {
  constexpr std::int64_t kLargest = std::int64_t{1} << 44;
  DecayedAverage past;
  past.advance(kDay, {kLargest, 1}, kDay);
  EXPECT_TRUE(past.value() == static_cast<u128>(kLargest / 2) << 64U);
  past.advance(1000 * kDay, {kLargest, 1}, kDay);
  EXPECT_TRUE(past.value() == static_cast<u128>(kLargest) << 64U);
}

TEST(DecayedAverage, GoesOnFromASnapshot) {
  DecayedAverage past;
  past.advance(kHour, {3, 7}, kDay);
  DecayedAverage restored(past.value(), past.at());
  EXPECT_EQ(restored, past);
  restored.advance(kDay, {1, 7}, kDay);
  past.advance(kDay, {1, 7}, kDay);
  EXPECT_EQ(restored, past);
}

TEST(DecayedAverageDeathTest, RefusesToGoBack) {
  const DecayedAverage past(0, kHour);
  EXPECT_DEATH(static_cast<void>(past.value_at(kHour - 1, kIdle, kDay)), "now >= at_");
}

TEST(DecayedSum, AddsWhatIsLeftToTheCharge) {
  DecayedSum sum;
  sum.charge(100, kDay, kDay);
  sum.charge(10, 2 * kDay, kDay);
  EXPECT_TRUE(sum.value() == kOneQ64 * 60);
  EXPECT_EQ(sum.at(), 2 * kDay);
  EXPECT_EQ(DecayedSum(sum.value(), sum.at()), sum);
}

TEST(DecayedSum, SaturatesInsteadOfWrapping) {
  DecayedSum sum;
  for (int i = 0; i < 5; ++i) sum.charge(std::numeric_limits<std::int64_t>::max(), 0, kDay);
  EXPECT_TRUE(sum.value() == ~u128{0});
}

// ---- Q32

TEST(ToQ32, RoundsDownAndSaturates) {
  EXPECT_EQ(to_q32(kOneQ64), std::int64_t{1} << 32);
  EXPECT_EQ(to_q32(kOneQ64 - 1), (std::int64_t{1} << 32) - 1);
  EXPECT_EQ(to_q32(0xffffffffU), 0);
  EXPECT_EQ(to_q32(kOneQ64 << 30U), std::int64_t{1} << 62);
  EXPECT_EQ(to_q32(~u128{0}), std::int64_t{1} << 62);
}

}  // namespace
}  // namespace stint::base
