#include "codec/scenario/scenario.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stint::codec {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr std::string_view kHead =
    "stint: 1\n"
    "cluster: {topology: [rack], nodes: [{name: \"n[1-4]\", has: {gpu: 8, cpu: 64}, labels: "
    "{model: h100}, at: {rack: r1}}]}\n"
    "queues: {a: {}, b: {queues: {c: {}, d: {}}}}\n";

std::vector<std::string> texts(const std::vector<Diagnostic>& diagnostics) {
  std::vector<std::string> all;
  for (const Diagnostic& d : diagnostics) all.push_back(to_string(d));
  return all;
}

// The rest stands from line 4 on.
ReadResult<Scenario> read(std::string_view rest) {
  return read_scenario({"f", std::string(kHead) + std::string(rest)}, nullptr);
}

Scenario accepted(std::string_view rest) {
  auto result = read(rest);
  EXPECT_TRUE(result.ok()) << ::testing::PrintToString(texts(result.diagnostics));
  return result.ok() ? std::move(*result.value) : Scenario{};
}

std::vector<JobId> ids(std::initializer_list<std::uint32_t> values) {
  std::vector<JobId> all;
  for (const std::uint32_t value : values) all.emplace_back(value);
  return all;
}

constexpr std::string_view kTwo =
    "jobs:\n"
    "  - {name: x, queue: a, each: {gpu: 1}, run: 1h}\n"
    "  - {name: y, queue: b/c, count: 2, each: {gpu: 1}, run: 1h}\n";

TEST(Scenario, ReadsEveryKeyOfAJob) {
  const Scenario s = accepted(
      "jobs:\n"
      "  - {name: big, queue: b/c, user: ann, at: 10m, tasks: 2, each: {gpu: 1.5, cpu: 0}, run: "
      "4h, limit: 6h,\n"
      "     priority: -3, preemptible: false, stops_in: 10s, where: {model: h100, zone: x}, after: "
      "[late],\n"
      "     checkpoint: {every: 30m, takes: 1m, restart: 3m, on_notice: true}}\n"
      "  - {name: late, queue: a, each: {gpu: 1}, run: forever}\n");
  ASSERT_THAT(s.jobs, SizeIs(2));
  const model::JobSpec& big = s.jobs[0];
  EXPECT_EQ(s.config.tree[big.queue].path, "b/c");
  EXPECT_EQ(s.users.name(big.user.value), "ann");
  EXPECT_EQ(big.submit, 10 * base::kMinute);
  EXPECT_EQ(big.work, 4 * base::kHour);
  EXPECT_EQ(big.limit, 6 * base::kHour);
  EXPECT_EQ(big.priority, -3);
  EXPECT_FALSE(big.preemptible);
  EXPECT_FALSE(big.impossible);
  EXPECT_EQ(big.stops_in, 10 * base::kSecond);
  EXPECT_EQ(big.after, ids({1}));
  EXPECT_EQ(big.checkpoint,
            (model::Checkpoint{30 * base::kMinute, base::kMinute, 3 * base::kMinute, true}));
  const model::Shape& shape = s.shapes[big.shape.index()];
  EXPECT_EQ(shape.tasks, 2U);
  EXPECT_EQ(shape.each[*s.config.cluster.resources.find("gpu")], 1500);
  EXPECT_EQ(shape.each[*s.config.cluster.resources.find("gpu/h100")], 1500);
  ASSERT_THAT(shape.where, SizeIs(2));
  EXPECT_EQ(s.config.cluster.labels.name(shape.where[0].value), "model=h100");
  EXPECT_EQ(s.config.cluster.labels.name(shape.where[1].value), "zone=x");
  const model::JobSpec& late = s.jobs[1];
  EXPECT_EQ(late.work, base::kNever);
  EXPECT_EQ(late.limit, base::kDay);
  EXPECT_TRUE(late.preemptible);
  EXPECT_EQ(late.checkpoint, model::Checkpoint{});
  EXPECT_EQ(s.users.name(late.user.value), "late");
}

