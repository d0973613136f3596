#include "base/rng.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace stint::base {
namespace {

// The first numbers of the seed 1234567, as in the public reference of splitmix64 (Vigna).
TEST(Rng, GivesThePublishedSequence) {
  Rng rng(1234567);
  EXPECT_EQ(rng.next(), 6457827717110365317U);
  EXPECT_EQ(rng.next(), 3203168211198807973U);
  EXPECT_EQ(rng.next(), 9817491932198370423U);
  EXPECT_EQ(rng.next(), 4593380528125082431U);
  EXPECT_EQ(rng.next(), 16408922859458223821U);
}

TEST(Rng, StaysBelowItsBoundAndReachesEveryNumber) {
  Rng rng(1);
  for (std::uint64_t bound = 1; bound <= 20; ++bound) {
    std::vector<bool> seen(bound);
    for (int i = 0; i < 1000; ++i) {
      const std::uint64_t drawn = rng.below(bound);
      ASSERT_LT(drawn, bound);
      seen[drawn] = true;
    }
    EXPECT_EQ(std::ranges::count(seen, true), static_cast<std::ptrdiff_t>(bound));
  }
}

// Three quarters of 2^64: `next() % bound` would give the lower third twice as often.
TEST(Rng, DrawsWithoutModuloBias) {
  constexpr std::uint64_t kBound = 0xc000000000000000U;
  Rng rng(2);
  std::array<int, 3> counts{};
  for (int i = 0; i < 30'000; ++i) ++counts[rng.below(kBound) / (kBound / 3)];
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 400);  // five standard deviations
}

TEST(Rng, DrawsBetweenBothEndsInclusive) {
  Rng rng(3);
  std::array<int, 7> counts{};
  for (int i = 0; i < 7000; ++i) ++counts[static_cast<std::size_t>(rng.between(-3, 3) + 3)];
  for (const int count : counts) EXPECT_NEAR(count, 1000, 150);
  EXPECT_EQ(rng.between(5, 5), 5);
}

TEST(Rng, GivesUnitsBelowOne) {
  Rng rng(4);
  double sum = 0;
  for (int i = 0; i < 10'000; ++i) {
    const double unit = rng.unit();
    ASSERT_TRUE(unit >= 0 && unit < 1);
    sum += unit;
  }
  EXPECT_NEAR(sum / 10'000, 0.5, 0.02);
}

TEST(Rng, ShufflesTheSameWayForTheSameSeed) {
  std::array<int, 8> items = {0, 1, 2, 3, 4, 5, 6, 7};
  auto again = items;
  Rng(5).shuffle(std::span<int>(items));
  Rng(5).shuffle(std::span<int>(again));
  EXPECT_EQ(items, again);
  EXPECT_FALSE(std::ranges::is_sorted(items));
  std::ranges::sort(items);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(items[static_cast<std::size_t>(i)], i);
}

TEST(Rng, ShufflesIntoEveryOrderAlike) {
  Rng rng(6);
  std::array<int, 6> counts{};
  for (int i = 0; i < 6000; ++i) {
    std::array<int, 3> items = {0, 1, 2};
    rng.shuffle(std::span<int>(items));
    ++counts[static_cast<std::size_t>(items[0] * 2 + (items[1] > items[2] ? 1 : 0))];
  }
  for (const int count : counts) EXPECT_NEAR(count, 1000, 150);
}

TEST(Rng, LeavesNothingAndOneThingAlone) {
  Rng rng(7);
  std::vector<int> none;
  rng.shuffle(std::span<int>(none));
  std::vector<int> one = {9};
  rng.shuffle(std::span<int>(one));
  EXPECT_EQ(one, std::vector<int>{9});
}

TEST(RngDeathTest, RefusesAnEmptyRange) {
  Rng rng(8);
  EXPECT_DEATH(static_cast<void>(rng.below(0)), "bound > 0");
  EXPECT_DEATH(static_cast<void>(rng.between(2, 1)), "low <= high");
}

}  // namespace
}  // namespace stint::base
