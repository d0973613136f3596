#include "base/amount.h"

#include <limits>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"

namespace stint::base {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string count_refusal(std::string_view text) {
  const auto result = parse_count(text);
  return result ? "accepted" : result.error().message;
}
std::string memory_refusal(std::string_view text) {
  const auto result = parse_memory(text);
  return result ? "accepted" : result.error().message;
}

TEST(Count, ReadsThousandths) {
  EXPECT_EQ(parse_count("8"), 8 * kUnit);
  EXPECT_EQ(parse_count("0"), 0);
  EXPECT_EQ(parse_count("0.5"), 500);
  EXPECT_EQ(parse_count("0.001"), 1);
  EXPECT_EQ(parse_count("1.25"), 1250);
  EXPECT_EQ(parse_count("100"), 100 * kUnit);
}

TEST(Count, IgnoresZerosBehindTheLastDigit) {
  EXPECT_EQ(parse_count("0.50000"), 500);
  EXPECT_EQ(parse_count("8.0"), 8 * kUnit);
}

TEST(Count, RefusesNegativeAmounts) {
  EXPECT_THAT(count_refusal("-4"), AllOf(HasSubstr("-4"), HasSubstr("negative")));
  EXPECT_THAT(count_refusal("-0.5"), AllOf(HasSubstr("-0.5"), HasSubstr("negative")));
  EXPECT_THAT(count_refusal("-0"), HasSubstr("negative"));
}

TEST(Count, RefusesWhatIsNotANumber) {
  for (const std::string text :
       {".nan", ".inf", "-.inf", "nan", "inf", "yes", "-", ".", "~", " 8", "x8"}) {
    EXPECT_THAT(count_refusal(text), AllOf(HasSubstr(text), HasSubstr("not a number")));
  }
  for (const std::string text :
       {"8 ", "8Gi", "500m", "1,000", "1_000", "1.2.3", "8%", "2e", "1h"}) {
    EXPECT_THAT(count_refusal(text), AllOf(HasSubstr(text), HasSubstr("not a number")));
  }
}

TEST(Count, RefusesOtherWaysToWriteANumber) {
  EXPECT_THAT(count_refusal("1e3"), AllOf(HasSubstr("1e3"), HasSubstr("exponent")));
  EXPECT_THAT(count_refusal("1.5E+3"), AllOf(HasSubstr("1.5E+3"), HasSubstr("exponent")));
  EXPECT_THAT(count_refusal("0x1F"), AllOf(HasSubstr("0x1F"), HasSubstr("hexadecimal")));
  EXPECT_THAT(count_refusal("010"), AllOf(HasSubstr("010"), HasSubstr("leading zeros")));
  EXPECT_THAT(count_refusal("00.5"), HasSubstr("leading zeros"));
  EXPECT_THAT(count_refusal("+4"), AllOf(HasSubstr("+4"), HasSubstr("sign")));
  EXPECT_THAT(count_refusal(".5"), AllOf(HasSubstr(".5"), HasSubstr("point")));
  EXPECT_THAT(count_refusal("5."), AllOf(HasSubstr("5."), HasSubstr("point")));
  EXPECT_THAT(count_refusal(""), HasSubstr("empty"));
}

TEST(Count, RefusesFinerThanAThousandth) {
  EXPECT_THAT(count_refusal("0.0000001"), AllOf(HasSubstr("0.0000001"), HasSubstr("thousandth")));
  EXPECT_THAT(count_refusal("1.0005"), HasSubstr("thousandth"));
}

TEST(Count, EndsAtTheLargestAmount) {
  EXPECT_EQ(parse_count("17592186044.416"), kAmountMax);
  EXPECT_THAT(count_refusal("17592186044.417"),
              AllOf(HasSubstr("17592186044.417"), HasSubstr("at most 17592186044.416")));
  EXPECT_THAT(count_refusal("17592186045"), HasSubstr("too large"));
  EXPECT_THAT(count_refusal(std::string(60, '9')), HasSubstr("too large"));
}

TEST(Memory, ReadsBinaryUnits) {
  EXPECT_EQ(parse_memory("64Mi"), 64);
  EXPECT_EQ(parse_memory("512Gi"), 512 * 1024);
  EXPECT_EQ(parse_memory("2Ti"), 2 * 1024 * 1024);
  EXPECT_EQ(parse_memory("1Pi"), 1024 * 1024 * 1024);
  EXPECT_EQ(parse_memory("0Gi"), 0);
}

TEST(Memory, ReadsDecimalsThatGiveWholeMebibytes) {
  EXPECT_EQ(parse_memory("1.5Gi"), 1536);
  EXPECT_EQ(parse_memory("0.0009765625Gi"), 1);
  EXPECT_EQ(parse_memory("0.125Ti"), 128 * 1024);
  // 2^-30 has thirty decimal digits.
  EXPECT_EQ(parse_memory("0.000000000931322574615478515625Pi"), 1);
  EXPECT_EQ(parse_memory("0.999999999068677425384521484375Pi"), (1 << 30) - 1);
  for (const std::string text :
       {"0.3Gi", "0.5Mi", "0.00048828125Gi", "0.1Pi", "1.0000000000000000000000000000000005Pi"}) {
    EXPECT_THAT(memory_refusal(text), AllOf(HasSubstr(text), HasSubstr("whole number of MiB")));
  }
}

TEST(Memory, ReadsKibibytesOnlyInWholeMebibytes) {
  EXPECT_EQ(parse_memory("1024Ki"), 1);
  EXPECT_EQ(parse_memory("3072Ki"), 3);
  EXPECT_THAT(memory_refusal("1000Ki"), AllOf(HasSubstr("1000Ki"), HasSubstr("MiB")));
  EXPECT_THAT(memory_refusal("1024.5Ki"), HasSubstr("MiB"));
}

TEST(Memory, RefusesABareNumber) {
  EXPECT_THAT(memory_refusal("512"),
              AllOf(HasSubstr("\"512\""), HasSubstr("unit"), HasSubstr("512Gi")));
  EXPECT_THAT(memory_refusal("0"), HasSubstr("unit"));
}

TEST(Memory, HintsAtBinaryUnitsForOtherSpellings) {
  for (const std::string text : {"512GB", "512GiB", "512G", "512gi", "512gb"}) {
    EXPECT_THAT(memory_refusal(text), AllOf(HasSubstr(text), HasSubstr("write GiB as Gi")));
  }
  EXPECT_THAT(memory_refusal("512MB"), HasSubstr("write MiB as Mi"));
  EXPECT_THAT(memory_refusal("1Xi"), AllOf(HasSubstr("\"Xi\""), HasSubstr("Mi, Gi")));
  EXPECT_THAT(memory_refusal("1 Gi"), HasSubstr("1 Gi"));
}

TEST(Memory, RefusesTheSameNumbersAsCounts) {
  EXPECT_THAT(memory_refusal("-1Gi"), AllOf(HasSubstr("-1Gi"), HasSubstr("negative")));
  EXPECT_THAT(memory_refusal(".nan"), HasSubstr("not a number"));
  EXPECT_THAT(memory_refusal("Gi"), HasSubstr("not a number"));
  EXPECT_THAT(memory_refusal("1e3Gi"), HasSubstr("exponent"));
  EXPECT_THAT(memory_refusal("010Gi"), HasSubstr("leading zeros"));
  EXPECT_THAT(memory_refusal(""), HasSubstr("empty"));
}

TEST(Memory, EndsAtTheLargestAmount) {
  EXPECT_EQ(parse_memory("16384Pi"), kAmountMax);
  EXPECT_EQ(parse_memory("17592186044416Mi"), kAmountMax);
  EXPECT_EQ(parse_memory("18014398509481984Ki"), kAmountMax);
  for (const std::string text :
       {"17592186044417Mi", "16384.5Pi", "16385Pi", "18014398509483008Ki"}) {
    EXPECT_THAT(memory_refusal(text), AllOf(HasSubstr(text), HasSubstr("at most 16384Pi")));
  }
}

TEST(Decimal, CountsInTheGivenStep) {
  EXPECT_EQ(parse_decimal("7", 0, 10), 7);
  EXPECT_EQ(parse_decimal("0.25", 6, 1'000'000), 250'000);
  EXPECT_THAT(parse_decimal("0.5", 0, 10).error().message, HasSubstr("whole number"));
  EXPECT_THAT(parse_decimal("0.123", 2, 10).error().message, HasSubstr("hundredth"));
  EXPECT_THAT(parse_decimal("100000000.001", 3, 100'000'000'000).error().message,
              HasSubstr("at most 100000000"));
}

TEST(Decimal, ReachesTheLargestInteger) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(parse_decimal("9223372036854775807", 0, kMost), kMost);
  EXPECT_FALSE(parse_decimal("9223372036854775808", 0, kMost).has_value());
  EXPECT_EQ(parse_decimal("9.223372036854775807", 18, kMost), kMost);
  EXPECT_FALSE(parse_decimal("10", 18, kMost).has_value());
}

TEST(Decimal, FormatsWithoutTrailingZeros) {
  EXPECT_EQ(format_decimal(1250, 3), "1.25");
  EXPECT_EQ(format_decimal(-500, 3), "-0.5");
  EXPECT_EQ(format_decimal(7, 0), "7");
  EXPECT_EQ(format_decimal(-7, 0), "-7");
  EXPECT_EQ(format_decimal(1, 6), "0.000001");
  EXPECT_EQ(format_decimal(std::numeric_limits<std::int64_t>::min(), 3), "-9223372036854775.808");
}

TEST(Amount, FormatReadsBack) {
  Rng rng(3);
  for (int i = 0; i < 20'000; ++i) {
    const Amount amount = rng.between(0, Amount{1} << rng.between(0, 44));
    EXPECT_EQ(parse_count(format_count(amount)), amount);
    EXPECT_EQ(parse_memory(format_memory(amount)), amount);
  }
  EXPECT_EQ(format_count(500), "0.5");
  EXPECT_EQ(format_memory(512 * 1024), "512Gi");
  EXPECT_EQ(format_memory(1), "1Mi");
  EXPECT_EQ(format_memory(0), "0Mi");
  EXPECT_EQ(format_memory(-1536), "-1536Mi");
}

TEST(Amount, AnyTextIsReadInRangeOrRefusedWithItsReason) {
  constexpr std::string_view kBytes = "0123456789.-+exKMGTPiB \x01\xc3";
  Rng rng(4);
  int accepted = 0;
  for (int i = 0; i < 50'000; ++i) {
    std::string text;
    for (std::uint64_t n = rng.below(9); n > 0; --n) text += kBytes[rng.below(kBytes.size())];
    if (rng.below(2) == 0) text += "Gi";
    for (const auto& result : {parse_count(text), parse_memory(text)}) {
      if (result) {
        ++accepted;
        EXPECT_TRUE(*result >= 0 && *result <= kAmountMax) << text;
      } else {
        EXPECT_FALSE(result.error().message.empty());
      }
    }
  }
  EXPECT_GT(accepted, 500);
}

}  // namespace
}  // namespace stint::base
