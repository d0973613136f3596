#include "codec/trace/csv_scanner.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stint::codec {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Record = std::vector<std::string>;

std::vector<Record> scan(std::string_view text) {
  std::vector<Record> records;
  CsvScanner scanner(text);
  while (scanner.next()) {
    Record record;
    for (std::size_t i = 0; i < scanner.size(); ++i) record.emplace_back(scanner.field(i));
    if (!scanner.fault().empty()) record.push_back("FAULT");
    records.push_back(record);
  }
  return records;
}

std::string place(const CsvScanner& scanner, std::size_t i) {
  return fmt::format("{}:{}", scanner.place(i).line, scanner.place(i).column);
}

TEST(CsvScanner, SplitsRecordsAndFields) {
  EXPECT_THAT(scan("a,b\nc,d\n"), ElementsAre(Record{"a", "b"}, Record{"c", "d"}));
  EXPECT_THAT(scan("a,b"), ElementsAre(Record{"a", "b"}));
  EXPECT_THAT(scan("a,,\n,b\n"), ElementsAre(Record{"a", "", ""}, Record{"", "b"}));
  EXPECT_THAT(scan(""), IsEmpty());
}

TEST(CsvScanner, TakesEveryLineEndAndSkipsEmptyLinesAndTheByteOrderMark) {
  EXPECT_THAT(scan("\xef\xbb\xbf"
                   "a,b\r\nc,d\r\n\r\n\n  \n"),
              ElementsAre(Record{"a", "b"}, Record{"c", "d"}, Record{"  "}));
  EXPECT_THAT(scan("a,b\r"), ElementsAre(Record{"a", "b"}));
  EXPECT_THAT(scan("a,\r\n"), ElementsAre(Record{"a", ""}));
  EXPECT_THAT(scan("a\rb,c\n"), ElementsAre(Record{"a\rb", "c"}));
}

TEST(CsvScanner, CountsCrlfAsOneLineEnd) {
  CsvScanner scanner("a,b\r\n\r\nc,\"d\r\ne\"\r\nf,g\r\n");
  ASSERT_TRUE(scanner.next());
  ASSERT_TRUE(scanner.next());
  EXPECT_EQ(scanner.line(), 3U);
  ASSERT_TRUE(scanner.next());
  EXPECT_EQ(scanner.line(), 5U);
}

TEST(CsvScanner, UndoesQuotes) {
  EXPECT_THAT(scan("\"a\",\"b,c\"\n\"\",d\n"), ElementsAre(Record{"a", "b,c"}, Record{"", "d"}));
  EXPECT_THAT(scan("\"say \"\"hi\"\"\",\"\"\"\"\n\"x\"\"y\",z\n"),
              ElementsAre(Record{"say \"hi\"", "\""}, Record{"x\"y", "z"}));
  EXPECT_THAT(scan("\"two\r\nlines\",\"\n\"\r\nnext,x\n"),
              ElementsAre(Record{"two\r\nlines", "\n"}, Record{"next", "x"}));
}

TEST(CsvScanner, FindsBrokenQuotesAndGoesOnBehindThem) {
  EXPECT_THAT(scan("a\"b,c\nd,e\n"), ElementsAre(Record{"a", "FAULT"}, Record{"d", "e"}));
  EXPECT_THAT(scan("\"a\"b,c\nd,e\n"), ElementsAre(Record{"a", "FAULT"}, Record{"d", "e"}));
  EXPECT_THAT(scan("x,\"a,b\nc,d\n"), ElementsAre(Record{"x", "a,b\nc,d\n", "FAULT"}));
  EXPECT_THAT(scan("\""), ElementsAre(Record{"", "FAULT"}));
  CsvScanner scanner("x,\"a,b\nc,d\n");
  ASSERT_TRUE(scanner.next());
  EXPECT_THAT(std::string(scanner.fault()), HasSubstr("never closed"));
  EXPECT_EQ(place(scanner, scanner.fault_field()), "1:3");
}

TEST(CsvScanner, KnowsThePlaceOfEveryField) {
  CsvScanner scanner(
      "\xef\xbb\xbf"
      "h,i\n"
      "\xc3\xb6\xc3\xb6,\"two\nlines\",z,\"a\"\"\"\n"
      "last,one\n");
  ASSERT_TRUE(scanner.next());
  EXPECT_EQ(place(scanner, 0), "1:1");
  EXPECT_EQ(place(scanner, 1), "1:3");
  ASSERT_TRUE(scanner.next());
  EXPECT_EQ(place(scanner, 0), "2:1");
  EXPECT_EQ(place(scanner, 1), "2:4");
  EXPECT_EQ(place(scanner, 2), "3:8");
  EXPECT_EQ(place(scanner, 3), "3:10");
  ASSERT_TRUE(scanner.next());
  EXPECT_EQ(scanner.line(), 4U);
  EXPECT_EQ(place(scanner, 1), "4:6");
  EXPECT_EQ(place(scanner, 2), "4:9");
  EXPECT_FALSE(scanner.next());
}

}  // namespace
}  // namespace stint::codec
