#include "codec/config/config.h"

#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stint::codec {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::string_view kHead =
    "stint: 1\n"
    "cluster: {topology: [rack], nodes: [{name: \"n[1-2]\", has: {gpu: 8, cpu: 32, memory: 1Ti}, "
    "at: {rack: r1}}]}\n";

std::vector<std::string> texts(const std::vector<Diagnostic>& diagnostics) {
  std::vector<std::string> all;
  for (const Diagnostic& d : diagnostics) all.push_back(to_string(d));
  return all;
}

ReadResult<Config> read(std::string_view text,
                        const std::map<std::string, std::string>& others = {}) {
  const auto loader = [&](std::string_view, std::string_view path) -> base::Result<SourceFile> {
    const auto found = others.find(std::string(path));
    if (found == others.end()) return base::refuse("no such file");
    return SourceFile{found->first, found->second};
  };
  return read_config({{"f", std::string(text)}}, loader);
}

// The answer to a file that has `rest` from line 3 on.
std::vector<std::string> complaints(std::string_view rest) {
  return texts(read(std::string(kHead) + std::string(rest)).diagnostics);
}

Config accepted(std::string_view rest) {
  const auto result = read(std::string(kHead) + std::string(rest));
  EXPECT_TRUE(result.ok()) << ::testing::PrintToString(texts(result.diagnostics));
  return result.ok() ? *result.value : Config{};
}

base::ResourceId resource(const Config& config, std::string_view name) {
  return config.cluster.resources.find(name).value();
}

const model::Queue& queue(const Config& config, std::string_view path) {
  return config.tree[config.tree.find(path)];
}

TEST(Config, ReadsTheExampleOfTheDesign) {
  const auto result = read(R"(stint: 1
cluster:
  topology: [block, rack]
  nodes:
    - name: "a[001-064]"
      has: {gpu: 8, cpu: 96, memory: 1Ti}
      labels: {model: h100}
      at: {block: b1, rack: "r[1-8]"}
queues:
  vision:
    guarantee: {gpu: 64}
    limit: {gpu: 128}
    weight: 2
    queues: {train: {guarantee: {gpu: 48}}, debug: {limit: {gpu: 8}}}
  nlp: {guarantee: {gpu: 64}, lend: {gpu: 32}, priority: 0, priority_scope: user,
        users: {default: {limit: {gpu: 32}}, ann: {limit: {gpu: 48}, weight: 2}}}
policy:
  fair_share: {half_life: 1d, history: 0.5}
  preemption: {reclaim_within: 10m, grace: 1m, min_run: 5m, max_per_day: 4, loss_cap: 1h,
               claim_for: 5m, between_borrowers: {after: 30m}}
  backfill: {reservations: 1, firm_after: 30m}
  limits: {default_time: 1d, max_time: 7d}
  failures: {repair_within: 10m, quarantine_after: 3}
)");
  EXPECT_THAT(texts(result.diagnostics), IsEmpty());
  ASSERT_TRUE(result.ok());
  const Config& config = *result.value;
  EXPECT_EQ(config.cluster.nodes.size(), 64U);
  EXPECT_THAT(config.cluster.resources.names(), ElementsAre("gpu", "cpu", "memory", "gpu/h100"));
  const model::Node& last = config.cluster.nodes.back();
  EXPECT_EQ(last.name, "a064");
  EXPECT_THAT(last.domains, ElementsAre("b1", "r8"));
  EXPECT_EQ(last.has[resource(config, "gpu/h100")], 8000);
  EXPECT_EQ(last.model, resource(config, "gpu/h100"));
  EXPECT_EQ(queue(config, "vision/train").guarantee[resource(config, "gpu")], 48000);
  EXPECT_EQ(queue(config, "vision").weight, 2000);
  EXPECT_EQ(queue(config, "nlp").lend[resource(config, "gpu")], 32000);
  EXPECT_EQ(queue(config, "nlp").lend[resource(config, "cpu")], model::kUnlimited);
  const model::UserRule* ann = queue(config, "nlp").rule_for("ann");
  ASSERT_NE(ann, nullptr);
  EXPECT_EQ(ann->limit[resource(config, "gpu")], 48000);
  EXPECT_EQ(ann->weight, 2000);
  EXPECT_EQ(queue(config, "nlp").rule_for("bob")->limit[resource(config, "gpu")], 32000);
  model::Policy written;
  written.reservations = 1;
  EXPECT_EQ(config.policy, written);
}

