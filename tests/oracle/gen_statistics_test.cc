// Generated workloads beside the logs that their presets imitate.
//
// Both sides are computed here, the origin's from ../shared/traces, the preset's from a trace of a
// fixed seed read back through the csv reader. Tolerances: 15 % of the origin's figure; for shares
// also half a point, as the smallest ones are a handful of jobs.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include <fmt/format.h>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "codec/trace/csv.h"
#include "codec/trace/csv_scanner.h"
#include "codec/trace/decompress.h"
#include "codec/trace/trace_format.h"
#include "shared_folder.h"
#include "sim/gen/gen_presets.h"
#include "sim/gen/gen_write.h"

namespace stint::sim {
namespace {

using oracle::has_shared_traces;
using oracle::kSharedIsAbsent;
using oracle::shared_traces;
using oracle::slurp;

constexpr double kRelative = 0.15;
constexpr double kPoint = 0.005;

void expect_near(double generated, double origin, const std::string& what) {
  EXPECT_LE(std::abs(generated - origin), kRelative * origin)
      << what << ": generated " << generated << ", origin " << origin;
}

void expect_share(double generated, double origin, const std::string& what) {
  EXPECT_LE(std::abs(generated - origin), std::max(kPoint, kRelative * origin))
      << what << ": generated " << generated << ", origin " << origin;
}

// What is compared, of the jobs with GPUs unless said otherwise.
struct Statistics {
  std::vector<double> lengths;                          // s, sorted
  std::vector<double> cpu_lengths;                      // s, sorted, of the jobs without GPU
  std::vector<double> gpus;                             // sorted
  double gpu_time = 0;                                  // GPU seconds
  std::map<std::int64_t, double> gangs;                 // thousandths of GPUs -> share
  std::map<std::string, double> queues;                 // share of all jobs
  std::vector<double> hours = std::vector<double>(24);  // share of all jobs
  std::vector<double> week = std::vector<double>(7);    // from the first day, or from Monday

