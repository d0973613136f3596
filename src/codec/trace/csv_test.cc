#include "codec/trace/csv.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codec/trace/trace_test_util.h"

namespace stint::codec {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Trace read(std::string_view text, const CsvOptions& options = {}) {
  TraceResult result = read_csv(text, "t.csv", options);
  EXPECT_THAT(complaints(result), IsEmpty());
  return result ? std::move(*result) : Trace{};
}

// Complaints about one row under a header of the required columns and `more`.
std::vector<std::string> about(std::string_view more, std::string_view row) {
  return complaints(read_csv(fmt::format("id,queue,user,submit_s,run_s{}\n{}\n", more, row), "t"));
}

TEST(Csv, ReadsTheRequiredColumnsAndDefaultsTheRest) {
  const Trace trace =
      read("id,queue,user,submit_s,run_s\na,vision/train,ann,0,60\nb,nlp,bob,1.5,0.25\n");
  ASSERT_EQ(trace.rows.size(), 2U);
  EXPECT_EQ(row_text(trace, 0), "a vision/train ann 0 60000 - 1x0/0/0 0");
  EXPECT_EQ(row_text(trace, 1), "b nlp bob 1500 250 - 1x0/0/0 0");
  EXPECT_EQ(trace.traits.at(trace.rows[1].traits), TraceTraits{});
  EXPECT_EQ(trace.rows_read, 2U);
  EXPECT_THAT(rejected(trace), IsEmpty());
}

TEST(Csv, ReadsAllColumnsInAnyOrder) {
  const Trace trace = read(
      "after,where,together,restart_s,ckpt_takes_s,ckpt_every_s,preemptible,priority,memory_mib,"
      "cpu,"
      "gpu,tasks,limit_s,run_s,submit_s,user,queue,id\n"
      ",,,,,,,,,,,,,10,0,ann,q,a\n"
      "a;c,model=h100;zone=z1,rack,180,60.5,1800,false,-3,4096,12.5,0.5,8,7200,3600,5,ann,q,b\n"
      ",model=h100,,,,,1,,,,,,,10,0,ann,q,c\n");
  ASSERT_EQ(trace.rows.size(), 3U);
  EXPECT_EQ(row_text(trace, 1), "b q ann 5000 3600000 7200000 8x500/12500/4096 -3");
  const TraceTraits& traits = trace.traits.at(trace.rows[1].traits);
  EXPECT_FALSE(traits.preemptible);
  EXPECT_EQ(traits.ckpt_every, 1'800'000);
  EXPECT_EQ(traits.ckpt_takes, 60'500);
  EXPECT_EQ(traits.restart, 180'000);
  EXPECT_EQ(traits.together, "rack");
  EXPECT_THAT(traits.where, ElementsAre(TraceLabel{"model", "h100"}, TraceLabel{"zone", "z1"}));
  EXPECT_EQ(trace.rows[0].traits, 0U);
  EXPECT_TRUE(trace.traits.at(trace.rows[2].traits).preemptible);
  EXPECT_EQ(trace.after, (std::vector<TraceAfter>{{1, 0}, {1, 2}}));
  EXPECT_EQ(trace.after_of(1).size(), 2U);
  EXPECT_TRUE(trace.after_of(0).empty());
}

TEST(Csv, TakesListsWithAnySeparator) {
  const Trace trace = read(
      "id,queue,user,submit_s,run_s,where,after\n"
      "a,q,u,0,1,\"m=1,n=2\",\nb,q,u,0,1,m=1 n=2,\nc,q,u,0,1,m=1;;n=2;,a b\nd,q,u,0,1,,\"c, a\"\n");
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_THAT(trace.traits.at(trace.rows[i].traits).where,
                ElementsAre(TraceLabel{"m", "1"}, TraceLabel{"n", "2"}));
  }
  EXPECT_EQ(trace.after, (std::vector<TraceAfter>{{2, 0}, {2, 1}, {3, 2}, {3, 0}}));
}

TEST(Csv, ReadsQuotesCrlfAndNamesOverTwoLines) {
  const Trace trace = read(
      "\xef\xbb\xbf\"id\",queue,user,submit_s,run_s\r\n"
      "\"a, \"\"b\"\"\nc\",q,\"J\xc3\xb6rg\",\"0\",60\r\n\r\n");
  EXPECT_EQ(trace.name(trace.rows.at(0)), "a, \"b\"\nc");
  EXPECT_EQ(trace.users.name(0), "J\xc3\xb6rg");
}

TEST(Csv, SharesShapesAndTraits) {
  std::string text = "id,queue,user,submit_s,run_s,gpu,preemptible\n";
  for (int i = 0; i < 100; ++i) text.append(fmt::format("{},q,u,{},1,{},{}\n", i, i, i % 4, i % 2));
  const Trace trace = read(text);
  EXPECT_EQ(trace.shapes.size(), 4U);
  EXPECT_EQ(trace.traits.size(), 3U);  // the default, false, true as written
}

TEST(Csv, FollowsTheLimitMode) {
  constexpr std::string_view kText = "id,queue,user,submit_s,run_s,limit_s\na,q,u,0,60,120\n";
  EXPECT_EQ(read(kText).rows[0].limit, 120'000);
  EXPECT_EQ(read(kText, {.limits = LimitMode::Run}).rows[0].limit, 60'000);
  EXPECT_EQ(read(kText, {.limits = LimitMode::None}).rows[0].limit, base::kNever);
}

TEST(Csv, SumsWhatItRead) {
  const Trace trace =
      read("id,queue,user,submit_s,run_s,gpu,tasks\na,q,u,5,10,2,3\nb,q,v,1,4,0.5,1\n");
  EXPECT_EQ(trace.origin.rows, 2U);
  EXPECT_EQ(trace.origin.resource_milli, 6500);
  EXPECT_EQ(trace.origin.duration, 14'000);
  EXPECT_TRUE(trace.origin.resource_duration == 62'000'000);
  EXPECT_EQ(trace.origin.submit_first, 1000);
  EXPECT_EQ(trace.origin.submit_last, 5000);
  EXPECT_EQ(trace.origin.groups, 2U);
}

TEST(Csv, ReadsAHeaderWithoutRows) {
  EXPECT_TRUE(read("id,queue,user,submit_s,run_s\n").rows.empty());
}

TEST(Csv, ComplainsAboutEveryWrongColumnAtOnce) {
  EXPECT_THAT(complaints(read_csv("id,queu,user,submit_s,colour,user\n", "t")),
              ElementsAre("1:4: unknown column \"queu\", did you mean \"queue\"?",
                          HasSubstr("1:23: unknown column \"colour\"; known are id,queue,"),
                          "1:30: column \"user\" stands in the header twice; keep one",
                          HasSubstr("1:1: column \"queue\" is missing"),
                          HasSubstr("1:1: column \"run_s\" is missing")));
}

TEST(Csv, RefusesTextsThatAreNoTable) {
  EXPECT_THAT(complaints(read_csv("", "t")), ElementsAre(HasSubstr("1:1: the file is empty")));
  EXPECT_THAT(complaints(read_csv("id;queue;user;submit_s;run_s\n", "t")),
              ElementsAre(HasSubstr("1:1: the header is not separated by commas")));
  EXPECT_THAT(complaints(read_csv("hello,world\n", "t")),
              ElementsAre(HasSubstr("1:1: the first line is no header of a trace table")));
  EXPECT_THAT(complaints(read_csv("id,\"queue\n", "t")),
              ElementsAre(HasSubstr("1:4: a quote that")));
}

TEST(Csv, RefusesRowsOfAnotherLength) {
  EXPECT_THAT(about("", "a,q,u,0"),
              ElementsAre(HasSubstr("2:8: the row has 4 fields, the header has 5")));
  EXPECT_THAT(about("", "a,q,u,0,1,2"),
              ElementsAre(HasSubstr("2:11: the row has 6 fields, the header has 5")));
}

TEST(Csv, RefusesMalformedNumbers) {
  EXPECT_THAT(about("", "a,q,u,soon,60"),
              ElementsAre("2:7: submit_s is no number: \"soon\"; write seconds such as 90 or 0.5"));
  EXPECT_THAT(about("", "a,q,u,,60"), ElementsAre(HasSubstr("2:7: submit_s is empty;")));
  EXPECT_THAT(about("", "a,q,u,-1,60"), ElementsAre(HasSubstr("2:7: submit_s is negative")));
  EXPECT_THAT(about("", "a,q,u,0,0"), ElementsAre(HasSubstr("2:9: run_s is not above 0")));
  EXPECT_THAT(about("", "a,q,u,0,1.2345"),
              ElementsAre(HasSubstr("2:9: run_s has more than three decimals")));
  EXPECT_THAT(about("", "a,q,u,0,1e3"), ElementsAre(HasSubstr("run_s is no number")));
  EXPECT_THAT(about("", "a,q,u,0, 1"), ElementsAre(HasSubstr("run_s is no number: \" 1\"")));
  EXPECT_THAT(about("", "a,q,u,0,1h"), ElementsAre(HasSubstr("run_s is no number")));
  EXPECT_THAT(about("", "a,q,u,0,-"), ElementsAre(HasSubstr("run_s is no number")));
  EXPECT_THAT(about("", "a,q,u,0,."), ElementsAre(HasSubstr("run_s is no number")));
  EXPECT_THAT(about("", "a,q,u,99999999999999999999999,1"),
              ElementsAre(HasSubstr("submit_s is above the largest value")));
  EXPECT_THAT(about(",limit_s", "a,q,u,0,1,0"),
              ElementsAre(HasSubstr("2:11: limit_s is not above 0")));
  EXPECT_THAT(about(",tasks", "a,q,u,0,1,0"), ElementsAre(HasSubstr("tasks is not above 0")));
  EXPECT_THAT(about(",tasks", "a,q,u,0,1,1.5"), ElementsAre(HasSubstr("tasks is no whole number")));
  EXPECT_THAT(about(",tasks", "a,q,u,0,1,1000001"),
              ElementsAre(HasSubstr("tasks is above the largest value")));
  EXPECT_THAT(about(",gpu", "a,q,u,0,1,-1"), ElementsAre(HasSubstr("gpu is negative")));
  EXPECT_THAT(about(",priority", "a,q,u,0,1,2147483648"),
              ElementsAre(HasSubstr("priority is above the largest value")));
  EXPECT_THAT(about(",priority", "a,q,u,0,1,-2147483649"),
              ElementsAre(HasSubstr("priority is below the smallest value")));
}

TEST(Csv, TakesNumbersUpToTheirBounds) {
  EXPECT_THAT(
      about(",tasks,priority,gpu", "a,q,u,4398046511.104,4398046511.104,1000000,-2147483648,0"),
      IsEmpty());
  EXPECT_THAT(about("", "a,q,u,4398046511.105,1"), ElementsAre(HasSubstr("largest value")));
  EXPECT_THAT(about(",gpu", "a,q,u,0,1,17592186044.416"), IsEmpty());
  EXPECT_THAT(about(",gpu", "a,q,u,0,1,17592186044.417"), ElementsAre(HasSubstr("largest value")));
  EXPECT_THAT(about(",tasks,memory_mib", "a,q,u,0,1,4,4398046511104.0"), IsEmpty());
  EXPECT_THAT(about(",tasks,memory_mib", "a,q,u,0,1,4,4398046511105"),
              ElementsAre(HasSubstr("2:13: memory_mib is above the largest value once it is taken "
                                    "for all tasks")));
}

TEST(Csv, RefusesMalformedWishes) {
  EXPECT_THAT(
      about(",preemptible", "a,q,u,0,1,yes"),
      ElementsAre("2:11: preemptible is neither true nor false: \"yes\"; write true or false"));
  EXPECT_THAT(about(",where", "a,q,u,0,1,h100"), ElementsAre(HasSubstr("holds no label")));
  EXPECT_THAT(about(",where", "a,q,u,0,1,=h100"), ElementsAre(HasSubstr("holds no label")));
  EXPECT_THAT(about(",where", "a,q,u,0,1,model="), ElementsAre(HasSubstr("holds no label")));
  EXPECT_THAT(about(",where", "a,q,u,0,1,m=1;m=2"), ElementsAre(HasSubstr("names a label twice")));
  EXPECT_THAT(about(",together", "a,q,u,0,1, rack"),
              ElementsAre(HasSubstr("together starts or ends")));
  EXPECT_THAT(about(",ckpt_every_s,ckpt_takes_s,restart_s", "a,q,u,0,1,0,-1,x"),
              ElementsAre(HasSubstr("2:11: ckpt_every_s is not above 0"),
                          HasSubstr("2:13: ckpt_takes_s is negative"),
                          HasSubstr("2:16: restart_s is no number")));
}

TEST(Csv, ReadsPatienceAndKnowsWhoHasNone) {
  const Trace trace =
      read("id,queue,user,submit_s,run_s,patience_s\na,q,u,0,1,0\nb,q,u,0,1,\nc,q,u,0,1,1.5\n");
  EXPECT_EQ(trace.patience, (std::vector<TracePatience>{{0, 0}, {2, 1500}}));
  EXPECT_EQ(trace.patience_of(0), 0);
  EXPECT_EQ(trace.patience_of(1), base::kNever);
  EXPECT_EQ(trace.patience_of(2), 1500);
  EXPECT_EQ(trace.patience_of(3), base::kNever);
}

TEST(Csv, RefusesPatienceThatIsNegativeOrNoNumber) {
  EXPECT_THAT(about(",patience_s", "a,q,u,0,1,-1"),
              ElementsAre("2:11: patience_s is negative: \"-1\"; write seconds such as 90 or 0.5"));
  EXPECT_THAT(about(",patience_s", "a,q,u,0,1,never"), ElementsAre(HasSubstr("is no number")));
  EXPECT_THAT(about(",patience_s", "a,q,u,0,1,0.0001"),
              ElementsAre(HasSubstr("more than three decimals")));
  EXPECT_THAT(about(",patience_s", "a,q,u,0,1,4398046511.105"),
              ElementsAre(HasSubstr("largest value")));
}

TEST(Csv, ComplainsAgainAboutTheSameBadWishOnALaterRow) {
  EXPECT_EQ(about(",preemptible", "a,q,u,0,1,yes\nb,q,u,0,1,yes").size(), 2U);
}

TEST(Csv, RefusesNamesThatAreNone) {
  EXPECT_THAT(about("", ",,,0,1"),
              ElementsAre("2:1: id is empty; write a name", "2:2: queue is empty; write a name",
                          "2:3: user is empty; write a name"));
  EXPECT_THAT(about("", "a, q,u,0,1"), ElementsAre(HasSubstr("queue starts or ends with a blank")));
  EXPECT_THAT(about("", "a\x01,q,u,0,1"), ElementsAre(HasSubstr("id holds control characters")));
  EXPECT_THAT(about("", "a,q,\xff,0,1"), ElementsAre(HasSubstr("2:5: user holds control")));
  const std::string longest(kTraceNameMax, 'x');
  EXPECT_THAT(about("", fmt::format("{},q,u,0,1", longest)), IsEmpty());
  EXPECT_THAT(about("", fmt::format("{}x,q,u,0,1", longest)),
              ElementsAre(HasSubstr("longer than 255")));
}

TEST(Csv, RefusesAnIdThatIsUsedTwice) {
  EXPECT_THAT(about("", "a,q,u,0,1\nb,q,u,0,1\na,q,u,0,1"),
              ElementsAre("4:1: id \"a\" stands on an earlier row too; give each job its own"));
}

TEST(Csv, RefusesAfterThatNamesNoOtherJob) {
  EXPECT_THAT(about(",after", "a,q,u,0,1,b\nb,q,u,0,1,x;b\nc,q,u,0,1,a;a"),
              ElementsAre(HasSubstr("3:11: after names \"x\", which is no id of this file"),
                          HasSubstr("3:11: after names the job itself, \"b\""),
                          HasSubstr("4:11: after names \"a\" twice")));
}

TEST(Csv, PointsAtTheFirstJobOnACircle) {
  EXPECT_THAT(
      about(",after", "x,q,u,0,1,c\na,q,u,0,1,c\nb,q,u,0,1,a\nc,q,u,0,1,b\nd,q,u,0,1,x"),
      ElementsAre("3:11: after runs in a circle: \"a\" after \"c\" after \"b\" after \"a\"; "
                  "remove one of them"));
}

TEST(Csv, FollowsLongChainsWithoutRecursion) {
  std::string text = "id,queue,user,submit_s,run_s,after\n";
  constexpr int kLength = 200'000;
  for (int i = 0; i < kLength; ++i) {
    text.append(
        fmt::format("j{},q,u,0,1,{}\n", i, i + 1 < kLength ? fmt::format("j{}", i + 1) : ""));
  }
  EXPECT_EQ(read(text).after.size(), 199'999U);
}

TEST(Csv, DoesNotBlameAfterForRowsThatCouldNotBeRead) {
  EXPECT_THAT(about(",after", "a,q,u,0,1,b\nb,q,u,0"),
              ElementsAre(HasSubstr("3:8: the row has 4")));
}

TEST(Csv, StopsAtTheCapOfErrors) {
  std::string text = "id,queue,user,submit_s,run_s\n";
  for (int i = 0; i < 300; ++i) text.append(fmt::format("{},q,u,x,y\n", i));
  const std::vector<std::string> all = complaints(read_csv(text, "t"));
  ASSERT_EQ(all.size(), kTraceErrorsMax + 1);
  EXPECT_THAT(all.back(), HasSubstr("more than 100 errors"));
}

}  // namespace
}  // namespace stint::codec