TEST(Scenario, CountMakesNumberedJobsOfOneUser) {
  const Scenario s = accepted(
      "jobs:\n  - {name: w, queue: a, count: 3, each: {gpu: 1}, run: 1h}\n"
      "  - {name: z.7, queue: a, each: {gpu: 1}, run: 1h}\n"
      "  - {name: v, queue: a, count: 1, each: {gpu: 2}, run: 1h}\n");
  ASSERT_THAT(s.jobs, SizeIs(5));
  EXPECT_EQ(s.jobs[2].name, "w.3");
  EXPECT_EQ(s.users.name(s.jobs[2].user.value), "w");
  EXPECT_EQ(s.users.name(s.jobs[3].user.value), "z");
  EXPECT_EQ(s.jobs[4].name, "v.1");
}

TEST(Scenario, EqualShapesAreOne) {
  const Scenario s = accepted(
      "jobs:\n  - {name: p, queue: a, each: {gpu: 1, cpu: 0}, run: 1h}\n"
      "  - {name: q, queue: b/c, count: 2, each: {gpu: 1}, run: 2h}\n"
      "  - {name: r, queue: a, each: {gpu: 1}, tasks: 2, run: 1h}\n"
      "  - {name: s, queue: a, each: {gpu: 1}, where: {zone: x}, run: 1h}\n");
  EXPECT_THAT(s.shapes, SizeIs(3));
  EXPECT_EQ(s.jobs[0].shape, s.jobs[2].shape);
}

TEST(Scenario, ALimitAboveMaxTimeMakesTheJobImpossible) {
  const Scenario s = accepted(
      "policy: {limits: {max_time: 2d}}\njobs:\n"
      "  - {name: p, queue: a, each: {gpu: 1}, run: 1h, limit: 49h}\n"
      "  - {name: q, queue: a, each: {gpu: 1}, run: 1h, limit: 2d}\n"
      "  - {name: r, queue: a, each: {gpu: 1}, run: 1h, limit: none}\n"
      "  - {name: s, queue: a, each: {gpu: 1}, run: 1h}\n");
  EXPECT_TRUE(s.jobs[0].impossible);
  EXPECT_FALSE(s.jobs[1].impossible);
  EXPECT_FALSE(s.jobs[2].impossible);
  EXPECT_EQ(s.jobs[2].limit, base::kNever);
  EXPECT_FALSE(s.jobs[3].impossible);
}

TEST(Scenario, EventsNameNodesByListAndJobsByPattern) {
  const Scenario s = accepted(std::string(kTwo) +
                              "events:\n"
                              "  - {at: 1h, fail: \"n[2-3]\"}\n"
                              "  - {at: 2h, cancel: y}\n"
                              "  - {at: 2h, hold: y.2}\n"
                              "  - {at: 3h, release: \"*\"}\n"
                              "  - {at: 4h, restart: controller}\n");
  ASSERT_THAT(s.events, SizeIs(5));
  EXPECT_EQ(s.events[0].kind, EventKind::Fail);
  EXPECT_THAT(s.events[0].nodes, ElementsAre(NodeId(1U), NodeId(2U)));
  EXPECT_EQ(s.events[1].jobs, ids({1, 2}));
  EXPECT_EQ(s.events[2].jobs, ids({2}));
  EXPECT_EQ(s.events[3].jobs, ids({0, 1, 2}));
  EXPECT_EQ(s.events[4].kind, EventKind::RestartController);
  EXPECT_EQ(s.events[4].at, 4 * base::kHour);
}

