#include "sim/gen/quantiles.h"

#include <gtest/gtest.h>

#include "base/rng.h"
#include "sim/gen/fixed_point.h"

namespace stint::sim {
namespace {

using base::kHour;
using base::kMinute;
using base::kSecond;

constexpr std::uint32_t kHalf = 1U << 31U;

Quantiles sample(std::int64_t stretch_milli = 1000) {
  return Quantiles({{{0, kSecond}, {50'000, 10 * kMinute}, {100'000, 24 * kHour}}}, stretch_milli);
}

TEST(FixedPoint, KnowsThePowersOfTwo) {
  for (unsigned bit = 0; bit < 64; ++bit) {
    EXPECT_EQ(log2_q32(std::uint64_t{1} << bit), bit * kOneQ32);
  }
  EXPECT_EQ(divided_by_exp2(1024, 3 * kOneQ32), 128U);
  EXPECT_EQ(divided_by_exp2(1024, 0), 1024U);
}

TEST(FixedPoint, KnowsTheLogarithmOfThree) {
  // log2 3 = 1.5849625007211561..., times 2^32.
  EXPECT_EQ(log2_q32(3), 6'807'362'105U);
}

TEST(FixedPoint, DrawsExponentialVariatesOfMeanOne) {
  base::Rng rng(1);
  std::uint64_t sum = 0;
  std::uint64_t above_one = 0;
  constexpr std::uint64_t kDraws = 200'000;
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    const std::uint64_t draw = exponential_q32(rng.next());
    sum += draw >> 12U;
    above_one += draw > kOneQ32 ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(sum) / kDraws * 0x1p-20, 1.0, 0.01);
  EXPECT_NEAR(static_cast<double>(above_one) / kDraws, 0.3679, 0.005);  // 1 / e
}

TEST(FixedPoint, TakesTheEndsOfTheRange) {
  EXPECT_EQ(exponential_q32(~std::uint64_t{0}), 0U);
  EXPECT_NEAR(static_cast<double>(exponential_q32(0)) * 0x1p-32, 44.3614, 0.001);  // 64 ln 2
}

TEST(Quantiles, PassThroughTheGivenOnes) {
  const Quantiles q = sample();
  EXPECT_EQ(q.at(0), kSecond);
  EXPECT_EQ(q.at(kHalf), 10 * kMinute);
  EXPECT_NEAR(static_cast<double>(q.at(~0U)), 24.0 * kHour, 1000.0);
}

TEST(Quantiles, GrowGeometricallyBetweenThem) {
  // Half way from 1 s to 600 s is their geometric mean.
  EXPECT_NEAR(static_cast<double>(sample().at(kHalf / 2)), 24'494.9, 1.0);
}

TEST(Quantiles, NeverFall) {
  const Quantiles q = sample();
  base::Millis last = 0;
  for (std::uint32_t i = 0; i < 1U << 16U; ++i) {
    const base::Millis value = q.at(i << 16U);
    ASSERT_GE(value, last) << i;
    last = value;
  }
}

TEST(Quantiles, KnowTheirMean) {
  const Quantiles q = sample();
  base::Rng rng(3);
  double sum = 0;
  constexpr int kDraws = 400'000;
  for (int i = 0; i < kDraws; ++i) {
    sum += static_cast<double>(q.at(static_cast<std::uint32_t>(rng.next() >> 32U)));
  }
  EXPECT_NEAR(sum / kDraws / static_cast<double>(q.mean()), 1.0, 0.01);
}

TEST(Quantiles, StretchAllValues) {
  EXPECT_EQ(sample(2000).at(kHalf), 20 * kMinute);
  EXPECT_EQ(sample(1).at(0), 1);
}

TEST(Quantiles, CountOnlyWhatLiesInsideAWindow) {
  const Quantiles hour({{{0, kHour}, {100'000, kHour}}}, 1000);
  EXPECT_EQ(hour.mean(), kHour);
  EXPECT_EQ(hour.mean_inside(kHour), kHour / 2);
  EXPECT_EQ(hour.mean_inside(kHour / 2), kHour / 4);
  EXPECT_EQ(hour.mean_inside(10 * kHour), kHour - kHour / 20);
}

}  // namespace
}  // namespace stint::sim
