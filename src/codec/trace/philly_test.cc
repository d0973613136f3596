#include "codec/trace/philly.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codec/trace/csv.h"
#include "codec/trace/trace_test_util.h"

namespace stint::codec {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view kIds = "job_id,submit_s,duration_s,vc,num_gpus\n";
constexpr std::string_view kDates = "timestamp,duration,num_gpus,gpu_time,cluster\n";

TraceResult read_with(std::string_view header, std::string_view rows,
                      const PhillyOptions& options = {}) {
  return read_philly(std::string(header).append(rows), "t.csv", options);
}

Trace read(std::string_view header, std::string_view rows, const PhillyOptions& options = {}) {
  TraceResult result = read_with(header, rows, options);
  EXPECT_THAT(complaints(result), IsEmpty());
  return result ? std::move(*result) : Trace{};
}

TEST(Philly, ReadsTheLayoutWithIds) {
  const Trace trace = read(kIds, "j0,116,66,11cb48,1\nj1,717,66.5,6214e9,16\n");
  EXPECT_EQ(row_text(trace, 0), "j0 11cb48 11cb48 116000 66000 - 1x1000/0/0 0");
  EXPECT_EQ(row_text(trace, 1), "j1 6214e9 6214e9 717000 66500 - 1x16000/0/0 0");
}

TEST(Philly, ReadsTheLayoutWithDates) {
  const Trace trace = read(kDates,
                           "2017-10-09 07:01:55,66.0,1,66.0,11cb48\n"
                           "2017-10-09 06:13:03,2951.0,2,5902.0,6214e9\n\n");
  EXPECT_EQ(row_text(trace, 0), "j0 11cb48 11cb48 1507532515000 66000 - 1x1000/0/0 0");
  EXPECT_EQ(row_text(trace, 1), "j1 6214e9 6214e9 1507529583000 2951000 - 1x2000/0/0 0");
}

TEST(Philly, TakesColumnsInAnyOrder) {
  const Trace trace = read("num_gpus,vc,duration_s,submit_s,job_id\r\n", "2,v,60,5,a\r\n");
  EXPECT_EQ(row_text(trace, 0), "a v v 5000 60000 - 1x2000/0/0 0");
}

TEST(Philly, AddsCpusAndMemoryPerGpuAndSplitsIfAsked) {
  const Trace trace = read(kIds, "a,0,60,v,12\n",
                           {.cpu_per_gpu = 6500, .memory_mib_per_gpu = 65536, .task_size = 8});
  EXPECT_EQ(row_text(trace, 0), "a v v 0 60000 - 2x6000/39000/393216 0");
}

TEST(Philly, FollowsTheLimitMode) {
  EXPECT_EQ(read(kIds, "a,0,60,v,1\n", {.limits = LimitMode::Run}).rows[0].limit, 60'000);
}

TEST(Philly, CountsBrokenRowsByKind) {
  const Trace trace = read(kIds,
                           "a,0,0,v,1\n"
                           "b,0,60,v,0\n"
                           "c,,60,v,1\n"
                           "d,-5,60,v,1\n"
                           "e,0,60,,1\n"
                           "f,0,60,v\n"
                           "g,0,60,w,3\n"
                           "g,0,60,w,3\n"
                           "h,0,,v,1\n"
                           "i,0,60,v,99999999999999\n"
                           "k,99999999999,60,v,1\n");
  EXPECT_THAT(
      rejected(trace),
      ElementsAre("duration not above 0: 2 from 2", "GPUs not above 0: 1 from 3",
                  "submit time missing or negative: 2 from 4", "virtual cluster missing: 1 from 6",
                  "wrong number of fields: 1 from 7", "id used before: 1 from 9",
                  "GPUs beyond any machine: 1 from 11", "time beyond 139 years: 1 from 12"));
  EXPECT_EQ(trace.rows_read, 11U);
  ASSERT_EQ(trace.rows.size(), 1U);
  EXPECT_EQ(trace.name(trace.rows[0]), "g");
  EXPECT_EQ(trace.queues.names(), std::vector<std::string>{"w"});
}

TEST(Philly, NumbersJobsByTheirRowEvenIfSomeAreRejected) {
  const Trace trace = read(kDates,
                           "2017-10-09 07:01:55,0,1,0,v\n"
                           ",60,1,60,v\n"
                           "2017-10-09 07:01:55,60.0,1,60.0,v\n");
  ASSERT_EQ(trace.rows.size(), 1U);
  EXPECT_EQ(trace.name(trace.rows[0]), "j2");
}

TEST(Philly, NamesThePlaceOfMalformedCells) {
  EXPECT_THAT(complaints(read_with(kDates,
                                   "2017-13-09 07:01:55,66.0,1,66.0,v\n"
                                   "2017-10-09 07:01:55,long,1.5,66.0,v\n"
                                   "2017-10-09 07:01:55,6,1,66.0,\"v\n")),
              ElementsAre("2:1: timestamp is no date and time such as 2017-10-09 07:01:55: "
                          "\"2017-13-09 07:01:55\"; mend or remove the row",
                          HasSubstr("3:21: duration is no number: \"long\""),
                          HasSubstr("3:26: num_gpus is no whole number: \"1.5\""),
                          HasSubstr("4:30: a quote that is never closed")));
  EXPECT_THAT(complaints(read_with(kIds, ",0,60,v,1\nb,0,60,\x02,1\n")),
              ElementsAre(HasSubstr("2:1: job_id is empty"), HasSubstr("3:8: vc holds control")));
}

TEST(Philly, RefusesAnotherHeader) {
  EXPECT_THAT(complaints(read_philly("id,queue\n", "t")),
              ElementsAre(HasSubstr("1:1: no Philly header")));
  EXPECT_THAT(complaints(read_philly("", "t")), ElementsAre(HasSubstr("1:1: no Philly header")));
  EXPECT_FALSE(is_philly("job_id,submit_s,duration_s,vc,num_gpus,user\n"));
  EXPECT_FALSE(is_philly("job_id,submit_s,duration_s,vc,vc\n"));
  EXPECT_TRUE(is_philly(kIds));
  EXPECT_TRUE(is_philly(kDates));
}

TEST(Philly, ConvertsToThePlainTable) {
  const Trace trace = read(kDates, "2017-10-09 07:01:55,66.0,1,66.0,11cb48\n");
  EXPECT_EQ(write_csv(trace),
            "id,queue,user,submit_s,run_s,gpu\nj0,11cb48,11cb48,1507532515,66,1\n");
}

}  // namespace
}  // namespace stint::codec