TEST(Scenario, PatchesBuildOnEachOtherInOrderOfTheirTimes) {
  const Scenario s = accepted(
      "events:\n"
      "  - {at: 2h, apply: {queues: {a: {weight: 3}}, policy: {cycle: 1m}}}\n"
      "  - {at: 1h, apply: {queues: {a: {limit: {gpu: 4}}, new: {}}}}\n");
  ASSERT_THAT(s.configs, SizeIs(2));
  EXPECT_EQ(*s.events[0].config, 1U);
  EXPECT_EQ(*s.events[1].config, 0U);
  const auto gpu = *s.config.cluster.resources.find("gpu");
  const auto& [first, first_policy] = s.configs[0];
  const auto& [second, second_policy] = s.configs[1];
  const QueueId a = s.config.tree.find("a");
  EXPECT_EQ(first[a].limit[gpu], 4000);
  EXPECT_EQ(first[a].weight, 1000);
  EXPECT_EQ(second[a].limit[gpu], 4000);
  EXPECT_EQ(second[a].weight, 3000);
  EXPECT_EQ(first_policy.cycle, 0);
  EXPECT_EQ(second_policy.cycle, base::kMinute);
  for (const model::Queue& queue : s.config.tree.queues)
    EXPECT_EQ(first.find(queue.path), s.config.tree.find(queue.path));
  EXPECT_EQ(first.queues.size(), s.config.tree.queues.size() + 1);
  EXPECT_EQ(first.queues.back().path, "new");
}

TEST(Scenario, ErrorsOfAPatchPointIntoIt) {
  const auto all =
      texts(read(std::string(kTwo) +
                 "events:\n"
                 "  - {at: 1h, apply: {queues: {a: {guarantee: {gpu: 33}}}}}\n"
                 "  - {at: 2h, apply: {queues: {a: {guarantee: {gpu: 1}, wieght: 1}}}}\n"
                 "  - {at: 3h, apply: {cluster: {nodes: []}}}\n"
                 "  - {at: 4h, apply: {queues: {a: {queues: {below: {}}}}}}\n")
                .diagnostics);
  EXPECT_THAT(
      all,
      ElementsAre(HasSubstr("f:8:22: error: the queues are guaranteed 33 gpu, more than the 32"),
                  HasSubstr("f:9:56: error: unknown key \"wieght\""),
                  HasSubstr("f:10:22: error: unknown key \"cluster\""),
                  AllOf(HasSubstr("f:11:22: error"), HasSubstr("queue a holds jobs"))));
}

TEST(Scenario, ReadsEveryKindOfExpectation) {
  const Scenario s = accepted(
      std::string(kTwo) +
      "expect:\n"
      "  - {at: 10m, running: [x, y.*], pending: [y]}\n"
      "  - {at: [10m, 12m], queue: b, jobs: 3, holds: {gpu: 24, gpu/h100: 1}, borrows: {gpu: 0}}\n"
      "  - {job: x, starts: [10m, 12m], ends: never, runs: 1, evictions: 2, lost: {gpu_hours: "
      "2.5}}\n"
      "  - {job: y.2, at: 20m, why: fragmented}\n"
      "  - {evictions: 1}\n"
      "  - {queue: b/c, charged: {gpu_hours: 32}}\n"
      "  - {order: [y.2, x, y.1]}\n"
      "until: 2d\n");
  ASSERT_THAT(s.expect, SizeIs(7));
  EXPECT_EQ(s.expect[0].line, 8U);
  EXPECT_EQ(s.expect[0].running, ids({0, 1, 2}));
  EXPECT_EQ(s.expect[0].pending, ids({1, 2}));
  EXPECT_EQ(s.expect[1].at->low, 10 * base::kMinute);
  EXPECT_EQ(s.expect[1].at->high, 12 * base::kMinute);
  EXPECT_EQ(s.expect[1].jobs, 3);
  ASSERT_THAT(s.expect[1].holds, SizeIs(2));
  EXPECT_EQ(s.expect[1].holds[0].second, 24000);
  EXPECT_EQ(s.expect[1].borrows[0].second, 0);
  EXPECT_EQ(s.expect[2].job, JobId(0U));
  EXPECT_EQ(s.expect[2].starts->high, 12 * base::kMinute);
  EXPECT_EQ(s.expect[2].ends->low, base::kNever);
  EXPECT_EQ(s.expect[2].runs, 1);
  EXPECT_EQ(s.expect[2].evictions, 2);
  EXPECT_EQ(s.expect[2].lost_gpu_hours, 2500);
  EXPECT_EQ(s.expect[3].why, "fragmented");
  EXPECT_FALSE(s.expect[4].at);
  EXPECT_EQ(s.expect[5].charged_gpu_hours, 32000);
  EXPECT_EQ(s.expect[6].order, ids({2, 0, 1}));
  EXPECT_EQ(s.until, 2 * base::kDay);
}