TEST(Config, WithoutAPolicyAllDefaultsHold) {
  EXPECT_EQ(accepted("queues: {q: {}}\n").policy, model::Policy{});
}

TEST(Config, ReadsEveryKnob) {
  const model::Policy policy = accepted(R"(queues: {q: {}}
policy:
  order: sjf_skip
  instant: submit_first
  cycle: 10s
  fair_share: {half_life: 7d, history: 0.9}
  preemption: {reclaim_within: 20m, grace: 2m, min_run: 20m, max_per_day: 5, loss_cap: 2h,
               claim_for: 6m, between_borrowers: off}
  backfill: {reservations: all, firm_after: 40m}
  limits: {default_time: none, max_time: none}
  failures: {repair_within: 11m, quarantine_after: 4}
)")
                                   .policy;
  EXPECT_EQ(policy.order, model::Order::SjfSkip);
  EXPECT_EQ(policy.instant, model::Instant::SubmitFirst);
  EXPECT_EQ(policy.cycle, 10 * base::kSecond);
  EXPECT_EQ(policy.half_life, 7 * base::kDay);
  EXPECT_EQ(policy.history, 900);
  EXPECT_EQ(policy.reclaim_within, 20 * base::kMinute);
  EXPECT_EQ(policy.grace, 2 * base::kMinute);
  EXPECT_EQ(policy.min_run, 20 * base::kMinute);
  EXPECT_EQ(policy.max_per_day, 5);
  EXPECT_EQ(policy.loss_cap, 2 * base::kHour);
  EXPECT_EQ(policy.claim_for, 6 * base::kMinute);
  EXPECT_FALSE(policy.between_borrowers);
  EXPECT_EQ(policy.reservations, model::kReservationsAll);
  EXPECT_EQ(policy.firm_after, 40 * base::kMinute);
  EXPECT_EQ(policy.default_time, base::kNever);
  EXPECT_EQ(policy.max_time, base::kNever);
  EXPECT_EQ(policy.repair_within, 11 * base::kMinute);
  EXPECT_EQ(policy.quarantine_after, 4);
  EXPECT_FALSE(accepted("queues: {q: {}}\npolicy: {preemption: off}\n").policy.preemption);
  EXPECT_EQ(accepted("queues: {q: {}}\npolicy: {preemption: {between_borrowers: {after: 1h}}}\n")
                .policy.between_borrowers_after,
            base::kHour);
}

// What must be refused, at which place, with which words; the text stands from line 3 on.
struct Bad {
  const char* name;
  std::string_view rest;
  std::string_view start;
  std::vector<std::string> words;
};

class ConfigRefuses : public ::testing::TestWithParam<Bad> {};

TEST_P(ConfigRefuses, AtThePlaceWithTheWords) {
  const auto all = complaints(GetParam().rest);
  ASSERT_THAT(all, SizeIs(1)) << ::testing::PrintToString(all);
  EXPECT_TRUE(all[0].starts_with(GetParam().start)) << all[0];
  for (const std::string& word : GetParam().words) EXPECT_THAT(all[0], HasSubstr(word));
}

