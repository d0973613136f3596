#include "codec/trace/civil.h"

#include <gtest/gtest.h>

namespace stint::codec {
namespace {

TEST(Civil, CountsDaysFrom1970) {
  EXPECT_EQ(days_from_civil(1970, 1, 1), 0);
  EXPECT_EQ(days_from_civil(1969, 12, 31), -1);
  EXPECT_EQ(days_from_civil(2000, 2, 29), 11'016);
  EXPECT_EQ(days_from_civil(2017, 10, 9), 17'448);
  EXPECT_EQ(days_from_civil(0, 3, 1), -719'468);
  EXPECT_EQ(days_from_civil(-1, 3, 1), -719'468 - 366);  // year 0 is a leap year
}

TEST(Civil, GoesOnDayByDayThrough400Years) {
  std::int64_t expected = days_from_civil(1900, 1, 1);
  for (std::int64_t year = 1900; year < 2300; ++year) {
    const bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    for (unsigned month = 1; month <= 12; ++month) {
      const unsigned days = month == 2 ? (is_leap ? 29 : 28)
                            : month == 4 || month == 6 || month == 9 || month == 11 ? 30
                                                                                    : 31;
      for (unsigned day = 1; day <= days; ++day) {
        ASSERT_EQ(days_from_civil(year, month, day), expected++);
      }
    }
  }
}

TEST(Timestamp, IsTakenAsUtc) {
  EXPECT_EQ(parse_timestamp("1970-01-01 00:00:00"), 0);
  EXPECT_EQ(parse_timestamp("2017-10-09 07:01:55"), 1'507'532'515);
  EXPECT_EQ(parse_timestamp("2017-10-09T07:01:55"), 1'507'532'515);
  EXPECT_EQ(parse_timestamp("2000-02-29 23:59:59"), 951'868'799);
}

TEST(Timestamp, RefusesDatesThatDoNotExistAndOtherForms) {
  for (const char* text :
       {"", "2017-10-09", "2017-13-01 00:00:00", "2017-00-01 00:00:00", "2017-02-29 00:00:00",
        "1900-02-29 00:00:00", "2017-04-31 00:00:00", "2017-01-00 00:00:00", "2017-01-01 24:00:00",
        "2017-01-01 00:60:00", "2017-01-01 00:00:60", "2017-1-01 00:00:000", "2017/01/01 00:00:00",
        "2017-01-01 00:00:00Z", "2017-01-01_00:00:00", "2O17-01-01 00:00:00"}) {
    EXPECT_EQ(parse_timestamp(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace stint::codec
