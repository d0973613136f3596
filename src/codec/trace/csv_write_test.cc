#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "codec/trace/csv.h"
#include "codec/trace/trace_builder.h"
#include "codec/trace/trace_test_util.h"

namespace stint::codec {
namespace {

using base::Rng;
using testing::IsEmpty;

TEST(CsvWrite, WritesOnlyTheColumnsThatAreUsed) {
  constexpr std::string_view kText =
      "user,id,queue,run_s,submit_s,gpu,tasks,limit_s,preemptible\n"
      "ann,a,q,60.500,0,8,1,,true\n\"b,\"\"c\",b,q,1,2.05,0.125,1,,\n";
  const TraceResult trace = read_csv(kText, "t");
  ASSERT_THAT(complaints(trace), IsEmpty());
  EXPECT_EQ(write_csv(*trace),
            "id,queue,user,submit_s,run_s,gpu\na,q,ann,0,60.5,8\nb,q,\"b,\"\"c\",2.05,1,0.125\n");
}

TEST(CsvWrite, WritesAHeaderForAnEmptyTrace) {
  EXPECT_EQ(write_csv(Trace{}), "id,queue,user,submit_s,run_s\n");
}

// Text with everything that needs care: commas, quotes, line ends, other alphabets.
std::string random_name(Rng& rng) {
  constexpr std::array<std::string_view, 12> kParts{"a",    "B",        "7",
                                                    ",",    "\"",       "\n",
                                                    "\r\n", "\xc3\xb6", "\xe6\x97\xa5",
                                                    "/",    " ",        "\xf0\x9f\x98\x80"};
  std::string name = "n";
  for (std::uint64_t i = rng.below(6); i > 0; --i) name.append(kParts[rng.below(kParts.size())]);
  return name.append("z");
}

class RandomTrace {
 public:
  explicit RandomTrace(std::uint64_t seed) : rng_(seed) {}

  Trace make() {
    is_rich_ = rng_.below(3) > 0;
    const std::uint64_t count = rng_.below(30);
    for (std::uint32_t i = 0; i < count; ++i) add_row(i);
    return std::move(trace_);
  }

 private:
  std::int64_t pick(std::int64_t low, std::int64_t high) {
    // Small values, bounds and anything between.
    switch (rng_.below(4)) {
      case 0:
        return low;
      case 1:
        return high;
      case 2:
        return rng_.between(low, std::min(high, low + 5000));
      default:
        return rng_.between(low, high);
    }
  }
  bool chance() { return is_rich_ && rng_.below(2) == 0; }

  void add_row(std::uint32_t index) {
    TraceRow row;
    row.submit = pick(0, base::kSpanMax);
    row.run = pick(1, base::kSpanMax);
    if (chance()) row.limit = pick(1, base::kSpanMax);
    if (chance()) row.tasks = static_cast<std::uint32_t>(pick(1, kTasksMax));
    if (chance()) row.priority = static_cast<std::int32_t>(pick(-2147483648LL, 2147483647LL));
    const std::string name =
        fmt::format("{}{}", rng_.below(2) == 0 ? "" : random_name(rng_), index);
    row.name_begin = static_cast<std::uint32_t>(trace_.names.size());
    row.name_size = static_cast<std::uint32_t>(name.size());
    trace_.names.append(name);
    row.queue = trace_.queues.intern(random_name(rng_));
    row.user = trace_.users.intern(random_name(rng_));
    const std::int64_t most = base::kAmountMax / row.tasks;
    row.shape = shapes_.intern(
        {chance() ? pick(0, most) : 0, chance() ? pick(0, most) : 0, chance() ? pick(0, most) : 0},
        trace_.shapes);
    if (chance()) add_traits(row);
    if (chance()) trace_.patience.push_back({index, pick(0, base::kSpanMax)});
    trace_.rows.push_back(row);
    // Names with separators cannot be told in a list, so only plain ones are waited for.
    if (index == 0 || !chance()) return;
    const auto on = static_cast<std::uint32_t>(rng_.below(index));
    const bool is_listable =
        trace_.name(trace_.rows[on]).find_first_of(" ,;\t\r\n") == std::string_view::npos;
    if (is_listable) trace_.after.push_back({index, on});
  }

  void add_traits(TraceRow& row) {
    TraceTraits traits;
    traits.preemptible = rng_.below(2) == 0;
    if (chance()) traits.ckpt_every = pick(1, base::kSpanMax);
    if (chance()) traits.ckpt_takes = pick(0, base::kSpanMax);
    if (chance()) traits.restart = pick(0, base::kSpanMax);
    if (chance()) traits.together = random_name(rng_);
    for (std::uint64_t i = rng_.below(3); i > 0; --i) {
      traits.where.push_back({fmt::format("label{}", i), fmt::format("v=\"{}\"", rng_.below(9))});
    }
    row.traits = static_cast<std::uint32_t>(trace_.traits.size());
    trace_.traits.push_back(traits);
  }

  Rng rng_;
  bool is_rich_ = false;
  Trace trace_;
  ShapeTable shapes_;
};

TEST(CsvWrite, IsReadBackAsTheSameJobs) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Trace trace = RandomTrace(seed).make();
    const std::string text = write_csv(trace);
    const TraceResult again = read_csv(text, "t");
    ASSERT_THAT(complaints(again), IsEmpty()) << "seed " << seed << "\n" << text;
    ASSERT_TRUE(same_jobs(trace, *again)) << "seed " << seed << "\n" << text;
    ASSERT_EQ(write_csv(*again), text) << "seed " << seed;
  }
}

TEST(CsvWrite, SameJobsNoticesEveryDifference) {
  const std::string text =
      "id,queue,user,submit_s,run_s,gpu,preemptible,after,patience_s\n"
      "a,q,u,0,1,1,,,\nb,q,u,0,1,1,,a,5\n";
  const TraceResult one = read_csv(text, "t");
  ASSERT_TRUE(one);
  EXPECT_TRUE(same_jobs(*one, *one));
  const auto differs = [&](std::string_view from, std::string_view to) {
    std::string changed = text;
    changed.replace(changed.rfind(from), from.size(), to);
    const TraceResult other = read_csv(changed, "t");
    return other && !same_jobs(*one, *other);
  };
  EXPECT_TRUE(differs("b,q", "c,q"));
  EXPECT_TRUE(differs("q,u", "r,u"));
  EXPECT_TRUE(differs("u,0,1,1", "v,0,1,1"));
  EXPECT_TRUE(differs("0,1,1", "1,1,1"));
  EXPECT_TRUE(differs("0,1,1", "0,2,1"));
  EXPECT_TRUE(differs("0,1,1", "0,1,2"));
  EXPECT_TRUE(differs("1,,a", "1,false,a"));
  EXPECT_TRUE(differs(",a,", ",,"));
  EXPECT_TRUE(differs("5\n", "0\n"));
  EXPECT_TRUE(differs("5\n", "\n"));
}

}  // namespace
}  // namespace stint::codec