INSTANTIATE_TEST_SUITE_P(
    Each, ConfigRefuses,
    ::testing::Values(
        Bad{"UnknownKey",
            "queues: {q: {wieght: 2}}\n",
            "f:3:14: error:",
            {"\"wieght\"", "did you mean \"weight\""}},
        Bad{"UnknownKeyFarFromAll",
            "queues: {q: {}}\nspot: 1\n",
            "f:4:1: error:",
            {"unknown key \"spot\"", "policy"}},
        Bad{"UnknownKnob",
            "queues: {q: {}}\npolicy: {preemption: {gracee: 1m}}\n",
            "f:4:23:",
            {"did you mean \"grace\""}},
        Bad{"TightColon", "queues: {q: {weight:2}}\n", "f:3:14:", {"is a space missing"}},
        Bad{"EmptyQueue", "queues:\n  q:\n", "f:4:3:", {"q has no value", "{key: value}"}},
        Bad{"TextForAMap", "queues: {q: none}\n", "f:3:13:", {"q must be a map", "a single value"}},
        Bad{"ListForAMap", "queues: [q]\n", "f:3:9:", {"queues must be a map", "a list"}},
        Bad{"MapForANumber",
            "queues: {q: {weight: {x: 1}}}\n",
            "f:3:22:",
            {"weight must be a single value"}},
        Bad{"QuotedNumber", "queues: {q: {weight: \"2\"}}\n", "f:3:22:", {"\"2\"", "quotes"}},
        Bad{"QuotedAmount",
            "queues: {q: {limit: {gpu: '2'}}}\n",
            "f:3:27:",
            {"gpu", "\"2\"", "quotes"}},
        Bad{"QuotedDuration",
            "queues: {q: {}}\npolicy: {cycle: \"1m\"}\n",
            "f:4:17:",
            {"cycle", "quotes"}},
        Bad{"FineWeight", "queues: {q: {weight: 0.0001}}\n", "f:3:22:", {"weight", "thousandth"}},
        Bad{"NegativeWeight", "queues: {q: {weight: -1}}\n", "f:3:22:", {"weight", "negative"}},
        Bad{"Exponent", "queues: {q: {weight: 1e3}}\n", "f:3:22:", {"exponent"}},
        Bad{"Octal", "queues: {q: {limit: {gpu: 010}}}\n", "f:3:27:", {"leading zeros"}},
        Bad{"Hexadecimal", "queues: {q: {limit: {gpu: 0x1F}}}\n", "f:3:27:", {"hexadecimal"}},
        Bad{"PriorityAboveBounds",
            "queues: {q: {priority: 1000000001}}\n",
            "f:3:24:",
            {"priority", "too large"}},
        Bad{"PriorityBelowBounds",
            "queues: {q: {priority: -1000000001}}\n",
            "f:3:24:",
            {"priority", "-1000000000"}},
        Bad{"PriorityNoNumber", "queues: {q: {priority: high}}\n", "f:3:24:", {"not a number"}},
        Bad{"PriorityFraction", "queues: {q: {priority: 1.5}}\n", "f:3:24:", {"whole number"}},
        Bad{"WrongScope",
            "queues: {q: {priority_scope: users}}\n",
            "f:3:30:",
            {"did you mean \"user\""}},
        Bad{"WrongOrder",
            "queues: {q: {}}\npolicy: {order: backwards}\n",
            "f:4:17:",
            {"fair, fifo"}},
        Bad{"ZeroHalfLife",
            "queues: {q: {}}\npolicy: {fair_share: {half_life: 0s}}\n",
            "f:4:34:",
            {"too short"}},
        Bad{"PureHistory",
            "queues: {q: {}}\npolicy: {fair_share: {history: 0.901}}\n",
            "f:4:32:",
            {"0.901", "0.9"}},
        Bad{"MinRunAboveTheDefaultBound",
            "queues: {q: {}}\npolicy: {preemption: {min_run: 11m}}\n",
            "f:4:32:",
            {"11m", "10m"}},
        Bad{"BoundBelowTheDefaultMinRun",
            "queues: {q: {}}\npolicy: {preemption: {reclaim_within: 3m}}\n",
            "f:4:39:",
            {"5m", "3m"}},
        Bad{"MemoryWithoutUnit",
            "queues: {q: {limit: {memory: 512}}}\n",
            "f:3:30:",
            {"memory", "unit"}},
        Bad{"QueueNameWithSlash", "queues: {a/b: {}}\n", "f:3:10:", {"\"/\""}},
        Bad{"GuaranteeOfUnknownResource",
            "queues: {q: {guarantee: {gppu: 1}}}\n",
            "f:3:26:",
            {"unknown resource \"gppu\"", "\"gpu\""}},
        Bad{"LimitOfMisspeltResource",
            "queues: {q: {limit: {cpuu: 1}}}\n",
            "f:3:22:",
            {"unknown resource", "\"cpu\""}},
        Bad{"GuaranteeOfRacks",
            "queues: {q: {guarantee: {rack: 1}}}\n",
            "f:3:26:",
            {"not available in this version"}},
        Bad{"GuaranteeOfNodes",
            "queues: {q: {guarantee: {node: 1}}}\n",
            "f:3:26:",
            {"not available in this version"}},
        Bad{"RootsAboveTheCluster",
            "queues: {a: {guarantee: {gpu: 9}}, b: {guarantee: {gpu: 8}}}\n",
            "f:3:1:",
            {"17 gpu", "16"}},
        Bad{"MemoryAboveTheCluster",
            "queues: {a: {guarantee: {memory: 3Ti}}}\n",
            "f:3:1:",
            {"3Ti memory", "2Ti"}},
        Bad{"ChildrenAboveTheParent",
            "queues: {p: {guarantee: {gpu: 8}, queues: {a: {guarantee: {gpu: 9}}}}}\n",
            "f:3:10:",
            {"queue p", "9 gpu", "own 8"}},
        Bad{"PercentOfNothing",
            "queues: {p: {queues: {a: {guarantee: {gpu: 50%}}}}}\n",
            "f:3:44:",
            {"50%", "p, which names none"}},
        Bad{"PercentOfLittle",
            "queues: {p: {guarantee: {gpu: 0.001}, queues: {a: {guarantee: {gpu: 50%}}}}}\n",
            "f:3:69:",
            {"50% of 0.001"}},
        Bad{"PercentAboveHundred",
            "queues: {p: {guarantee: {gpu: 101%}}}\n",
            "f:3:31:",
            {"too large"}},
        Bad{"LimitPercentToZero",
            "queues: {q: {limit: {gpu: 0.001%}}}\n",
            "f:3:27:",
            {"0.001% of 16"}},
        Bad{"WeightOfAPersonInAnInnerQueue",
            "queues: {p: {users: {ann: {weight: 2}}, queues: {a: {}}}}\n",
            "f:3:28:",
            {"weight", "leaves"}},
        Bad{"UnlimitedGuarantee",
            "queues: {p: {guarantee: {gpu: none}}}\n",
            "f:3:31:",
            {"not a number"}},
        Bad{"PercentOfHas",
            "queues: {q: {}}\ncluster: {nodes: [{name: x, has: {gpu: 1}}]}\n",
            "f:4:1:",
            {"duplicate key"}}),
    [](const auto& row) { return std::string(row.param.name); });

