#include "codec/scenario/names.h"

#include <gtest/gtest.h>

namespace stint::codec {
namespace {

TEST(Names, AStarStandsForAnyText) {
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("a.*", "a.12"));
  EXPECT_TRUE(matches("*.1", "a.1"));
  EXPECT_TRUE(matches("a*b*c", "aXbbYc"));
  EXPECT_FALSE(matches("a.*", "a"));
  EXPECT_FALSE(matches("a*b", "abc"));
  EXPECT_FALSE(matches("", "a"));
  EXPECT_TRUE(matches("*ab*ab", "aababab"));
}

TEST(Names, ANameStandsForAllOfItsCount) {
  JobNames names;
  EXPECT_TRUE(names.add("a", {0, 3}, true));
  EXPECT_TRUE(names.add("b", {3, 1}, false));
  EXPECT_FALSE(names.add("a.2", {4, 1}, false));
  EXPECT_FALSE(names.add("b", {4, 1}, true));
  EXPECT_EQ(names.find("a")->count, 3U);
  EXPECT_EQ(names.find("a.2")->first, 1U);
  EXPECT_EQ(names.match("*")->size(), 4U);
  EXPECT_FALSE(names.match("c*"));
}

}  // namespace
}  // namespace stint::codec
