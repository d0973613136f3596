#include "sim/theory/rational.h"

#include <utility>

#include <gtest/gtest.h>

namespace stint::sim {
namespace {

TEST(Rational, PrintsInLowestTermsAndWholeNumbersWithoutADenominator) {
  EXPECT_EQ(Rational::ratio(108, 26).to_string(), "54/13");
  EXPECT_EQ(Rational::ratio(9, 3).to_string(), "3");
  EXPECT_EQ(Rational::ratio(1, -2).to_string(), "-1/2");
  EXPECT_EQ(Rational().to_string(), "0");
}

TEST(Rational, AddsTenTenthsToExactlyOneAndTakesThemAwayToExactlyZero) {
  Rational sum;
  for (int k = 0; k < 10; ++k) sum += Rational::ratio(1, 10);
  EXPECT_EQ(sum, Rational(1));
  for (int k = 0; k < 10; ++k) sum -= Rational::ratio(1, 10);
  EXPECT_TRUE(sum.is_zero());
}

TEST(Rational, DoesNotOverflowWhereSixtyFourBitsWould) {
  const Rational big = Rational::ratio(std::int64_t{1} << 62, 3);
  EXPECT_EQ((big * big).to_string(), "21267647932558653966460912964485513216/9");
}

TEST(Rational, ComparesNeighboursThatAFloatCannotTellApart) {
  const Rational a = Rational::ratio(1'000'000'001, 2'000'000'000);
  const Rational b = Rational::ratio(1'000'000'000, 2'000'000'000);
  EXPECT_GT(a, b);
  EXPECT_EQ(static_cast<float>(a.to_double()), static_cast<float>(b.to_double()));
}

TEST(Rational, OrdersNegativesZeroAndPositives) {
  EXPECT_LT(Rational(-1), Rational());
  EXPECT_LT(Rational(), Rational::ratio(1, 7));
  EXPECT_GT(Rational::ratio(-1, 3), Rational::ratio(-1, 2));
}

TEST(Rational, FloorsTowardsMinusInfinity) {
  EXPECT_EQ(Rational::ratio(7, 2).floor(), Rational(3));
  EXPECT_EQ(Rational::ratio(-7, 2).floor(), Rational(-4));
  EXPECT_EQ(Rational(-4).floor(), Rational(-4));
}

TEST(Rational, WritesADecimalOnlyWhereItEnds) {
  EXPECT_EQ(Rational::ratio(63, 25).to_decimal(), "2.52");
  EXPECT_EQ(Rational::ratio(1, 1000).to_decimal(), "0.001");
  EXPECT_EQ(Rational::ratio(-5, 4).to_decimal(), "-1.25");
  EXPECT_EQ(Rational::ratio(1, 3).to_decimal(), "1/3");
  EXPECT_EQ(Rational(700).to_decimal(), "700");
}

TEST(Rational, RoundsHalfAwayFromZeroForReports) {
  EXPECT_EQ(Rational::ratio(54, 13).rounded(4), "4.1538");
  EXPECT_EQ(Rational::ratio(1, 2).rounded(0), "1");
  EXPECT_EQ(Rational::ratio(-1, 2).rounded(0), "-1");
  EXPECT_EQ(Rational().rounded(2), "0.00");
}

TEST(Rational, ReadsWhatItWrites) {
  for (const char* text : {"0", "3", "-2", "54/13", "1/2", "-1/2"}) {
    const auto value = Rational::parse(text);
    ASSERT_TRUE(value) << text;
    EXPECT_EQ(value->to_string(), text);
  }
  EXPECT_EQ(*Rational::parse("0.25"), Rational::ratio(1, 4));
  EXPECT_EQ(*Rational::parse("010"), Rational(10));  // not octal
}

TEST(Rational, RefusesWhatIsNoNumber) {
  for (const char* text :
       {"", "-", "1.", ".5", "1/0", "1e3", "1/-2", "0x10", " 1", "1.2.3", "nan"}) {
    EXPECT_FALSE(Rational::parse(text)) << text;
  }
  EXPECT_FALSE(Rational::parse(std::string(Rational::kTextMax + 1, '1')));
  EXPECT_TRUE(Rational::parse(std::string(Rational::kTextMax, '1')));
}

TEST(Rational, TakesTheExactValueOfADouble) {
  EXPECT_EQ(Rational::exactly(0.5), Rational::ratio(1, 2));
  EXPECT_EQ(Rational::exactly(-3.0), Rational(-3));
  EXPECT_EQ(Rational::exactly(0x1p70), Rational(1LL << 35) * (1LL << 35));
  EXPECT_EQ(Rational::exactly(0.1).to_string(), "3602879701896397/36028797018963968");
}

TEST(Rational, AgreesWithCrossProductsOnSmallFractions) {
  for (std::int64_t a = -4; a <= 4; ++a) {
    for (std::int64_t b = 1; b <= 4; ++b) {
      for (std::int64_t c = -4; c <= 4; ++c) {
        for (std::int64_t d = 1; d <= 4; ++d) {
          const Rational x = Rational::ratio(a, b);
          const Rational y = Rational::ratio(c, d);
          EXPECT_EQ((x + y).to_string(), Rational::ratio(a * d + c * b, b * d).to_string());
          EXPECT_EQ((x - y).to_string(), Rational::ratio(a * d - c * b, b * d).to_string());
          EXPECT_EQ((x * y).to_string(), Rational::ratio(a * c, b * d).to_string());
          if (c != 0) {
            EXPECT_EQ((x / y).to_string(), Rational::ratio(a * d, b * c).to_string());
          }
          EXPECT_EQ(x < y, a * d < c * b);
          EXPECT_EQ(x == y, a * d == c * b);
        }
      }
    }
  }
}

TEST(Rational, MayBeBothSidesOfAnOperation) {
  Rational x = Rational::ratio(3, 7);
  x += x;
  EXPECT_EQ(x.to_string(), "6/7");
  x *= x;
  EXPECT_EQ(x.to_string(), "36/49");
  x /= x;
  EXPECT_EQ(x.to_string(), "1");
  x -= x;
  EXPECT_EQ(x.to_string(), "0");
}

TEST(Rational, IsZeroAfterItWasMovedFrom) {
  Rational from = 5;
  const Rational to = std::move(from);
  EXPECT_EQ(to, Rational(5));
  EXPECT_TRUE(from.is_zero());  // NOLINT(bugprone-use-after-move): that is the promise
}

}  // namespace
}  // namespace stint::sim
