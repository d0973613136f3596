#include "base/suggest.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace stint::base {
namespace {

const std::vector<std::string> kKeys = {"guarantee", "limit",  "weight",   "gpu",
                                        "rack",      "vision", "half_life"};

TEST(DidYouMean, FindsTheKeyBehindASlip) {
  EXPECT_EQ(did_you_mean("gaurantee", kKeys), "guarantee");
  EXPECT_EQ(did_you_mean("gppu", kKeys), "gpu");
  EXPECT_EQ(did_you_mean("rak", kKeys), "rack");
  EXPECT_EQ(did_you_mean("visoin", kKeys), "vision");
  EXPECT_EQ(did_you_mean("wieght", kKeys), "weight");
  EXPECT_EQ(did_you_mean("half-life", kKeys), "half_life");
}

TEST(DidYouMean, IgnoresCase) { EXPECT_EQ(did_you_mean("GPU", kKeys), "gpu"); }

TEST(DidYouMean, CountsSwappedNeighboursAsOneSlip) {
  // Two replacements would be one too many for a word of four letters.
  EXPECT_EQ(did_you_mean("arck", kKeys), "rack");
}

TEST(DidYouMean, StaysSilentWhenNothingIsNear) {
  EXPECT_EQ(did_you_mean("memory", kKeys), std::nullopt);
  EXPECT_EQ(did_you_mean("guard", kKeys), std::nullopt);
  EXPECT_EQ(did_you_mean("", kKeys), std::nullopt);
  EXPECT_EQ(did_you_mean("gpu", {}), std::nullopt);
  EXPECT_EQ(did_you_mean(std::string(100'000, 'g'), kKeys), std::nullopt);
}

TEST(DidYouMean, AllowsAThirdOfTheWordAndThreeAtMost) {
  const std::vector<std::string> candidates = {"abcdefghijkl", "abcdef"};
  EXPECT_EQ(did_you_mean("abcdxy", candidates), "abcdef");              // two of six
  EXPECT_EQ(did_you_mean("abcxyz", candidates), std::nullopt);          // three of six
  EXPECT_EQ(did_you_mean("abcdefghixyz", candidates), "abcdefghijkl");  // three of twelve
  EXPECT_EQ(did_you_mean("abcdefghwxyz", candidates), std::nullopt);    // four of twelve
}

TEST(DidYouMean, SharesALetterWithTheWord) {
  const std::vector<std::string> one_letter = {"q"};
  EXPECT_EQ(did_you_mean("x", one_letter), std::nullopt);
  const std::vector<std::string> two_letters = {"q1"};
  EXPECT_EQ(did_you_mean("q", two_letters), "q1");
}

TEST(DidYouMean, PrefersTheNearestAndThenTheFirst) {
  const std::vector<std::string> candidates = {"train-b", "trains", "train-a", "train"};
  EXPECT_EQ(did_you_mean("trainz", candidates), "trains");
  EXPECT_EQ(did_you_mean("train-c", candidates), "train-b");
}

TEST(DidYouMean, PassesOverTheWordItself) {
  const std::vector<std::string> candidates = {"gpu", "gpus"};
  EXPECT_EQ(did_you_mean("gpu", candidates), "gpus");
}

}  // namespace
}  // namespace stint::base