  [[nodiscard]] double cpu_share() const {
    return static_cast<double>(cpu_lengths.size()) /
           static_cast<double>(lengths.size() + cpu_lengths.size());
  }
  [[nodiscard]] double gpu_time_per_job() const {
    return gpu_time / static_cast<double>(lengths.size());
  }
};

// Of nothing: 0, which no figure of a log is near.
double quantile(const std::vector<double>& sorted, double percent) {
  if (sorted.empty()) return 0;
  const double place = static_cast<double>(sorted.size()) * percent / 100;
  return sorted[std::min(sorted.size() - 1, static_cast<std::size_t>(place))];
}

double mean(const std::vector<double>& values) {
  if (values.empty()) return 0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// `week_begin` is added to the day of each submission, so that day 0 is the preset's first.
Statistics statistics(const codec::Trace& trace, std::int64_t week_begin = 0) {
  Statistics s;
  const auto all = static_cast<double>(trace.rows.size());
  for (const codec::TraceRow& row : trace.rows) {
    const double length = static_cast<double>(row.run) / 1000;
    const std::int64_t gpu_milli = trace.shapes[row.shape].gpu * row.tasks;
    s.queues[std::string(trace.queues.name(row.queue))] += 1 / all;
    const std::int64_t hour = row.submit / base::kHour;
    s.hours[static_cast<std::size_t>(hour % 24)] += 1 / all;
    s.week[static_cast<std::size_t>((hour / 24 + week_begin) % 7)] += 1 / all;
    if (gpu_milli == 0) {
      s.cpu_lengths.push_back(length);
      continue;
    }
    s.lengths.push_back(length);
    s.gpus.push_back(static_cast<double>(gpu_milli) / 1000);
    s.gpu_time += length * s.gpus.back();
    s.gangs[gpu_milli] += 1;
  }
  for (auto& [gpus, share] : s.gangs) share /= static_cast<double>(s.lengths.size());
  std::sort(s.lengths.begin(), s.lengths.end());
  std::sort(s.cpu_lengths.begin(), s.cpu_lengths.end());
  std::sort(s.gpus.begin(), s.gpus.end());
  return s;
}

GenPlan plan_of(std::string_view preset, const std::vector<GenValue>& values = {}) {
  auto settings = gen_settings(preset);
  EXPECT_TRUE(settings);
  for (const auto& [key, value] : values) EXPECT_TRUE(settings->set(key, value, true));
  auto plan = plan_gen(*settings);
  EXPECT_TRUE(plan) << base::to_string(plan.error());
  return std::move(*plan);
}

Statistics generated(const GenPlan& plan, std::uint64_t seed = 7) {
  const GenRows rows(plan);
  GenJobs jobs(plan, seed);
  std::string text = rows.header();
  while (const GenJob* job = jobs.next()) rows.append(*job, text);
  const codec::TraceResult trace = codec::read_csv(text, "generated");
  EXPECT_TRUE(trace) << codec::to_string(trace.error().front());
  EXPECT_EQ(static_cast<std::int64_t>(trace->rows.size()), plan.model.jobs);
  return statistics(*trace);
}

std::string unpacked(const std::filesystem::path& path) {
  auto packed = slurp(path);
  EXPECT_TRUE(packed) << path;
  if (!packed) return "";
  auto text = codec::unpack(std::move(*packed));
  EXPECT_TRUE(text);
  return text ? std::move(*text) : "";
}

using Row = std::map<std::string, std::string>;

std::vector<Row> table(const std::string& name) {
  const std::string text = unpacked(shared_traces() / name);
  std::vector<Row> rows;
  std::vector<std::string> columns;
  codec::CsvScanner scanner(text);
  while (scanner.next()) {
    if (columns.empty()) {
      for (std::size_t i = 0; i < scanner.size(); ++i) columns.emplace_back(scanner.field(i));
      continue;
    }
    Row& row = rows.emplace_back();
    for (std::size_t i = 0; i < columns.size(); ++i) row[columns[i]] = scanner.field(i);
  }
  return rows;
}

double number(const Row& row, const std::string& column) {
  const std::string& text = row.at(column);
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

Row row_of(const std::vector<Row>& rows, const std::string& id) {
  for (const Row& row : rows) {
    if (row.at("id") == id) return row;
  }
  ADD_FAILURE() << "no row " << id;
  return {};
}

void expect_same_quantiles(const Statistics& ours, const Statistics& origin) {
  for (const double percent :
       {10.0, 20.0, 25.0, 30.0, 40.0, 50.0, 60.0, 70.0, 75.0, 80.0, 90.0, 95.0, 99.0}) {
    expect_near(quantile(ours.lengths, percent), quantile(origin.lengths, percent),
                fmt::format("p{} of the lengths", percent));
  }
}

void expect_same_gangs(const Statistics& ours, const Statistics& origin) {
  for (const auto& [gpus, share] : origin.gangs) {
    const auto found = ours.gangs.find(gpus);
    expect_share(found == ours.gangs.end() ? 0 : found->second, share,
                 fmt::format("share of jobs of {} GPUs", base::format_count(gpus)));
  }
  expect_near(mean(ours.gpus), mean(origin.gpus), "mean GPUs");
  EXPECT_EQ(quantile(ours.gpus, 50), quantile(origin.gpus, 50));
}

void expect_same_shares(const std::vector<double>& ours, const std::vector<double>& origin,
                        const std::string& what) {
  ASSERT_EQ(ours.size(), origin.size());
  for (std::size_t i = 0; i < ours.size(); ++i) {
    expect_share(ours[i], origin[i], fmt::format("{} {}", what, i));
  }
}

// The hours of a day by submissions, from the Alibaba spot trace.
std::vector<double> spot_hours() {
  std::vector<double> hours;
  for (const Row& row : table("alibaba_spot/hour_of_day_patterns.csv")) {
    hours.push_back(number(row, "jobs"));
  }
  const double all = std::accumulate(hours.begin(), hours.end(), 0.0);
  for (double& hour : hours) hour /= all;
  return hours;
}

Statistics philly_origin() {
  const std::string text = unpacked(shared_traces() / "philly/philly_jobs.csv.gz");
  const codec::TraceResult trace = codec::read_trace(text, "philly");
  EXPECT_TRUE(trace);
  // 1 January 1970 was a Thursday, three days after a Monday.
  return statistics(*trace, 3);
}

TEST(GenPhilly, RunsAsLongAsTheLog) {
  if (!has_shared_traces()) GTEST_SKIP() << kSharedIsAbsent;
  const Statistics origin = philly_origin();
  const Statistics ours = generated(plan_of("philly"));
  expect_same_quantiles(ours, origin);
  expect_near(mean(ours.lengths), mean(origin.lengths), "mean length");
  expect_near(ours.gpu_time_per_job(), origin.gpu_time_per_job(), "GPU time of a job");
}

TEST(GenPhilly, AsksForGpusAsTheLog) {
  if (!has_shared_traces()) GTEST_SKIP() << kSharedIsAbsent;
  expect_same_gangs(generated(plan_of("philly")), philly_origin());
}

TEST(GenPhilly, ArrivesByHourAndWeekdayAsTheLog) {
  if (!has_shared_traces()) GTEST_SKIP() << kSharedIsAbsent;
  const Statistics origin = philly_origin();
  const Statistics ours = generated(plan_of("philly"));
  expect_same_shares(ours.hours, origin.hours, "hour");
  expect_same_shares(ours.week, origin.week, "day of the week");
}

TEST(GenPhilly, SharesTheJobsAmongTheVirtualClustersAsTheLog) {
  if (!has_shared_traces()) GTEST_SKIP() << kSharedIsAbsent;
  const Statistics origin = philly_origin();
  const GenPlan plan = plan_of("philly");
  const Statistics ours = generated(plan);
  double nodes = 0;
  for (const Row& row : table("philly/philly_vc_nodes.csv")) nodes += number(row, "node num");
  EXPECT_EQ(static_cast<double>(plan.model.nodes), nodes);
  for (const Row& row : table("philly/philly_vc_nodes.csv")) {
    const std::string& vc = row.at("vc");
    const std::string name = "vc-" + vc.substr(0, 4);
    ASSERT_TRUE(ours.queues.contains(name)) << name;
    expect_share(ours.queues.at(name), origin.queues.at(vc), name);
    const auto team = std::find_if(plan.teams.begin(), plan.teams.end(),
                                   [&](const GenTeam& t) { return t.name == name; });
    ASSERT_NE(team, plan.teams.end());
    EXPECT_EQ(static_cast<double>(team->guarantee), 8 * number(row, "node num")) << name;
  }
}

// The figures that a row of a cluster summary has for jobs with GPUs.
void expect_like_summary(const Statistics& ours, const Row& summary) {
  expect_near(mean(ours.lengths), number(summary, "avg_run_time_gpu"), "mean length");
  expect_near(quantile(ours.lengths, 50), number(summary, "med_run_time_gpu"), "median length");
  const double gpu_time = number(summary, "complete_gpu_time") +
                          number(summary, "cancel_gpu_time") + number(summary, "fail_gpu_time");
  if (gpu_time == 0) return;
  expect_near(mean(ours.gpus), number(summary, "avg_gpu_num"), "mean GPUs");
  EXPECT_EQ(quantile(ours.gpus, 50), number(summary, "med_gpu_num"));
  expect_near(ours.gpu_time_per_job(), gpu_time / number(summary, "gpu_job_num"),
              "GPU time of a job");
  expect_share(ours.cpu_share(), number(summary, "cpu_job_num") / number(summary, "job_num"),
               "share of jobs without GPU");
  expect_near(mean(ours.cpu_lengths), number(summary, "avg_run_time_cpu"),
              "mean length without GPU");
  expect_near(quantile(ours.cpu_lengths, 50), number(summary, "med_run_time_cpu"),
              "median length without GPU");
}

TEST(GenHelios, IsLikeTheSummaryOfEarth) {
  if (!has_shared_traces()) GTEST_SKIP() << kSharedIsAbsent;
  const Row summary = row_of(table("helios/helios_cluster_summary.csv"), "Earth");
  const Statistics ours = generated(plan_of("helios", {{"jobs", "400000"}}));
  expect_like_summary(ours, summary);
  expect_same_shares(ours.hours, spot_hours(), "hour");
}

TEST(GenHelios, GuaranteesEachVirtualClusterWhatItOwnedAndLoadsItAsItWas) {
  if (!has_shared_traces()) GTEST_SKIP() << kSharedIsAbsent;
  std::map<std::string, double> sums;
  std::size_t minutes = 0;
  for (const Row& row : table("helios/earth_vc_gpus_1min_2020-05.csv.gz")) {
    ++minutes;
    for (const auto& [column, text] : row) {
      if (column != "time") sums[column] += number(row, column);
    }
  }
  for (auto& [column, sum] : sums) sum /= static_cast<double>(minutes);
  const GenPlan plan = plan_of("helios", {{"jobs", "400000"}});
  const Statistics ours = generated(plan);
  double owned = 0;
  double running = 0;
  double wanted = 0;
  for (const GenTeam& team : plan.teams) {
    owned += sums.at(team.name + "_cap");
    running += sums.at(team.name + "_run");
    wanted += sums.at(team.name + "_run") + sums.at(team.name + "_pend");
  }
  expect_near(static_cast<double>(plan.gpus), owned, "GPUs");
  expect_near(static_cast<double>(plan.model.load_milli) / 1000, wanted / owned, "load");
  for (const GenTeam& team : plan.teams) {
    expect_near(static_cast<double>(team.guarantee), sums.at(team.name + "_cap"), team.name);
    const auto found = ours.queues.find(team.name);
    expect_share(found == ours.queues.end() ? 0 : found->second,
                 sums.at(team.name + "_run") / running, team.name);
  }
}

TEST(GenAcme, IsLikeTheSummaryOfSeren) {
  if (!has_shared_traces()) GTEST_SKIP() << kSharedIsAbsent;
  const Row summary = row_of(table("acme/cluster_summary.csv"), "Seren");
  const Statistics ours = generated(plan_of("acme", {{"jobs", "400000"}}));
  expect_like_summary(ours, summary);
  EXPECT_EQ(ours.gpus.back(), number(summary, "max_gpu"));
  expect_near(ours.lengths.back(), number(summary, "max_run_time_gpu"), "longest");
  expect_same_shares(ours.hours, spot_hours(), "hour");
}

TEST(GenPai, RunsAsLongAsTheSummarySays) {
  if (!has_shared_traces()) GTEST_SKIP() << kSharedIsAbsent;
  const Statistics ours = generated(plan_of("pai"));
  expect_like_summary(ours, row_of(table("acme/cluster_summary.csv"), "PAI"));
  expect_same_shares(ours.hours, spot_hours(), "hour");
}

TEST(GenPai, AsksForPartsOfGpusAsTheListOfPods) {
  if (!has_shared_traces()) GTEST_SKIP() << kSharedIsAbsent;
  Statistics origin;
  for (const Row& pod : table("alibaba_fgd/openb_pod_list_default.csv")) {
    const auto milli = static_cast<std::int64_t>(number(pod, "num_gpu") * number(pod, "gpu_milli"));
    if (milli == 0) {
      origin.cpu_lengths.push_back(0);
      continue;
    }
    origin.lengths.push_back(0);
    origin.gpus.push_back(static_cast<double>(milli) / 1000);
    origin.gangs[milli] += 1;
  }
  for (auto& [gpus, share] : origin.gangs) share /= static_cast<double>(origin.gpus.size());
  std::sort(origin.gpus.begin(), origin.gpus.end());
  const Statistics ours = generated(plan_of("pai"));
  expect_same_gangs(ours, origin);
  expect_share(ours.cpu_share(), origin.cpu_share(), "share of jobs without GPU");
}

TEST(GenPai, HasTheNodesOfTheList) {
  if (!has_shared_traces()) GTEST_SKIP() << kSharedIsAbsent;
  using Kind = std::tuple<std::string, std::int64_t, std::int64_t, std::int64_t>;
  std::map<Kind, std::int64_t> origin;
  for (const Row& node : table("alibaba_fgd/openb_node_list_all_node.csv")) {
    std::string model = node.at("model").empty() ? "cpu" : node.at("model");
    for (char& c : model) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    ++origin[{model, static_cast<std::int64_t>(number(node, "gpu")),
              static_cast<std::int64_t>(number(node, "cpu_milli")) / 1000,
              static_cast<std::int64_t>(number(node, "memory_mib"))}];
  }
  std::map<Kind, std::int64_t> ours;
  for (const GenNodes& nodes : plan_of("pai").nodes) {
    const GenPool& pool = nodes.pool;
    ours[{pool.model, pool.gpus, pool.cpus, pool.memory_mib}] += nodes.count;
  }
  EXPECT_EQ(ours, origin);
}

TEST(GenResearch, IsLikeTheShippedExample) {
  const std::filesystem::path path =
      std::filesystem::path(STINT_SOURCE_DIR) / "examples/research/trace.csv.gz";
  const codec::TraceResult trace = codec::read_trace(unpacked(path), "research");
  ASSERT_TRUE(trace);
  const Statistics origin = statistics(*trace);
  // Two weeks are too few for the tails: as many jobs as ten such fortnights have.
  const Statistics ours = generated(plan_of("research", {{"jobs", "125000"}}));
  expect_same_quantiles(ours, origin);
  expect_same_gangs(ours, origin);
  expect_same_shares(ours.week, origin.week, "day of the week");
  expect_same_shares(ours.hours, origin.hours, "hour");
  for (const auto& [queue, share] : origin.queues) {
    std::string name = queue;
    std::replace(name.begin(), name.end(), '/', '-');
    ASSERT_TRUE(ours.queues.contains(name)) << name;
    expect_share(ours.queues.at(name), share, name);
  }
}

// The canary: a comparison with the wrong log must fail, on every count.
template <class Compare>
int failures(Compare compare) {
  testing::TestPartResultArray results;
  {
    testing::ScopedFakeTestPartResultReporter reporter(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ALL_THREADS, &results);
    compare();
  }
  return results.size();
}

TEST(GenStatistics, NoticeAWrongPreset) {
  if (!has_shared_traces()) GTEST_SKIP() << kSharedIsAbsent;
  const Statistics origin = philly_origin();
  const Statistics wrong = generated(plan_of("research"));
  EXPECT_GE(failures([&] { expect_same_quantiles(wrong, origin); }), 8);
  EXPECT_GE(failures([&] { expect_same_gangs(wrong, origin); }), 4);
  EXPECT_GE(failures([&] { expect_same_shares(wrong.hours, origin.hours, "hour"); }), 12);
  EXPECT_GE(failures([&] { expect_same_shares(wrong.week, origin.week, "day"); }), 4);
  const auto summaries = table("acme/cluster_summary.csv");
  EXPECT_GE(failures([&] { expect_like_summary(wrong, row_of(summaries, "Seren")); }), 6);
}

}  // namespace
}  // namespace stint::sim
