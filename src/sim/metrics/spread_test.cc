#include "sim/metrics/spread.h"

#include <vector>

#include <gtest/gtest.h>

namespace stint::sim {
namespace {

TEST(Spread, IsStudentsIntervalAroundTheMean) {
  const Spread spread = spread_of(std::vector<double>{10, 12, 14});  // s = 2
  EXPECT_DOUBLE_EQ(spread.mean, 12);
  EXPECT_NEAR(spread.half.value(), 4.303 * 2 / 1.7320508, 1e-6);
  EXPECT_EQ(spread.count, 3U);
}

TEST(Spread, OfEqualValuesIsNothing) {
  EXPECT_DOUBLE_EQ(spread_of(std::vector<double>{0.5, 0.5, 0.5}).half.value(), 0);
}

TEST(Spread, OfOneValueIsUnknown) {
  EXPECT_FALSE(spread_of(std::vector<double>{7}).half);
  EXPECT_DOUBLE_EQ(spread_of(std::vector<double>{7}).mean, 7);
  EXPECT_EQ(spread_of({}).count, 0U);
}

TEST(Student, IsThatOfTheTables) {
  EXPECT_NEAR(student_95(1), 12.706, 5e-4);
  EXPECT_NEAR(student_95(20), 2.086, 5e-4);
  EXPECT_NEAR(student_95(21), 2.080, 5e-4);  // first by expansion
  EXPECT_NEAR(student_95(30), 2.042, 5e-4);
  EXPECT_NEAR(student_95(100), 1.984, 5e-4);
  EXPECT_NEAR(student_95(1'000'000), 1.960, 5e-4);
}

}  // namespace
}  // namespace stint::sim
