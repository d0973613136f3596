#include "base/hostlist.h"

#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"

namespace stint::base {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string refusal(std::string_view text) {
  const auto result = expand_host_list(text);
  return result ? "accepted" : result.error().message;
}

TEST(HostList, TakesAPlainName) {
  EXPECT_THAT(*expand_host_list("n1"), ElementsAre("n1"));
  EXPECT_THAT(*expand_host_list("gpu-01.east_2"), ElementsAre("gpu-01.east_2"));
}

TEST(HostList, KeepsZeroPadding) {
  const auto names = expand_host_list("a[001-064]");
  ASSERT_EQ(names->size(), 64U);
  EXPECT_EQ(names->front(), "a001");
  EXPECT_EQ((*names)[9], "a010");
  EXPECT_EQ(names->back(), "a064");
}

TEST(HostList, CountsPastAPowerOfTenWithoutPadding) {
  EXPECT_THAT(*expand_host_list("n[9-11]"), ElementsAre("n9", "n10", "n11"));
  EXPECT_THAT(*expand_host_list("n[0-2]"), ElementsAre("n0", "n1", "n2"));
}

TEST(HostList, MixesNumbersAndRangesInABracket) {
  EXPECT_THAT(*expand_host_list("n[1,3-5]"), ElementsAre("n1", "n3", "n4", "n5"));
  EXPECT_THAT(*expand_host_list("n[1,01]"), ElementsAre("n1", "n01"));
}

TEST(HostList, TurnsTheLastBracketFastest) {
  EXPECT_THAT(*expand_host_list("r[1-2]n[01-02]x"),
              ElementsAre("r1n01x", "r1n02x", "r2n01x", "r2n02x"));
}

TEST(HostList, KeepsTheOrderOfItsItems) {
  EXPECT_THAT(*expand_host_list("y,x[2-3],a"), ElementsAre("y", "x2", "x3", "a"));
}

TEST(HostList, RefusesARangeThatRunsBackwards) {
  EXPECT_EQ(refusal("n[4-1]"), "bad host list \"n[4-1]\": the range 4-1 runs backwards");
}

TEST(HostList, RefusesBracketsThatDoNotMatch) {
  EXPECT_THAT(refusal("n[1-4"), AllOf(HasSubstr("host list \"n[1-4\""), HasSubstr("closed")));
  EXPECT_THAT(refusal("n1-4]"), HasSubstr("no [ before"));
  EXPECT_THAT(refusal("n[[1-4]]"), HasSubstr("no range"));
}

TEST(HostList, RefusesEmptyParts) {
  EXPECT_THAT(refusal(""), AllOf(HasSubstr("host list"), HasSubstr("empty")));
  EXPECT_THAT(refusal("n[]"), AllOf(HasSubstr("n[]"), HasSubstr("empty")));
  EXPECT_THAT(refusal("a,,b"), AllOf(HasSubstr("a,,b"), HasSubstr("missing")));
  for (const std::string text : {",a", "a,", ","}) EXPECT_THAT(refusal(text), HasSubstr("missing"));
  for (const std::string text :
       {"n[1-]", "n[-1]", "n[1,]", "n[1,,2]", "n[a-b]", "n[1-2-3]", "n[1 -2]"}) {
    EXPECT_THAT(refusal(text), AllOf(HasSubstr(text), HasSubstr("no range"))) << text;
  }
}

TEST(HostList, RefusesUnequalPadding) {
  EXPECT_THAT(refusal("n[01-100]"), AllOf(HasSubstr("01-100"), HasSubstr("write 001-100")));
  EXPECT_THAT(refusal("n[1-010]"), AllOf(HasSubstr("1-010"), HasSubstr("write 001-010")));
}

TEST(HostList, RefusesANameThatStandsTwice) {
  EXPECT_THAT(refusal("n1,n[1-2]"), AllOf(HasSubstr("\"n1\""), HasSubstr("twice")));
  EXPECT_THAT(refusal("n[1-3,2]"), HasSubstr("\"n2\""));
  // The same name by two ways of cutting it.
  EXPECT_THAT(refusal("n[1-11][1-11]"), HasSubstr("twice"));
}

TEST(HostList, RefusesBlanksAndGlobs) {
  for (const std::string text : {"n 1", "a, b", "n*", "n?", "n{1-4}", "n\t", "\"n\""}) {
    EXPECT_THAT(refusal(text), AllOf(HasSubstr("host list"), HasSubstr("may not stand"))) << text;
  }
}

TEST(HostList, EndsAtItsLargestSize) {
  EXPECT_EQ(expand_host_list("n[1-262144]")->size(), kHostListMax);
  EXPECT_THAT(refusal("n[1-262145]"), HasSubstr("more than 262144 names"));
  EXPECT_THAT(refusal("n[1-262144],x"), HasSubstr("more than 262144 names"));
  EXPECT_THAT(refusal("n[1-512]x[1-513]"), HasSubstr("more than 262144 names"));
  // 2^64 names.
  EXPECT_THAT(refusal("n[1-65536]a[1-65536]b[1-65536]c[1-65536]"), HasSubstr("more than 262144"));
  EXPECT_THAT(refusal("n[1-999999999999999999]"), HasSubstr("more than 262144 names"));
  EXPECT_THAT(refusal("n[1-9999999999999999999]"), HasSubstr("digits"));
}

TEST(HostList, EndsAtTheLongestName) {
  EXPECT_TRUE(expand_host_list(fmt::format("{:a>{}}[1-9]", "", kHostNameMax - 1)).has_value());
  EXPECT_THAT(refusal(fmt::format("{:a>{}}[1-10]", "", kHostNameMax - 1)),
              HasSubstr("longer than 255"));
  EXPECT_THAT(refusal(std::string(kHostNameMax + 1, 'a')), HasSubstr("longer than 255"));
}

TEST(HostList, AnyTextGivesDistinctNamesOrARefusal) {
  constexpr std::string_view kBytes = "an01239[[]]--,, *\xc3";
  Rng rng(5);
  int accepted = 0;
  for (int i = 0; i < 50'000; ++i) {
    std::string text;
    for (std::uint64_t n = rng.below(10); n > 0; --n) text += kBytes[rng.below(kBytes.size())];
    const auto names = expand_host_list(text);
    if (!names) {
      EXPECT_THAT(names.error().message, HasSubstr("host list"));
      continue;
    }
    ++accepted;
    EXPECT_EQ(std::set<std::string>(names->begin(), names->end()).size(), names->size()) << text;
    EXPECT_FALSE(names->empty());
  }
  EXPECT_GT(accepted, 500);
}

}  // namespace
}  // namespace stint::base
