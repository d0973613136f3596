#include "base/digest.h"

#include <set>

#include <gtest/gtest.h>

namespace stint::base {
namespace {

Digest of(std::initializer_list<std::uint64_t> values) {
  Digest digest;
  for (const std::uint64_t value : values) digest.add(value);
  return digest;
}

// Written down once: a change here makes every kept digest worthless.
TEST(Digest, IsTheSameNumberForEver) {
  EXPECT_EQ(Digest().hex(), "5374696e74313031");
  EXPECT_EQ(of({1, 2, 3}).hex(), "0cd0a6776327b778");
  Digest text;
  text.add_text("stint");
  text.add_signed(-1);
  EXPECT_EQ(text.hex(), "34ff739094f84b82");
}

TEST(Digest, DependsOnTheOrder) { EXPECT_NE(of({1, 2}).value(), of({2, 1}).value()); }

TEST(Digest, NoticesAZero) {
  EXPECT_NE(of({0}).value(), of({}).value());
  EXPECT_NE(of({0, 0}).value(), of({0}).value());
}

TEST(Digest, KnowsWhereATextEnds) {
  Digest one;
  one.add_text("ab");
  one.add_text("c");
  Digest other;
  other.add_text("a");
  other.add_text("bc");
  EXPECT_NE(one.value(), other.value());
}

TEST(Digest, ContinuesFromAKeptValue) {
  Digest resumed = Digest::resume(of({1, 2}).value());
  resumed.add(3);
  EXPECT_EQ(resumed.value(), of({1, 2, 3}).value());
}

TEST(Digest, HasSixteenDigits) { EXPECT_EQ(Digest::resume(10).hex(), "000000000000000a"); }

TEST(Digest, SpreadsNearbyValues) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t i = 0; i < 100'000; ++i) seen.insert(of({i, i + 1}).value());
  EXPECT_EQ(seen.size(), 100'000U);
}

}  // namespace
}  // namespace stint::base