struct Bad {
  const char* name;
  std::string_view rest;  // from line 7 on, behind the jobs x, y.1, y.2
  std::string_view start;
  std::vector<std::string> words;
};

class ScenarioRefuses : public ::testing::TestWithParam<Bad> {};

TEST_P(ScenarioRefuses, AtThePlaceWithTheWords) {
  const auto all = texts(read(std::string(kTwo) + std::string(GetParam().rest)).diagnostics);
  ASSERT_THAT(all, SizeIs(1)) << ::testing::PrintToString(all);
  EXPECT_TRUE(all[0].starts_with(GetParam().start)) << all[0];
  for (const std::string& word : GetParam().words) EXPECT_THAT(all[0], HasSubstr(word));
}

INSTANTIATE_TEST_SUITE_P(
    Job, ScenarioRefuses,
    ::testing::Values(
        Bad{"NoRun", "  - {name: z, queue: a, each: {gpu: 1}}\n", "f:7:5:", {"\"run\" is missing"}},
        Bad{"NameTwice",
            "  - {name: x, queue: a, each: {gpu: 1}, run: 1h}\n",
            "f:7:12:",
            {"duplicate job \"x\""}},
        Bad{"NameOfACount",
            "  - {name: y.2, queue: a, each: {gpu: 1}, run: 1h}\n",
            "f:7:12:",
            {"duplicate job \"y.2\""}},
        Bad{"NameWithStar",
            "  - {name: \"z*\", queue: a, each: {gpu: 1}, run: 1h}\n",
            "f:7:12:",
            {"\"*\""}},
        Bad{"UnknownQueue",
            "  - {name: z, queue: q, each: {gpu: 1}, run: 1h}\n",
            "f:7:22:",
            {"unknown queue \"q\""}},
        Bad{"ShortPath",
            "  - {name: z, queue: d, each: {gpu: 1}, run: 1h}\n",
            "f:7:22:",
            {"did you mean \"b/d\""}},
        Bad{"InnerQueue",
            "  - {name: z, queue: b, each: {gpu: 1}, run: 1h}\n",
            "f:7:22:",
            {"\"b\"", "leaf", "b/c"}},
        Bad{"ZeroCount",
            "  - {name: z, queue: a, count: 0, each: {gpu: 1}, run: 1h}\n",
            "f:7:32:",
            {"count", "at least 1"}},
        Bad{"HugeCount",
            "  - {name: z, queue: a, count: 1000000, each: {gpu: 1}, run: 1h}\n",
            "f:7:12:",
            {"131072 jobs"}},
        Bad{"ZeroTasks",
            "  - {name: z, queue: a, tasks: 0, each: {gpu: 1}, run: 1h}\n",
            "f:7:32:",
            {"tasks", "at least 1"}},
        Bad{"TooManyTasks",
            "  - {name: z, queue: a, tasks: 1048577, each: {gpu: 1}, run: 1h}\n",
            "f:7:32:",
            {"tasks", "1048576"}},
        Bad{"Absurd",
            "  - {name: z, queue: a, tasks: 3, each: {cpu: 9000000000}, run: 1h}\n",
            "f:7:47:",
            {"absurd", "cpu", "3 tasks of 9000000000"}},
        Bad{"Model",
            "  - {name: z, queue: a, each: {gpu/h100: 1}, run: 1h}\n",
            "f:7:32:",
            {"where: {model: h100}"}},
        Bad{"Percent",
            "  - {name: z, queue: a, each: {gpu: 10%}, run: 1h}\n",
            "f:7:37:",
            {"percentage"}},
        Bad{"ZeroLimit",
            "  - {name: z, queue: a, each: {gpu: 1}, run: 1h, limit: 0s}\n",
            "f:7:57:",
            {"limit", "too short"}},
        Bad{"ForeverAsLimit",
            "  - {name: z, queue: a, each: {gpu: 1}, run: 1h, limit: forever}\n",
            "f:7:57:",
            {"limit", "forever"}},
        Bad{"WordForFlag",
            "  - {name: z, queue: a, each: {gpu: 1}, run: 1h, preemptible: yes}\n",
            "f:7:63:",
            {"yes", "true nor false"}},
        Bad{"Elastic",
            "  - {name: z, queue: a, elastic: {min: 1, max: 2}, each: {gpu: 1}, run: 1h}\n",
            "f:7:25:",
            {"`elastic` is not available"}},
        Bad{"TogetherOnNoLevel",
            "  - {name: z, queue: a, each: {gpu: 1}, run: 1h, together: rak}\n",
            "f:7:60:",
            {"level", "rak"}},
        Bad{"TwoWishes",
            "  - {name: z, queue: a, each: {gpu: 1}, run: 1h, together: node, prefer: node}\n",
            "f:7:66:",
            {"`prefer` beside `together`", "leave one"}},
        Bad{"AfterUnknown",
            "  - {name: z, queue: a, each: {gpu: 1}, run: 1h, after: [yy]}\n",
            "f:7:58:",
            {"unknown job \"yy\""}},
        Bad{"AfterItself",
            "  - {name: z, queue: a, each: {gpu: 1}, run: 1h, after: [x, z]}\n",
            "f:7:57:",
            {"cycle", "z after z"}}),
    [](const auto& row) { return std::string(row.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Event, ScenarioRefuses,
    ::testing::Values(
        Bad{"NoAction", "events:\n  - {at: 1h}\n", "f:8:5:", {"needs one of", "fail"}},
        Bad{"TwoActions",
            "events:\n  - {at: 1h, fail: n1, drain: n2}\n",
            "f:8:24:",
            {"drain", "one thing"}},
        Bad{"NoTime", "events:\n  - {fail: n1}\n", "f:8:5:", {"\"at\" is missing"}},
        Bad{"UnknownNode",
            "events:\n  - {at: 1h, fail: \"n[4-5]\"}\n",
            "f:8:20:",
            {"unknown node \"n5\""}},
        Bad{"BadList", "events:\n  - {at: 1h, fail: \"n[4-\"}\n", "f:8:20:", {"host list"}},
        Bad{"UnknownJob", "events:\n  - {at: 1h, cancel: yx}\n", "f:8:22:", {"unknown job \"yx\""}},
        Bad{"PatternWithoutJob",
            "events:\n  - {at: 1h, hold: \"q*\"}\n",
            "f:8:20:",
            {"no job matches \"q*\""}},
        Bad{"RestartOfAnything",
            "events:\n  - {at: 1h, restart: node}\n",
            "f:8:23:",
            {"controller"}}),
    [](const auto& row) { return std::string(row.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Expect, ScenarioRefuses,
    ::testing::Values(
        Bad{"Nothing", "expect:\n  - {at: 1h}\n", "f:8:5:", {"nothing to check"}},
        Bad{"NothingOfTheJob",
            "expect:\n  - {job: x, at: 1h}\n",
            "f:8:5:",
            {"nothing of the job", "starts"}},
        Bad{"NothingOfTheQueue",
            "expect:\n  - {queue: a}\n",
            "f:8:5:",
            {"nothing of the queue", "holds"}},
        Bad{"EmptyList", "expect:\n  - {at: 1h, running: []}\n", "f:8:23:", {"list is empty"}},
        Bad{"EmptyMap", "expect:\n  - {queue: a, holds: {}}\n", "f:8:23:", {"map is empty"}},
        Bad{"MixedKinds",
            "expect:\n  - {at: 1h, running: [x], queue: a}\n",
            "f:8:28:",
            {"queue does not go with running"}},
        Bad{"StartsOfAQueue",
            "expect:\n  - {queue: a, jobs: 1, starts: 1h}\n",
            "f:8:25:",
            {"starts does not go with queue"}},
        Bad{"OrderAtATime",
            "expect:\n  - {at: 1h, order: [x]}\n",
            "f:8:6:",
            {"at does not go with order"}},
        Bad{"StartsOfWhat", "expect:\n  - {starts: 1h}\n", "f:8:6:", {"of what", "job"}},
        Bad{"HoldsOfWhat", "expect:\n  - {holds: {gpu: 1}}\n", "f:8:6:", {"of what", "queue"}},
        Bad{"ManyJobs",
            "expect:\n  - {job: y, starts: 1h}\n",
            "f:8:11:",
            {"stands for 2 jobs", "y.1"}},
        Bad{"ListIsNoText", "expect:\n  - {running: x}\n", "f:8:15:", {"running must be a list"}},
        Bad{"UnknownJob", "expect:\n  - {running: [xx]}\n", "f:8:16:", {"unknown job"}},
        Bad{"UnknownReason",
            "expect:\n  - {job: x, why: fragmentd}\n",
            "f:8:19:",
            {"did you mean \"fragmented\""}},
        Bad{"UnknownResource",
            "expect:\n  - {queue: a, holds: {gppu: 1}}\n",
            "f:8:24:",
            {"did you mean \"gpu\""}},
        Bad{"BackwardRange", "expect:\n  - {job: x, starts: [2h, 1h]}\n", "f:8:22:", {"backwards"}},
        Bad{"RangeOfThree",
            "expect:\n  - {job: x, starts: [1h, 2h, 3h]}\n",
            "f:8:22:",
            {"two of them"}},
        Bad{"NeverAsTime", "expect:\n  - {at: never, running: [x]}\n", "f:8:10:", {"never"}},
        Bad{"HoursWithoutKey",
            "expect:\n  - {job: x, lost: 2}\n",
            "f:8:20:",
            {"lost must be a map"}},
        Bad{"NoHours",
            "expect:\n  - {job: x, lost: {}}\n",
            "f:8:20:",
            {"\"gpu_hours\" is missing"}}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(Scenario, EachCircleIsReportedOnceAtItsFirstJob) {
  const auto all =
      texts(read("jobs:\n"
                 "  - {name: free, queue: a, each: {gpu: 1}, run: 1h, after: [p]}\n"
                 "  - {name: p, queue: a, each: {gpu: 1}, run: 1h, after: [r.2]}\n"
                 "  - {name: q, queue: a, each: {gpu: 1}, run: 1h, after: [p]}\n"
                 "  - {name: r, queue: a, count: 2, each: {gpu: 1}, run: 1h, after: [q]}\n"
                 "  - {name: s, queue: a, each: {gpu: 1}, run: 1h, after: [t]}\n"
                 "  - {name: t, queue: a, each: {gpu: 1}, run: 1h, after: [s]}\n")
                .diagnostics);
  EXPECT_THAT(
      all, ElementsAre(
               AllOf(HasSubstr("f:6:57: error: a cycle"), HasSubstr("p after r after q after p")),
               AllOf(HasSubstr("f:9:57: error: a cycle"), HasSubstr("s after t after s"))));
}

TEST(Scenario, ALongChainIsNoCircle) {
  std::string jobs = "jobs:\n  - {name: j0, queue: a, each: {gpu: 1}, run: 1h}\n";
  for (int i = 1; i < 2000; ++i) {
    jobs += "  - {name: j" + std::to_string(i) + ", queue: a, each: {gpu: 1}, run: 1h, after: [j" +
            std::to_string(i - 1) + "]}\n";
  }
  EXPECT_THAT(accepted(jobs).jobs, SizeIs(2000));
}

TEST(Scenario, AJobIsNotAllowedInAPlainConfiguration) {
  const auto result = read_config({{"f", std::string(kHead) + "jobs: []\n"}}, nullptr);
  EXPECT_THAT(texts(result.diagnostics),
              ElementsAre(HasSubstr("f:4:1: error: unknown key \"jobs\"")));
}

}  // namespace
}  // namespace stint::codec
