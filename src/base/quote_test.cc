#include "base/quote.h"

#include <string>

#include <gtest/gtest.h>

namespace stint::base {
namespace {

TEST(Quote, PutsTextInQuotes) {
  EXPECT_EQ(quote("-4"), "\"-4\"");
  EXPECT_EQ(quote(""), "\"\"");
  EXPECT_EQ(quote("größe"), "\"größe\"");
}

TEST(Quote, KeepsAMessageOnOneLine) {
  EXPECT_EQ(quote("a\nb\t\x7f"), "\"a\\x0ab\\x09\\x7f\"");
  EXPECT_EQ(quote(std::string_view("\0", 1)), "\"\\x00\"");
}

TEST(Quote, CutsALongTextAfterTheLastWholeCharacter) {
  EXPECT_EQ(quote(std::string(kQuoteMax, 'a')).size(), kQuoteMax + 2);
  EXPECT_EQ(quote(std::string(kQuoteMax + 1, 'a')), "\"" + std::string(kQuoteMax, 'a') + "...\"");
  const std::string before = std::string(kQuoteMax - 1, 'a');
  EXPECT_EQ(quote(before + "ßß"), "\"" + before + "...\"");
}

TEST(Quote, SurvivesBytesThatAreNoUtf8) { EXPECT_EQ(quote(std::string(1000, '\x80')), "\"...\""); }

}  // namespace
}  // namespace stint::base