// The same for the cluster, whose text is the whole of line 2.
class ClusterRefuses : public ::testing::TestWithParam<Bad> {};

TEST_P(ClusterRefuses, AtThePlaceWithTheWords) {
  const std::string text =
      "stint: 1\ncluster: {" + std::string(GetParam().rest) + "}\nqueues: {q: {}}\n";
  const auto all = texts(read(text).diagnostics);
  ASSERT_THAT(all, SizeIs(1)) << ::testing::PrintToString(all);
  EXPECT_TRUE(all[0].starts_with(GetParam().start)) << all[0];
  for (const std::string& word : GetParam().words) EXPECT_THAT(all[0], HasSubstr(word));
}

INSTANTIATE_TEST_SUITE_P(
    Each, ClusterRefuses,
    ::testing::Values(
        Bad{"NoNodes", "nodes: []", "f:2:18:", {"at least one node"}},
        Bad{"MissingNodes", "topology: [rack]", "f:2:10:", {"\"nodes\" is missing"}},
        Bad{"MissingHas", "nodes: [{name: n1}]", "f:2:19:", {"\"has\" is missing"}},
        Bad{"BackwardList",
            "nodes: [{name: \"n[2-1]\", has: {gpu: 1}}]",
            "f:2:26:",
            {"n[2-1]", "backwards"}},
        Bad{"NodeTwice",
            "nodes: [{name: n1, has: {gpu: 1}}, {name: \"n[1-2]\", has: {gpu: 1}}]",
            "f:2:53:",
            {"duplicate node \"n1\"", "line 2, column 26"}},
        Bad{"PercentOfGpus", "nodes: [{name: n1, has: {gpu: 50%}}]", "f:2:41:", {"percentage"}},
        Bad{"HalfAGpu", "nodes: [{name: n1, has: {gpu: 7.5}}]", "f:2:41:", {"gpu", "7.5", "whole"}},
        Bad{"TooManyGpus", "nodes: [{name: n1, has: {gpu: 65536}}]", "f:2:41:", {"65535"}},
        Bad{"ModelAsResource",
            "nodes: [{name: n1, has: {gpu/h100: 8}}]",
            "f:2:36:",
            {"label `model`", "h100"}},
        Bad{"AbsurdAmount",
            "nodes: [{name: n1, has: {cpu: 17592186044.417}}]",
            "f:2:41:",
            {"cpu", "too large"}},
        Bad{"AbsurdTotal",
            "nodes: [{name: \"n[1-2]\", has: {cpu: 9000000000}}]",
            "f:2:47:",
            {"cpu", "all nodes together", "17592186044.416"}},
        Bad{"UnknownLevel",
            "topology: [rack], nodes: [{name: n1, has: {gpu: 1}, at: {rak: r1}}]",
            "f:2:68:",
            {"unknown level \"rak\"", "\"rack\""}},
        Bad{"UnequalRuns",
            "topology: [rack], nodes: [{name: \"n[1-3]\", has: {gpu: 1}, at: {rack: \"r[1-2]\"}}]",
            "f:2:80:",
            {"3 nodes", "2 domains"}},
        Bad{"LevelTwice",
            "topology: [rack, rack], nodes: [{name: n1, has: {gpu: 1}}]",
            "f:2:28:",
            {"rack", "twice"}},
        Bad{"LevelNode",
            "topology: [node], nodes: [{name: n1, has: {gpu: 1}}]",
            "f:2:22:",
            {"node", "innermost"}},
        Bad{"LevelIsAResource",
            "topology: [rack], nodes: [{name: n1, has: {rack: 1}}]",
            "f:2:22:",
            {"also a resource"}},
        Bad{"LabelsAreTexts",
            "nodes: [{name: n1, has: {gpu: 1}, labels: {model: [a]}}]",
            "f:2:61:",
            {"model", "single value"}}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(Config, RequiresVersionClusterAndQueues) {
  EXPECT_THAT(texts(read("policy: {}\n").diagnostics),
              ElementsAre(AllOf(HasSubstr("f:1:1: error"), HasSubstr("\"stint\" is missing")),
                          HasSubstr("\"cluster\""), HasSubstr("\"queues\"")));
  EXPECT_THAT(texts(read("").diagnostics),
              ElementsAre(HasSubstr("f:1:1: error: the file is empty")));
  for (const char* version : {"2", "\"1\"", "1.0", "one"}) {
    const auto all = texts(read(std::string("stint: ") + version + "\n" +
                                std::string(kHead.substr(9)) + "queues: {}\n")
                               .diagnostics);
    EXPECT_THAT(all, ElementsAre(AllOf(HasSubstr("f:1:8: error"), HasSubstr("write stint: 1"))))
        << version;
  }
}

TEST(Config, AllErrorsComeAtOnceInFileOrder) {
  const auto all = complaints(
      "queues: {p: {guarantee: {gpu: 1}, wieght: 2, queues: {c: {guarantee: {gpu: 2}}}}, q: "
      "{limit: {gppu: 1}}}\n"
      "policy: {cycle: 7, preemption: {min_run: 1h}}\n");
  EXPECT_THAT(
      all, ElementsAre(HasSubstr("f:3:10: error: queue p"), HasSubstr("f:3:35: error: unknown key"),
                       HasSubstr("f:3:95: error: unknown resource"),
                       HasSubstr("f:4:17: error: cycle"), HasSubstr("f:4:42: error: min_run")));
}

TEST(Config, ABadClusterDoesNotBlameTheQueues) {
  const auto all = texts(read("stint: 1\ncluster: {nodes: [{name: \"n[2-1]\", has: {gpu: 8}}]}\n"
                              "queues: {q: {guarantee: {gpu: 8}}}\n")
                             .diagnostics);
  EXPECT_THAT(all, ElementsAre(HasSubstr("host list")));
}

TEST(Config, LimitsAreOfTheNearestLimitAboveOrOfTheCluster) {
  const Config config = accepted(
      "queues: {p: {limit: {gpu: 8}, queues: {a: {limit: {gpu: 50%, cpu: 50%}, users: {default: "
      "{limit: {gpu: 25%}}}}, "
      "b: {limit: none}}}}\n");
  const auto gpu = resource(config, "gpu");
  EXPECT_EQ(queue(config, "p/a").limit[gpu], 4000);
  EXPECT_EQ(queue(config, "p/a").limit[resource(config, "cpu")], 32000);
  EXPECT_EQ(queue(config, "p/a").limit[resource(config, "memory")], model::kUnlimited);
  EXPECT_EQ(queue(config, "p/a").users[0].limit[gpu], 1000);
  EXPECT_EQ(queue(config, "p/b").limit[gpu], model::kUnlimited);
}

TEST(Config, LendIsOfTheOwnGuaranteeAndNoneLendsNothing) {
  const Config config = accepted(
      "queues: {a: {guarantee: {gpu: 8}, lend: {gpu: 25%, cpu: none, memory: all}}, b: {lend: "
      "none}, c: {lend: all}}\n");
  const auto gpu = resource(config, "gpu");
  EXPECT_EQ(queue(config, "a").lend[gpu], 2000);
  EXPECT_EQ(queue(config, "a").lend[resource(config, "cpu")], 0);
  EXPECT_EQ(queue(config, "a").lend[resource(config, "memory")], model::kUnlimited);
  EXPECT_EQ(queue(config, "b").lend[gpu], 0);
  EXPECT_EQ(queue(config, "c").lend[gpu], model::kUnlimited);
}

TEST(Config, ANamedPersonTakesFromDefaultWhatTheRuleLeavesOut) {
  const Config config = accepted(
      "queues: {q: {users: {ann: {limit: {cpu: 1}}, default: {limit: {gpu: 4}, weight: 3}, bob: "
      "{limit: {gpu: none}}}}}\n");
  const model::Queue& q = queue(config, "q");
  EXPECT_EQ(q.rule_for("ann")->limit[resource(config, "gpu")], 4000);
  EXPECT_EQ(q.rule_for("ann")->limit[resource(config, "cpu")], 1000);
  EXPECT_EQ(q.rule_for("ann")->weight, 3000);
  EXPECT_EQ(q.rule_for("bob")->limit[resource(config, "gpu")], model::kUnlimited);
  EXPECT_EQ(q.rule_for("eve")->limit[resource(config, "gpu")], 4000);
}

TEST(Config, AModelIsAResourceOnlyOfNodesWithGpus) {
  const auto result = read(
      "stint: 1\ncluster: {nodes: [{name: c1, has: {cpu: 8}, labels: {model: xeon}}, {name: g1, "
      "has: {gpu: 4}, labels: {model: h100}}]}\n"
      "queues: {q: {guarantee: {gpu/h100: 2}}}\n");
  ASSERT_TRUE(result.ok());
  const Config& config = *result.value;
  EXPECT_THAT(config.cluster.resources.names(), ElementsAre("cpu", "gpu", "gpu/h100"));
  EXPECT_FALSE(config.cluster.nodes[0].model.valid());
  EXPECT_EQ(queue(config, "q").guarantee[resource(config, "gpu")], 2000);
  EXPECT_EQ(queue(config, "q").guarantee[resource(config, "cpu")], 4000);
  EXPECT_THAT(config.cluster.labels.names(), ElementsAre("model=xeon", "model=h100"));
}

TEST(Config, OddValuesAreLintsAndLegal) {
  const auto all = complaints(
      "queues: {a: {weight: 0}, b: {guarantee: {gpu: 4}, weight: 0, limit: {gpu: 2, rdma: 9999}, "
      "lend: {nic: 1}}}\n"
      "policy: {fair_share: {half_life: 1h}, limits: {max_time: 2h}}\n");
  EXPECT_THAT(
      all,
      ElementsAre(AllOf(HasSubstr("f:3:22: warning"), HasSubstr("weight 0 and no guarantee")),
                  AllOf(HasSubstr("f:3:75: warning"), HasSubstr("less than its guarantee of 4")),
                  AllOf(HasSubstr("f:3:78: warning"), HasSubstr("\"rdma\"")),
                  AllOf(HasSubstr("f:3:98: warning"), HasSubstr("\"nic\"")),
                  AllOf(HasSubstr("f:4:34: warning"), HasSubstr("half_life 1h")),
                  AllOf(HasSubstr("f:4:58: warning"),
                        HasSubstr("default_time 1d is longer than max_time 2h"))));
  accepted("queues: {a: {weight: 0}, b: {limit: {rdma: 9999}}}\n");
}

TEST(Config, AFileSaysTheLastWordOverWhatItIncludes) {
  const auto result = read(std::string(kHead) + "include: [one, two]\nqueues: {q: {weight: 4}}\n",
                           {{"one", "queues: {q: {weight: 2, priority: 1}, r: {weight: 5}}\n"},
                            {"two", "queues: {r: {weight: 6}}\n"}});
  ASSERT_TRUE(result.ok()) << ::testing::PrintToString(texts(result.diagnostics));
  EXPECT_EQ(queue(*result.value, "q").weight, 4000);
  EXPECT_EQ(queue(*result.value, "q").priority, 1);
  EXPECT_EQ(queue(*result.value, "r").weight, 6000);
}

TEST(Config, ErrorsOfAllIncludedFilesComeAtOnce) {
  const auto result = read(std::string(kHead) + "include: [one, gone]\nqueues: {q: {wieght: 4}}\n",
                           {{"one", "queues: {q: {weight: x}}\n"}});
  EXPECT_THAT(texts(result.diagnostics),
              ElementsAre(AllOf(HasSubstr("f:3:16: error"), HasSubstr("no such file")),
                          HasSubstr("f:4:14: error"), HasSubstr("one:1:22: error: weight")));
}

TEST(Config, ACycleOfIncludesIsRefusedAtItsLastLink) {
  const auto result = read(std::string(kHead) + "include: [one]\nqueues: {q: {}}\n",
                           {{"one", "include: [two]\n"}, {"two", "include: [one]\n"}});
  EXPECT_THAT(texts(result.diagnostics),
              ElementsAre(AllOf(HasSubstr("two:1:11: error: a cycle of includes"),
                                HasSubstr("one includes two includes one"))));
}

TEST(Config, TheSameFileMayBeIncludedTwiceButNotWithoutEnd) {
  std::map<std::string, std::string> files = {{"leaf", "queues: {q: {weight: 2}}\n"}};
  std::string include = "include: [leaf";
  for (int i = 1; i < 64; ++i) include += ", leaf";
  EXPECT_TRUE(read(std::string(kHead) + include + "]\nqueues: {q: {}}\n", files).ok());
  EXPECT_THAT(texts(read(std::string(kHead) + include + ", leaf, leaf]\nqueues: {q: {}}\n", files)
                        .diagnostics),
              ElementsAre(HasSubstr("more than 64 files")));
}

TEST(Config, SeveralFilesMergeLeftToRight) {
  const auto result =
      read_config({{"a", std::string(kHead) + "queues: {q: {weight: 2, priority: 3}}\n"},
                   {"b", "queues: {q: {weight: 7}}\n"}},
                  nullptr);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(queue(*result.value, "q").weight, 7000);
  EXPECT_EQ(queue(*result.value, "q").priority, 3);
}

TEST(Config, TooManyResourcesAreRefusedByName) {
  std::string has = "r0: 1";
  for (int i = 1; i < 33; ++i) has += ", r" + std::to_string(i) + ": 1";
  const auto all =
      texts(read("stint: 1\ncluster: {nodes: [{name: n1, has: {" + has + "}}]}\nqueues: {q: {}}\n")
                .diagnostics);
  EXPECT_THAT(all, ElementsAre(AllOf(HasSubstr("\"r32\""), HasSubstr("at most 32"))));
}

}  // namespace
}  // namespace stint::codec
