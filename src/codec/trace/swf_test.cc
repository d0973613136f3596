#include "codec/trace/swf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codec/trace/swf_line.h"
#include "codec/trace/trace_test_util.h"

namespace stint::codec {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view kRow = "1 0 -1 60 4 -1 -1 8 120 -1 1 12 7 -1 1 1 -1 -1\n";

Trace read(std::string_view text, const SwfOptions& options = {}) {
  TraceResult result = read_swf(text, "t.swf", options);
  EXPECT_THAT(complaints(result), IsEmpty());
  return result ? std::move(*result) : Trace{};
}

TEST(Swf, ReadsARow) {
  const Trace trace = read(kRow);
  ASSERT_EQ(trace.rows.size(), 1U);
  EXPECT_EQ(row_text(trace, 0), "1 g7 u12 0 60000 120000 1x0/4000/0 0");
  EXPECT_EQ(trace.rows_read, 1U);
}

TEST(Swf, TakesFieldEightWhereFieldFiveIsMissing) {
  const Trace trace = read("1 0 -1 60 -1 -1 -1 8 120 -1 1 12 7 -1 1 1 -1 -1\n");
  EXPECT_EQ(row_text(trace, 0), "1 g7 u12 0 60000 120000 1x0/8000/0 0");
}

TEST(Swf, GivesNoLimitWhereFieldNineIsMissing) {
  const Trace trace = read("1 0 -1 60 4 -1 -1 8 -1 -1 1 12 7 -1 1 1 -1 -1\n");
  EXPECT_EQ(trace.rows[0].limit, base::kNever);
  EXPECT_EQ(read("1 0 -1 60 4 -1 -1 8 0 -1 1 12 7 -1 1 1 -1 -1\n").rows[0].limit, base::kNever);
}

TEST(Swf, CutsEndlessNumbersToWhatCanBeMultiplied) {
  const SwfLine line = parse_swf_line("9999999999999999 -99999999999999999999.9999");
  EXPECT_EQ(line.fields[0].whole, kSwfHuge);
  EXPECT_EQ(line.fields[1].whole, -kSwfHuge);
  EXPECT_EQ(line.fields[1].milli, -999);
}

TEST(Swf, KeepsARunThatIsLongerThanItsLimit) {
  const Trace trace = read("1 0 -1 600 4 -1 -1 8 120 -1 1 12 7 -1 1 1 -1 -1\n");
  EXPECT_EQ(trace.rows[0].run, 600'000);
  EXPECT_EQ(trace.rows[0].limit, 120'000);
}

TEST(Swf, CutsTheRunToWholeSecondsAndKeepsOtherFractions) {
  const Trace trace = read("1 5.25 -1 60.9 4 552.21 -1 8 120.5 -1 1 12 7 -1 1 1 -1 0.5\n");
  EXPECT_EQ(row_text(trace, 0), "1 g7 u12 5250 60000 120500 1x0/4000/0 0");
}

TEST(Swf, CallsUnknownUsersAndGroupsUnknown) {
  const Trace trace = read("1 0 -1 60 4 -1 -1 8 120 -1 1 -1 -1 -1 1 1 -1 -1\n");
  EXPECT_EQ(row_text(trace, 0), "1 unknown unknown 0 60000 120000 1x0/4000/0 0");
}

TEST(Swf, ReadsLargeNumbersOfUsersAndGroups) {
  const Trace trace = read(
      "1 0 -1 60 4 -1 -1 8 120 -1 1 99999999 70000 -1 1 1 -1 -1\n"
      "2 0 -1 60 4 -1 -1 8 120 -1 1 99999999 65535 -1 1 1 -1 -1\n");
  EXPECT_EQ(row_text(trace, 0), "1 g70000 u99999999 0 60000 120000 1x0/4000/0 0");
  EXPECT_EQ(row_text(trace, 1), "2 g65535 u99999999 0 60000 120000 1x0/4000/0 0");
  EXPECT_EQ(trace.origin.groups, 1U);
}

TEST(Swf, TakesProcessorsForGpusAndSplitsThemIfAsked) {
  const std::string_view row = "1 0 -1 60 12 -1 -1 8 120 -1 1 12 7 -1 1 1 -1 -1\n";
  EXPECT_EQ(row_text(read(row, {.as = SwfResource::Gpu}), 0),
            "1 g7 u12 0 60000 120000 1x12000/0/0 0");
  EXPECT_EQ(row_text(read(row, {.task_size = 8}), 0), "1 g7 u12 0 60000 120000 2x0/6000/0 0");
}

TEST(Swf, FollowsTheLimitMode) {
  EXPECT_EQ(read(kRow, {.limits = LimitMode::Run}).rows[0].limit, 60'000);
  EXPECT_EQ(read(kRow, {.limits = LimitMode::None}).rows[0].limit, base::kNever);
}

TEST(Swf, TakesOtherPrefixes) {
  const Trace trace = read(kRow, {.queue_prefix = "", .user_prefix = "p"});
  EXPECT_EQ(row_text(trace, 0), "1 7 p12 0 60000 120000 1x0/4000/0 0");
}

TEST(Swf, ReadsTabsCrlfBlankLinesAndALastLineWithoutEnd) {
  const Trace trace = read(
      "\xef\xbb\xbf; MaxProcs: 8\r\n\r\n"
      "  1\t0 -1 60 4 -1 -1 8 120 -1 1 12 7 -1 1 1 -1 -1\t\r\n"
      " \t \n"
      "+2 1 -1 60 4 -1 -1 8 120 -1 1 12 7 -1 1 1 -1 -1");
  ASSERT_EQ(trace.rows.size(), 2U);
  EXPECT_EQ(row_text(trace, 1), "2 g7 u12 1000 60000 120000 1x0/4000/0 0");
}

TEST(Swf, KeepsHeaderFields) {
  const Trace trace = read(
      "; Version: 2.2\n;Computer: Linux cluster (Seth)\n"
      ";  MaxProcs:  240  \r\n"
      ";   a sentence: not a field\n; no colon\n;\n; MaxProcs: 1\n");
  EXPECT_EQ(trace.header_value("Computer"), "Linux cluster (Seth)");
  EXPECT_EQ(trace.header_value("MaxProcs"), "240");
  EXPECT_EQ(trace.header_value("MaxNodes"), std::nullopt);
  EXPECT_EQ(trace.header.size(), 4U);
}

TEST(Swf, ReadsRowsOfTwentyOneColumns) {
  const Trace trace = read(
      "0 1356996147 0 56011 64 1 1024 64 86400 68719476736 1 62 1 1 -1 1 1 1 {1241,1241} q_1d "
      "1:ppn=64:x86_64\n");
  EXPECT_EQ(row_text(trace, 0), "0 g1 u62 1356996147000 56011000 86400000 1x0/64000/0 0");
}

TEST(Swf, CountsBrokenRowsByKind) {
  const Trace trace = read(
      "; rows that real logs hold\n"
      "1 0 -1 0 4 -1 -1 8 120 -1 1 12 7 -1 1 1 -1 -1\n"
      "2 0 -1 60 0 -1 -1 -1 120 -1 1 12 7 -1 1 1 -1 -1\n"
      "3 -1 -1 60 4 -1 -1 8 120 -1 1 13 8 -1 1 1 -1 -1\n"
      "4 0 -1 -1 4 -1 -1 8 120 -1 1 12 7 -1 1 1 -1 -1\n"
      "5 0 -1 60 4 -1 -1 8 120 -1 1 12 7 -1 1 1 -1\n"
      "6 0 -1 0.9 4 -1 -1 8 120 -1 1 12 7 -1 1 1 -1 -1\n"
      "7 9 -1 60 4 -1 -1 8 120 -1 1 12 7 -1 1 1 -1 -1\n"
      "8 9 -1 60 99999999999999999999 -1 -1 8 120 -1 1 12 7 -1 1 1 -1 -1\n"
      "9 99999999999 -1 60 4 -1 -1 8 120 -1 1 12 7 -1 1 1 -1 -1\n");
  EXPECT_THAT(
      rejected(trace),
      ElementsAre("run time not above 0: 3 from 2", "processors not above 0: 1 from 3",
                  "submit time missing or negative: 1 from 4", "wrong number of columns: 1 from 6",
                  "processors beyond any machine: 1 from 9", "time beyond 139 years: 1 from 10"));
  ASSERT_EQ(trace.rows.size(), 1U);
  EXPECT_EQ(trace.rows_read, 9U);
  EXPECT_EQ(trace.rejected_count(), 8U);
  // Only queues and users of jobs are there, while the origin's figures count all rows.
  EXPECT_EQ(trace.queues.size(), 1U);
  EXPECT_EQ(trace.origin.groups, 2U);
}

TEST(Swf, CountsGangsThatAreTooLarge) {
  const Trace trace = read(
      "1 0 -1 60 1000001 -1 -1 8 -1 -1 1 1 1 -1 1 1 -1 -1\n"
      "2 0 -1 60 1000000 -1 -1 8 -1 -1 1 1 1 -1 1 1 -1 -1\n",
      {.task_size = 1});
  EXPECT_THAT(rejected(trace), ElementsAre("more tasks than a gang may have: 1 from 1"));
  EXPECT_EQ(trace.rows.at(0).tasks, 1'000'000U);
}

TEST(Swf, CallsARowWithoutItsOwnNumberByItsLine) {
  const Trace trace = read(
      "5 0 -1 60 4 -1 -1 8 -1 -1 1 1 1 -1 1 1 -1 -1\n"
      "4 0 -1 60 4 -1 -1 8 -1 -1 1 1 1 -1 1 1 -1 -1\n"
      "5 0 -1 60 4 -1 -1 8 -1 -1 1 1 1 -1 1 1 -1 -1\n"
      "-1 0 -1 60 4 -1 -1 8 -1 -1 1 1 1 -1 1 1 -1 -1\n"
      "6 0 -1 60 4 -1 -1 8 -1 -1 1 1 1 -1 1 1 -1 -1\n");
  std::vector<std::string> names;
  for (const TraceRow& row : trace.rows) names.emplace_back(trace.name(row));
  EXPECT_THAT(names, ElementsAre("5", "4", "line3", "line4", "6"));
}

TEST(Swf, NamesThePlaceOfEveryRowThatIsNoRow) {
  const TraceResult result = read_swf(
      "; fine\n"
      "1 0 -1 sixty 4 -1 -1 8 120 -1 1 12 7 -1 1 1 -1 -1\n"
      "2 0 -1 60 4 -1 -1 8 120 -1 1 12 7 -1 1 1 -1 -1\n"
      "id submit\n"
      "3 0 -1 60 4.5 -1 -1 8 120 -1 1 12 7 -1 1 1 -1 -1\n"
      "4 0 -1 60 4 - -1 8 120 -1 1 12 7 -1 1 1 -1 -1\n"
      "5 0 -1 60 4 . -1 8 120 -1 1 12 7 -1 1 1 -1 -1\n"
      "6 0 -1 6e1 4 -1 -1 8 120 -1 1 12 7 -1 1 1 -1 -1\n",
      "t.swf");
  EXPECT_THAT(complaints(result),
              ElementsAre(HasSubstr("2:8: field 4 of the row is no number: \"sixty\""),
                          HasSubstr("4:1: field 1 of the row is no number: \"id\""),
                          HasSubstr("5:11: field 5 of the row must be a whole number: \"4.5\""),
                          HasSubstr("6:13: field 6 of the row is no number: \"-\""),
                          HasSubstr("7:13: field 6 of the row is no number: \".\""),
                          HasSubstr("8:8: field 4 of the row is no number: \"6e1\"")));
  EXPECT_EQ(result.error().front().file, "t.swf");
}

TEST(Swf, CountsColumnsInCharacters) {
  EXPECT_THAT(complaints(read_swf("1 2 3 4 5 6 7 8 9 10 11 \xc3\xb6\n", "t")),
              ElementsAre(HasSubstr("1:25: ")));
}

TEST(Swf, RefusesAFileOfAnotherShape) {
  EXPECT_THAT(
      complaints(read_swf("\n1 2 3\n4 5 6\n", "t")),
      ElementsAre(HasSubstr("2:1: no row has the 18 columns of an SWF file (this one has 3)")));
}

TEST(Swf, StopsAtTheCapOfErrors) {
  std::string text;
  for (int i = 0; i < 500; ++i) text.append("x\n");
  EXPECT_EQ(complaints(read_swf(text, "t")).size(), kTraceErrorsMax + 1);
}

TEST(Swf, ReadsAFileWithoutRows) {
  EXPECT_TRUE(read("").rows.empty());
  EXPECT_TRUE(read("; MaxProcs: 3\n").rows.empty());
}

}  // namespace
}  // namespace stint::codec
