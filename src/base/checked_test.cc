#include "base/checked.h"

#include <limits>

#include <gtest/gtest.h>

namespace stint::base {
namespace {

constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();

TEST(Checked, AddsUpToTheEdge) {
  EXPECT_EQ(checked_add(2, 3), 5);
  EXPECT_EQ(checked_add(kMost - 1, 1), kMost);
  EXPECT_EQ(checked_add(kLeast + 1, -1), kLeast);
  EXPECT_EQ(checked_add(kMost, kLeast), -1);
}

TEST(Checked, NoticesASumThatDoesNotFit) {
  EXPECT_EQ(checked_add(kMost, 1), std::nullopt);
  EXPECT_EQ(checked_add(kLeast, -1), std::nullopt);
  EXPECT_EQ(checked_add(kMost, kMost), std::nullopt);
}

TEST(Checked, MultipliesUpToTheEdge) {
  EXPECT_EQ(checked_mul(-4, 5), -20);
  EXPECT_EQ(checked_mul(kMost, 1), kMost);
  EXPECT_EQ(checked_mul(std::int64_t{1} << 31, std::int64_t{1} << 31), std::int64_t{1} << 62);
  EXPECT_EQ(checked_mul(-(std::int64_t{1} << 32), std::int64_t{1} << 31), kLeast);
}

TEST(Checked, NoticesAProductThatDoesNotFit) {
  EXPECT_EQ(checked_mul(std::int64_t{1} << 32, std::int64_t{1} << 31), std::nullopt);
  EXPECT_EQ(checked_mul(kLeast, -1), std::nullopt);
  EXPECT_EQ(checked_mul(kMost, 2), std::nullopt);
}

TEST(Checked, WorksAtCompileTime) {
  static_assert(checked_add(1, 2) == 3);
  static_assert(!checked_mul(kMost, kMost));
}

}  // namespace
}  // namespace stint::base
