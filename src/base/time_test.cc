#include "base/time.h"

#include <array>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"

namespace stint::base {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string refusal(std::string_view text) {
  const auto result = parse_duration(text);
  return result ? "accepted" : result.error().message;
}

TEST(Duration, ReadsEachUnit) {
  EXPECT_EQ(parse_duration("3d"), 3 * kDay);
  EXPECT_EQ(parse_duration("2h"), 2 * kHour);
  EXPECT_EQ(parse_duration("10m"), 10 * kMinute);
  EXPECT_EQ(parse_duration("30s"), 30 * kSecond);
  EXPECT_EQ(parse_duration("250ms"), 250);
  EXPECT_EQ(parse_duration("0s"), 0);
}

TEST(Duration, ReadsSumsOfUnits) {
  EXPECT_EQ(parse_duration("1h30m"), 90 * kMinute);
  EXPECT_EQ(parse_duration("1d2h3m4s5ms"), kDay + 2 * kHour + 3 * kMinute + 4 * kSecond + 5);
  EXPECT_EQ(parse_duration("1m5ms"), kMinute + 5);
}

TEST(Duration, ReadsMoreOfAUnitThanTheNextOneHolds) {
  EXPECT_EQ(parse_duration("179m"), 2 * kHour + 59 * kMinute);
  EXPECT_EQ(parse_duration("150s"), 150 * kSecond);
  EXPECT_EQ(parse_duration("1d100h"), kDay + 100 * kHour);
}

TEST(Duration, TakesLeadingZerosForDecimal) { EXPECT_EQ(parse_duration("1h05m"), 65 * kMinute); }

TEST(Duration, RefusesABareNumber) {
  EXPECT_EQ(refusal("7"), "\"7\" is no duration: it lacks a unit (write 7d, 7h, 7m or 7s)");
  EXPECT_THAT(refusal("0"), AllOf(HasSubstr("\"0\""), HasSubstr("unit")));
  EXPECT_THAT(refusal("1h30"), AllOf(HasSubstr("\"1h30\""), HasSubstr("unit")));
  EXPECT_THAT(refusal("7 d"), AllOf(HasSubstr("\"7 d\""), HasSubstr("unit")));
}

TEST(Duration, RefusesClockNotationAndSaysWhatToWrite) {
  EXPECT_THAT(refusal("10:00:00"), AllOf(HasSubstr("10:00:00"), HasSubstr("write 10h, 10m")));
  EXPECT_THAT(refusal("1:30"), HasSubstr("clock"));
}

TEST(Duration, RefusesSignsAndFractions) {
  EXPECT_THAT(refusal("-5m"), AllOf(HasSubstr("-5m"), HasSubstr("negative")));
  EXPECT_THAT(refusal("+5m"), AllOf(HasSubstr("+5m"), HasSubstr("sign")));
  EXPECT_THAT(refusal("1.5h"), AllOf(HasSubstr("1.5h"), HasSubstr("whole")));
}

TEST(Duration, RefusesUnitsTwiceOrOutOfOrder) {
  EXPECT_THAT(refusal("30m1h"), AllOf(HasSubstr("30m1h"), HasSubstr("largest first")));
  EXPECT_THAT(refusal("1h1h"), HasSubstr("once"));
  EXPECT_THAT(refusal("5ms1s"), HasSubstr("largest first"));
}

TEST(Duration, RefusesUnknownUnitsByName) {
  EXPECT_THAT(refusal("5min"), AllOf(HasSubstr("\"min\""), HasSubstr("d, h, m, s, ms")));
  EXPECT_THAT(refusal("1w"), HasSubstr("\"w\""));
  EXPECT_THAT(refusal("5M"), HasSubstr("\"M\""));
}

TEST(Duration, RefusesWordsAndEmptyText) {
  EXPECT_THAT(refusal(""), HasSubstr("missing"));
  EXPECT_THAT(refusal("never"), AllOf(HasSubstr("never"), HasSubstr("no duration")));
  EXPECT_THAT(refusal("h"), HasSubstr("no duration"));
  EXPECT_THAT(refusal(" 5m"), HasSubstr("no duration"));
  EXPECT_THAT(refusal("5m "), HasSubstr("no duration"));
  EXPECT_THAT(refusal(".inf"), HasSubstr("no duration"));
}

TEST(Duration, EndsAtTheLongestSpan) {
  const std::string longest = format_duration(kSpanMax);
  EXPECT_EQ(parse_duration(longest), kSpanMax);
  EXPECT_EQ(parse_duration("4398046511104ms"), kSpanMax);
  EXPECT_THAT(refusal("4398046511105ms"), AllOf(HasSubstr("too long"), HasSubstr(longest)));
  EXPECT_THAT(refusal("50904d"), AllOf(HasSubstr("50904d"), HasSubstr(longest)));
  EXPECT_THAT(refusal("50903d24h"), HasSubstr("too long"));
  EXPECT_THAT(refusal("213503982335d"), HasSubstr("too long"));  // 2^64 ms and a few hours
  EXPECT_THAT(refusal("99999999999999999999999s"), HasSubstr("too long"));
}

TEST(Duration, FormatsTheShortestSum) {
  EXPECT_EQ(format_duration(0), "0s");
  EXPECT_EQ(format_duration(90 * kMinute), "1h30m");
  EXPECT_EQ(format_duration(kDay + 1), "1d1ms");
  EXPECT_EQ(format_duration(kNever), "never");
  EXPECT_EQ(format_duration(-90 * kSecond), "-1m30s");
  EXPECT_EQ(format_duration(std::numeric_limits<Millis>::min()).front(), '-');
}

TEST(Duration, FormatReadsBack) {
  Rng rng(1);
  for (int i = 0; i < 20'000; ++i) {
    const Millis span = rng.between(0, Millis{1} << rng.between(0, 42));
    EXPECT_EQ(parse_duration(format_duration(span)), span);
  }
}

// Bytes that durations are made of, and some that they are not: no text may crash the reader, and
// what it accepts must survive the way there and back.
TEST(Duration, AnyTextIsReadOrRefusedWithItsReason) {
  constexpr std::string_view kBytes = "0123456789dhms.:-+ex \x01\xc3";
  Rng rng(2);
  int accepted = 0;
  for (int i = 0; i < 50'000; ++i) {
    std::string text;
    for (std::uint64_t n = rng.below(7); n > 0; --n) text += kBytes[rng.below(kBytes.size())];
    const auto result = parse_duration(text);
    if (!result) {
      EXPECT_FALSE(result.error().message.empty());
      EXPECT_NE(result.error().message.back(), '.');
      continue;
    }
    ++accepted;
    EXPECT_EQ(parse_duration(format_duration(*result)), *result) << text;
  }
  EXPECT_GT(accepted, 500);
}

TEST(Later, SaturatesAtNever) {
  EXPECT_EQ(later(5, 7), 12);
  EXPECT_EQ(later(kNever, 1), kNever);
  EXPECT_EQ(later(1, kNever), kNever);
  EXPECT_EQ(later(kNever - 5, 5), kNever);
  EXPECT_EQ(later(kNever - 5, 6), kNever);
  EXPECT_EQ(later(kNever - 5, 4), kNever - 1);
}

}  // namespace
}  // namespace stint::base
