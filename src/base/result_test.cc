#include "base/result.h"

#include <memory>

#include <gtest/gtest.h>

namespace stint::base {
namespace {

Result<int> half_of(int value) {
  if (value % 2 != 0) return refuse("odd");
  return value / 2;
}
Result<int> quarter_of(int value) {
  STINT_TRY(const int half, half_of(value));
  STINT_TRY(const int quarter, half_of(half));
  return quarter;
}
Result<std::unique_ptr<int>> boxed(int value) {
  STINT_TRY(const int half, half_of(value));
  return std::make_unique<int>(half);
}
Result<int> unboxed(int value) {
  STINT_TRY(const std::unique_ptr<int> box, boxed(value));
  return *box;
}

TEST(Result, TryHandsOnTheValueOrTheError) {
  EXPECT_EQ(quarter_of(8), 2);
  EXPECT_EQ(quarter_of(6).error().message, "odd");
  EXPECT_EQ(quarter_of(5).error().message, "odd");
}

TEST(Result, TryMovesWhatCannotBeCopied) {
  EXPECT_EQ(unboxed(4), 2);
  EXPECT_FALSE(unboxed(5).has_value());
}

TEST(Result, EachCodeHasItsExitCode) {
  EXPECT_EQ(exit_code(ErrorCode::Usage), 64);
  EXPECT_EQ(exit_code(ErrorCode::Refused), 2);
  EXPECT_EQ(exit_code(ErrorCode::Failed), 1);
}

TEST(Result, RefusalsAndFailuresCarryTheirCode) {
  EXPECT_EQ(Result<int>(refuse("no")).error().code, ErrorCode::Refused);
  EXPECT_EQ(Result<int>(fail("no")).error().code, ErrorCode::Failed);
}

TEST(Result, WritesTheOutermostPlaceFirst) {
  EXPECT_EQ(to_string(Error{ErrorCode::Refused, "odd", {}}), "odd");
  EXPECT_EQ(to_string(Error{ErrorCode::Refused, "odd", {}}.in("line 3").in("a.yaml")),
            "a.yaml: line 3: odd");
}

}  // namespace
}  // namespace stint::base
