#include "base/assert.h"

#include <gtest/gtest.h>

namespace stint::base {
namespace {

TEST(Assert, EvaluatesATrueExpressionOnce) {
  int count = 0;
  STINT_ASSERT(++count == 1);
  EXPECT_EQ(count, 1);
}

TEST(AssertDeathTest, NamesTheExpressionAndThePlace) {
  const int usage = -1;
  EXPECT_DEATH(STINT_ASSERT(usage >= 0), "usage >= 0 \\(.*assert_test.cc:[0-9]+\\)");
}

}  // namespace
}  // namespace stint::base
