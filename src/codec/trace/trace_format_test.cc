#include "codec/trace/trace_format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codec/trace/trace_test_util.h"

namespace stint::codec {
namespace {

using testing::IsEmpty;

TEST(TraceFormat, IsToldByContent) {
  EXPECT_EQ(detect_trace_format("; Version: 2\n"), TraceFormat::Swf);
  EXPECT_EQ(detect_trace_format("\n  1 0 -1 60 4 -1 -1 8 120 -1 1 12 7 -1 1 1 -1 -1\n"),
            TraceFormat::Swf);
  EXPECT_EQ(
      detect_trace_format("0 1356996147 0 9 64 1 1 64 8 6 1 62 1 1 -1 1 1 1 {1,1} q 1:ppn=64\n"),
      TraceFormat::Swf);
  EXPECT_EQ(detect_trace_format("job_id,submit_s,duration_s,vc,num_gpus\n"), TraceFormat::Philly);
  EXPECT_EQ(detect_trace_format("\xef\xbb\xbfid,queue,user,submit_s,run_s\n"), TraceFormat::Csv);
  EXPECT_EQ(detect_trace_format("1,2,3\n"), TraceFormat::Csv);
  EXPECT_EQ(detect_trace_format(""), TraceFormat::Csv);
}

TEST(TraceFormat, HasANameForEveryFormat) {
  for (const TraceFormat format : {TraceFormat::Csv, TraceFormat::Swf, TraceFormat::Philly}) {
    EXPECT_EQ(format_of(name_of(format)), format);
  }
  EXPECT_EQ(format_of("xls"), std::nullopt);
}

TEST(ReadTrace, HandsEachFormatItsOptions) {
  const TraceResult swf =
      read_trace("1 0 -1 60 16 -1 -1 8 120 -1 1 12 7 -1 1 1 -1 -1\n", "t",
                 {.limits = LimitMode::Run, .as = SwfResource::Gpu, .task_size = 8});
  ASSERT_THAT(complaints(swf), IsEmpty());
  EXPECT_EQ(row_text(*swf, 0), "1 g7 u12 0 60000 60000 2x8000/0/0 0");
  const TraceResult philly = read_trace(
      "job_id,submit_s,duration_s,vc,num_gpus\na,0,60,v,16\n", "t",
      {.limits = LimitMode::Run, .task_size = 8, .cpu_per_gpu = 1000, .memory_mib_per_gpu = 7});
  ASSERT_THAT(complaints(philly), IsEmpty());
  EXPECT_EQ(row_text(*philly, 0), "a v v 0 60000 60000 2x8000/8000/56 0");
  const TraceResult csv = read_trace("id,queue,user,submit_s,run_s,limit_s\na,q,u,0,60,90\n", "t",
                                     {.limits = LimitMode::Run});
  ASSERT_THAT(complaints(csv), IsEmpty());
  EXPECT_EQ(row_text(*csv, 0), "a q u 0 60000 60000 1x0/0/0 0");
}

TEST(ReadTrace, TakesTheFormatItIsTold) {
  const TraceResult result =
      read_trace("id,queue,user,submit_s,run_s\n", "t", {.format = TraceFormat::Swf});
  EXPECT_EQ(complaints(result).size(), 1U);
}

}  // namespace
}  // namespace stint::codec
