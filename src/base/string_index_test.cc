#include "base/string_index.h"

#include <utility>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stint::base {
namespace {

using ::testing::ElementsAre;

TEST(StringIndex, GivesIdsInOrderOfFirstUse) {
  StringIndex index;
  EXPECT_EQ(index.intern("zebra"), 0U);
  EXPECT_EQ(index.intern("ant"), 1U);
  EXPECT_EQ(index.intern("zebra"), 0U);
  EXPECT_EQ(index.size(), 2U);
  EXPECT_THAT(index.names(), ElementsAre("zebra", "ant"));
  EXPECT_EQ(index.name(1), "ant");
}

TEST(StringIndex, FindsOnlyWhatItKnows) {
  StringIndex index;
  index.intern("gpu");
  EXPECT_EQ(index.find("gpu"), 0U);
  EXPECT_EQ(index.find("gp"), std::nullopt);
  EXPECT_EQ(index.find("GPU"), std::nullopt);
  EXPECT_EQ(index.find(""), std::nullopt);
  EXPECT_EQ(index.intern(""), 1U);
  EXPECT_EQ(index.find(""), 1U);
}

TEST(StringIndex, KeepsIdsWhileItGrows) {
  StringIndex index;
  for (std::uint32_t i = 0; i < 10'000; ++i) EXPECT_EQ(index.intern(fmt::format("n{}", i)), i);
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    EXPECT_EQ(index.find(fmt::format("n{}", i)), i);
    EXPECT_EQ(index.name(i), fmt::format("n{}", i));
  }
}

TEST(StringIndex, CopiesAreIndependent) {
  StringIndex index;
  index.intern("a");
  StringIndex copy = index;
  copy.intern("b");
  EXPECT_EQ(index.find("b"), std::nullopt);
  EXPECT_EQ(copy.find("a"), 0U);
  index = copy;
  EXPECT_EQ(index.find("b"), 1U);
  const StringIndex moved = std::move(copy);
  EXPECT_EQ(moved.find("b"), 1U);
}

TEST(StringIndexDeathTest, RefusesAnIdItNeverGave) {
  StringIndex index;
  EXPECT_DEATH(static_cast<void>(index.name(0)), "id < names_.size()");
}

}  // namespace
}  // namespace stint::base
