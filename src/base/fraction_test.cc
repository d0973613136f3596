#include "base/fraction.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "base/rng.h"

namespace stint::base {
namespace {

constexpr std::int64_t kMost = (std::int64_t{1} << 62) - 1;

TEST(Fraction, ComparesByValue) {
  EXPECT_LT((Fraction{1, 3}), (Fraction{1, 2}));
  EXPECT_EQ((Fraction{2, 4}), (Fraction{1, 2}));
  EXPECT_EQ((Fraction{0, 5}), (Fraction{0, 1}));
  EXPECT_GT((Fraction{3, 1}), (Fraction{5, 2}));
  EXPECT_EQ(Fraction{}, (Fraction{0, 7}));
}

// F7 (float32 shares) of the oracle page, one size up: a double holds these two as the same number.
TEST(Fraction, TellsApartWhatADoubleCannot) {
  const Fraction a{kMost - 1, kMost};
  const Fraction b{kMost - 2, kMost - 1};
  EXPECT_EQ(static_cast<double>(a.num) / static_cast<double>(a.den),
            static_cast<double>(b.num) / static_cast<double>(b.den));
  EXPECT_GT(a, b);
  EXPECT_LT(b, a);
}

// The case of F7 itself: as float32 both usages are one half.
TEST(Fraction, F7OrdersUsagesThatFloat32Merges) {
  EXPECT_GT((Fraction{1'000'000'001, 2'000'000'000}), (Fraction{1'000'000'000, 2'000'000'000}));
}

TEST(Fraction, ComparesAtTheLargestValuesWithoutOverflow) {
  EXPECT_GT((Fraction{kMost, 1}), (Fraction{kMost - 1, 1}));
  EXPECT_LT((Fraction{1, kMost}), (Fraction{1, kMost - 1}));
  EXPECT_GT((Fraction{kMost, 1}), (Fraction{1, kMost}));
}

// Small numbers give many ties, large ones many near misses.
std::vector<Fraction> some_fractions(Rng& rng) {
  std::vector<Fraction> fractions;
  for (int i = 0; i < 12; ++i) {
    const std::int64_t most = rng.below(2) == 0 ? 6 : kMost;
    const std::int64_t den = rng.between(std::max<std::int64_t>(1, most - 6), most);
    fractions.push_back({rng.between(std::max<std::int64_t>(0, den - 6), den), den});
  }
  return fractions;
}

TEST(Fraction, OrdersStrictlyAndTotally) {
  Rng rng(1);
  for (int world = 0; world < 500; ++world) {
    const std::vector<Fraction> all = some_fractions(rng);
    for (const Fraction& a : all) {
      EXPECT_FALSE(a < a);
      for (const Fraction& b : all) {
        EXPECT_EQ((a < b) + (b < a) + (a == b), 1);  // exactly one of the three
        for (const Fraction& c : all) {
          const bool before = a < b || a == b;
          const bool strictly = (a < b && !(c < b)) || (before && b < c);
          ASSERT_TRUE(!strictly || a < c);
          ASSERT_TRUE(!(a == b && b == c) || a == c);
        }
      }
    }
  }
}

}  // namespace
}  // namespace stint::base
