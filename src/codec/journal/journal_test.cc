#include "codec/journal/journal.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stint::codec {
namespace {

using base::JobId;
using testing::HasSubstr;

JournalSubmitted full_job() {
  JournalSubmitted job;
  job.job = JobId(7U);
  job.name = "a \"b\"\\\n\x01 ö";
  job.queue = "vision/train";
  job.user = "ann";
  job.tasks = 4;
  job.each = {{"gpu", 500}, {"gpu/h100", 500}, {"memory", 4096}};
  job.where = {"model=h100", "zone=z"};
  job.priority = -3;
  job.preemptible = false;
  job.impossible = true;
  job.submit = 5;
  job.work = 1000;
  job.limit = 2000;
  job.checkpoint = {30, 2, 3, true};
  job.stops_in = 9;
  job.after = {JobId(1U), JobId(2U)};
  return job;
}

std::vector<JournalEntry> one_of_each() {
  JournalSubmitted plain;
  plain.job = JobId(0U);
  plain.queue = "q";
  plain.user = "u";
  plain.submit = 60;
  return {{60, full_job()},
          {60, plain},
          {60, JournalJobFact{JobFact::Cancelled, JobId(1U)}},
          {60, JournalJobFact{JobFact::Held, JobId(1U)}},
          {60, JournalJobFact{JobFact::Released, JobId(1U)}},
          {60, JournalEnded{JobId(1U), false}},
          {60, JournalStopped{JobId(1U), 30, 4}},
          {60, JournalNodeFact{NodeFact::Failed, "n1"}},
          {60, JournalNodeFact{NodeFact::Returned, "n1"}},
          {60, JournalNodeFact{NodeFact::Drained, "n1"}},
          {60, JournalNodeFact{NodeFact::Resumed, "n1"}},
          {60, JournalApplied{"applied-1.snapshot"}},
          {60, JournalRestarted{}},
          {60, JournalStarted{JobId(3U), 2, {{"n1", 2, {{0, 1000}, {1, 500}}}, {"n2", 1, {}}}}},
          {60, JournalTold{JobId(3U), model::StopCause::Cancel, 120}},
          {60, JournalTold{JobId(3U), model::StopCause::None, base::kNever}},
          {60, JournalPass{3}}};
}

TEST(Journal, GivesEveryKindOfLineBack) {
  for (const JournalEntry& entry : one_of_each()) {
    const std::string line = journal_line(entry);
    EXPECT_EQ(line.find('\n'), std::string::npos);
    const auto again = read_journal_line(line);
    ASSERT_TRUE(again) << line << ": " << again.error().message;
    EXPECT_EQ(*again, entry) << line;
  }
}

TEST(Journal, IsReadableAndLeavesOutWhatIsDefault) {
  EXPECT_EQ(journal_line({60, JournalEnded{JobId(3U), true}}),
            R"({"at_ms":60,"what":"ended","job":3,"done":true})");
  EXPECT_EQ(
      journal_line(one_of_each()[1]),
      R"({"at_ms":60,"what":"submitted","job":0,"queue":"q","user":"u","tasks":1,"each":[]})");
  EXPECT_EQ(journal_line(one_of_each()[13]), R"({"at_ms":60,"what":"started","job":3,"run":2,"on":)"
                                             R"([["n1",2,[0,1000],[1,500]],["n2",1]]})");
}

TEST(Journal, KnowsItsOwnHeader) {
  EXPECT_TRUE(check_journal_header(journal_header()));
  EXPECT_FALSE(check_journal_header(R"({"format":"stint journal","version":2})"));
  EXPECT_FALSE(check_journal_header(R"({"format":"diary","version":1})"));
  EXPECT_FALSE(check_journal_header("id,queue"));
  EXPECT_FALSE(check_journal_header(""));
}

std::string fault(std::string_view line) {
  const auto entry = read_journal_line(line);
  return entry ? "" : entry.error().message;
}

TEST(Journal, RefusesLinesThatAreMalformed) {
  EXPECT_THAT(fault(""), HasSubstr("no JSON object"));
  EXPECT_THAT(fault("[1]"), HasSubstr("no JSON object"));
  EXPECT_THAT(fault(R"({"at_ms":1,"what":"ended","job":3,"done":true)"), HasSubstr("JSON"));
  EXPECT_THAT(fault(R"({"at_ms":1,"what":"exploded"})"), HasSubstr("\"what\" is nothing"));
  EXPECT_THAT(fault(R"({"what":"restarted"})"), HasSubstr("\"at_ms\" is missing"));
  EXPECT_THAT(fault(R"({"at_ms":-1,"what":"restarted"})"), HasSubstr("\"at_ms\""));
  EXPECT_THAT(fault(R"({"at_ms":1.5,"what":"restarted"})"), HasSubstr("\"at_ms\""));
  EXPECT_THAT(fault(R"({"at_ms":18446744073709551615,"what":"restarted"})"), HasSubstr("at_ms"));
  EXPECT_THAT(fault(R"({"at_ms":1,"what":"restarted","job":3})"), HasSubstr("does not know"));
  EXPECT_THAT(fault(R"({"at_ms":1,"what":"ended","job":4294967295})"), HasSubstr("\"job\""));
  EXPECT_THAT(fault(R"({"at_ms":1,"what":"ended","job":3,"done":1})"), HasSubstr("\"done\""));
  EXPECT_THAT(fault(R"({"at_ms":1,"what":"node_failed","node":4})"), HasSubstr("\"node\""));
  EXPECT_THAT(fault(R"({"at_ms":1,"what":"told_to_stop","job":3,"cause":"whim"})"),
              HasSubstr("\"cause\""));
}

TEST(Journal, RefusesListsWithMalformedElements) {
  for (const char* on : {R"(["n1"])", R"([3,1])", R"(["n1",0])", R"(["n1",1,[0]])",
                         R"(["n1",1,[0,1001]])", R"(["n1",1,[70000,1]])", R"("n1")"}) {
    EXPECT_THAT(
        fault(fmt::format(R"({{"at_ms":1,"what":"started","job":3,"run":1,"on":[{}]}})", on)),
        HasSubstr("\"on\" holds a malformed element"))
        << on;
  }
  for (const char* each : {R"(["gpu"])", R"(["gpu",0])", R"([1,1])", R"(["gpu",1,1])"}) {
    EXPECT_THAT(
        fault(fmt::format(R"({{"at_ms":1,"what":"submitted","job":3,"queue":"q","user":"u",)"
                          R"("tasks":1,"each":[{}]}})",
                          each)),
        HasSubstr("\"each\" holds a malformed element"))
        << each;
  }
}

}  // namespace
}  // namespace stint::codec
