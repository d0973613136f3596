// Whole traces against schedules that other programs computed, job by job, and against exact
// aggregates.
//
// Sources  ../shared/traces/swf/README.md (pyss, CQSim, AccaSim and Batsim; first come first
//          served); ../shared/traces/README.md, "Rules behind reference_replay.csv".
//
// Every replay prints one line; one in which nobody waits although somebody should is a failure.
#include "replay.h"

#include <array>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <map>
#include <ostream>
#include <set>
#include <span>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "codec/trace/decompress.h"
#include "codec/trace/trace_format.h"
#include "shared_folder.h"
#include "sim/metrics/formulas.h"

namespace stint::oracle {
namespace {

using Record = std::map<std::string, std::string>;  // one line of a table, by name of its column

std::vector<std::string> split(std::string_view line, char separator) {
  std::vector<std::string> fields;
  while (true) {
    const std::size_t end = line.find(separator);
    fields.emplace_back(line.substr(0, end));
    if (end == std::string_view::npos) return fields;
    line.remove_prefix(end + 1);
  }
}

// A table with a line of names on top, without quotes.
std::vector<Record> read_table(std::string_view text, char separator) {
  std::vector<Record> records;
  std::vector<std::string> columns;
  for (const std::string& line : split(text, '\n')) {
    if (line.empty()) continue;
    const std::vector<std::string> fields = split(line, separator);
    if (columns.empty()) {
      columns = fields;
      continue;
    }
    Record& record = records.emplace_back();
    for (std::size_t i = 0; i < columns.size() && i < fields.size(); ++i) {
      record[columns[i]] = fields[i];
    }
  }
  return records;
}

// What a table says in that column; a dash if it has no such column, which no number equals.
std::string stated(const Record& record, const std::string& column) {
  const auto it = record.find(column);
  return it == record.end() ? "-" : it->second;
}

std::int64_t whole(std::string_view text) {
  std::int64_t value = -1;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  return end.ptr == text.data() + text.size() ? value : -1;
}

base::Result<std::string> unpacked(const std::filesystem::path& path) {
  auto bytes = slurp(path);
  if (!bytes) return base::fail(fmt::format("{} is missing", path.filename().string()));
  return codec::unpack(std::move(*bytes));
}

base::Result<codec::Trace> read(const std::filesystem::path& path, codec::LimitMode limits) {
  STINT_TRY(const std::string text, unpacked(path));
  codec::TraceOptions options;
  options.limits = limits;
  codec::TraceResult trace = codec::read_trace(text, path.filename().string(), options);
  if (!trace) return base::refuse(to_string(trace.error().front()));
  return std::move(*trace);
}

// Whole seconds as the tables have them; anything finer shows, and differs.
std::string seconds(Millis ms) {
  if (ms % base::kSecond == 0) return fmt::format("{}", ms / base::kSecond);
  return fmt::format("{} ms", ms);
}

double mean_seconds(Millis sum, std::size_t count) {
  return static_cast<double>(sum) / static_cast<double>(base::kSecond) / static_cast<double>(count);
}

Millis sum(std::span<const Millis> values) {
  Millis total = 0;
  for (const Millis value : values) total += value;
  return total;
}

// Element floor(percent · n) of the values in order, as both tables define it.
Millis element(std::vector<Millis> values, std::size_t percent) {
  const std::size_t rank = values.size() * percent / 100;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(rank),
                   values.end());
  return values[rank];
}

std::string as_text(std::size_t value) { return fmt::format("{}", value); }

// Compares figures with their columns, tells each that differs, and returns how many do.
std::size_t count_differing(const Record& expected, const Record& figures) {
  std::size_t differing = 0;
  for (const auto& [column, value] : figures) {
    EXPECT_EQ(value, stated(expected, column)) << "column " << column;
    if (value != stated(expected, column)) ++differing;
  }
  return differing;
}

void tell(const std::string& name, const Replay& outcome, const std::string& differing) {
  fmt::print("{}: {} jobs, waited {}, timed out {}, rejected {}, differing {}\n", name,
             outcome.waits.size(), outcome.waited(), outcome.timed_out, outcome.rejected,
             differing);
  std::fflush(stdout);
}

// For the names of the generated tests: letters and digits only.
std::string plain(std::string name) {
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

// --- first come first served, job by job --------------------------------------------------------

std::string mean_slowdown(const Replay& outcome) {
  double total = 0;
  for (std::size_t i = 0; i < outcome.waits.size(); ++i) {
    total += sim::bounded_slowdown(outcome.waits[i], outcome.runs[i]);
  }
  return fmt::format("{:.4f}", total / static_cast<double>(outcome.waits.size()));
}

std::string utilisation(const Replay& outcome, std::int64_t slots) {
  const base::i128 whole_machine = base::i128{slots} * base::kUnit * outcome.makespan();
  return fmt::format("{:.6f}",
                     static_cast<double>(outcome.held) / static_cast<double>(whole_machine));
}

Record figures_of_schedule(const Replay& outcome, std::int64_t slots) {
  const std::size_t jobs = outcome.waits.size();
  const Millis wait = sum(outcome.waits);
  return {{"jobs", as_text(jobs)},
          {"sum_wait_s", seconds(wait)},
          {"mean_wait_s", fmt::format("{:.3f}", mean_seconds(wait, jobs))},
          {"p50_wait_s", seconds(element(outcome.waits, 50))},
          {"p99_wait_s", seconds(element(outcome.waits, 99))},
          {"max_wait_s", seconds(*std::max_element(outcome.waits.begin(), outcome.waits.end()))},
          {"mean_bsld_tau10", mean_slowdown(outcome)},
          {"zero_wait_jobs", as_text(jobs - outcome.waited())},
          {"makespan_s", seconds(outcome.makespan())},
          {"utilisation", utilisation(outcome, slots)}};
}

// Jobs whose wait is not the expected one; the first few are told by number.
std::size_t count_differing_waits(const Replay& outcome, const std::vector<std::string>& expected) {
  constexpr std::size_t kTold = 5;
  std::size_t differing = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::string wait = seconds(outcome.waits[i]);
    if (wait == expected[i]) continue;
    if (++differing <= kTold) {
      ADD_FAILURE() << "job " << i + 1 << " waits " << wait << " s, expected " << expected[i]
                    << " s";
    }
  }
  return differing;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines = split(text, '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

std::vector<Record> schedules() {
  const auto text = slurp(shared_traces() / "swf/expected/expected.tsv");
  return text ? read_table(*text, '\t') : std::vector<Record>{};
}

// A schedule of `expected/`.
struct Schedule {
  const char* trace;
  const char* file;  // of the trace; rows of `kth-perfect` say how long they run
  const char* policy;
  friend void PrintTo(const Schedule& schedule, std::ostream* out) {
    *out << schedule.trace << ' ' << schedule.policy;
  }
};

constexpr std::array kSchedules = {
    Schedule{"kth5k", "kth5k", "fcfs"},     Schedule{"kth", "kth", "fcfs"},
    Schedule{"hpc2n", "hpc2n", "fcfs"},     Schedule{"blue", "blue", "fcfs"},
    Schedule{"thunder", "thunder", "fcfs"}, Schedule{"kth5k", "kth5k", "easy"},
    Schedule{"kth", "kth", "easy"},         Schedule{"hpc2n", "hpc2n", "easy"},
    Schedule{"blue", "blue", "easy"},       Schedule{"thunder", "thunder", "easy"},
    Schedule{"kth-perfect", "kth", "easy"}, Schedule{"kth-perfect", "kth", "easy-endfirst"}};

// The policies by their names in both tables.
std::optional<model::Policy> policy_of(const std::string& name) {
  model::Policy policy;
  if (name == "fcfs" || name == "fifo") {
    policy.order = model::Order::Fifo;
  } else if (name == "fifo_skip") {
    policy.order = model::Order::FifoSkip;
  } else if (name == "sjf_skip") {
    policy.order = model::Order::SjfSkip;
  } else if (name.starts_with("easy")) {
    policy.order = model::Order::Fifo;
    policy.reservations = 1;
    policy.instant = name == "easy" ? model::Instant::SubmitFirst : model::Instant::EachEnd;
  } else {
    return std::nullopt;
  }
  return policy;
}

class KnownSchedule : public testing::TestWithParam<Schedule> {};

TEST_P(KnownSchedule, StartsEveryJobWhenOtherProgramsDo) {
  if (!has_shared_traces()) GTEST_SKIP() << kSharedIsAbsent;
  const auto& [name, file, policy] = GetParam();
  const std::vector<Record> all = schedules();
  const auto row = std::find_if(all.begin(), all.end(), [&](const Record& record) {
    return stated(record, "trace") == GetParam().trace &&
           stated(record, "policy") == GetParam().policy;
  });
  ASSERT_NE(row, all.end()) << "expected.tsv has no such row";
  const std::filesystem::path folder = shared_traces() / "swf";
  const auto waits = unpacked(folder / fmt::format("expected/{}.{}.wait.gz", name, policy));
  ASSERT_TRUE(waits) << base::to_string(waits.error());
  auto trace = read(folder / fmt::format("{}.swf.gz", file), codec::LimitMode::File);
  ASSERT_TRUE(trace) << base::to_string(trace.error());
  if (std::string_view(name) != file) {
    for (codec::TraceRow& job : trace->rows) job.limit = job.run;
  }
  ASSERT_EQ(trace->header_value("MaxProcs"), stated(*row, "procs"));
  const std::int64_t slots = whole(stated(*row, "procs"));

  const auto outcome = replay(*trace, {.resource = "cpu", .slots = slots}, *policy_of(policy));
  ASSERT_TRUE(outcome) << base::to_string(outcome.error());
  const std::vector<std::string> expected = lines_of(*waits);
  ASSERT_EQ(outcome->waits.size(), expected.size());
  const std::size_t differing = count_differing_waits(*outcome, expected);
  tell(fmt::format("{} {}", name, policy), *outcome, as_text(differing));
  EXPECT_EQ(differing, 0U);
  EXPECT_GT(outcome->waited(), 0U) << "a trace is replayed to see jobs wait";
  EXPECT_EQ(outcome->timed_out, 0U);
  EXPECT_EQ(outcome->rejected, 0U);
  EXPECT_EQ(outcome->astray, 0U);
  EXPECT_EQ(count_differing(*row, figures_of_schedule(*outcome, slots)), 0U);
}

INSTANTIATE_TEST_SUITE_P(Shared, KnownSchedule, testing::ValuesIn(kSchedules),
                         [](const auto& test) {
                           return plain(fmt::format("{}_{}", test.param.trace, test.param.policy));
                         });

// --- the pool of slots of reference_replay.csv --------------------------------------------------

// A trace by the name in column `trace` of reference_replay.csv.
struct Pooled {
  const char* name;
  const char* file;
  std::size_t rows_max;  // only the first of the rows kept; 0 = all
  friend void PrintTo(const Pooled& trace, std::ostream* out) { *out << trace.name; }
};

constexpr std::array kPooled = {
    Pooled{"philly_week_2017-10-09", "philly/philly_week_2017-10-09.csv", 0},
    Pooled{"hpc2n_first3170", "swf/hpc2n_first3170.swf", 0},
    Pooled{"RICC-2010-2_first20000", "swf/RICC-2010-2.swf.gz", 20'000},
    Pooled{"RICC-2010-2_full", "swf/RICC-2010-2.swf.gz", 0},
    Pooled{"NASA-iPSC-1993-3.1-cln", "swf/NASA-iPSC-1993-3.1-cln.swf.gz", 0}};

std::vector<Record> reference_rows() {
  const auto text = slurp(shared_traces() / "expected/reference_replay.csv");
  return text ? read_table(*text, ',') : std::vector<Record>{};
}

Record figures_of_pool(const Replay& outcome) {
  const std::size_t jobs = outcome.waits.size();
  const Millis wait = sum(outcome.waits);
  return {{"jobs", as_text(jobs)},
          {"sum_wait", seconds(wait)},
          {"mean_wait", fmt::format("{:.3f}", mean_seconds(wait, jobs))},
          {"p50_wait", seconds(element(outcome.waits, 50))},
          {"p95_wait", seconds(element(outcome.waits, 95))},
          {"max_wait", seconds(*std::max_element(outcome.waits.begin(), outcome.waits.end()))},
          {"mean_jct", fmt::format("{:.3f}", mean_seconds(wait + sum(outcome.runs), jobs))},
          {"waited", as_text(outcome.waited())},
          {"makespan", seconds(outcome.makespan())}};
}

// The policies of reference_replay.csv: what comes at one instant follows our own order.
std::optional<model::Policy> pooled_policy_of(const std::string& name) {
  std::optional<model::Policy> policy = policy_of(name);
  if (policy) policy->instant = model::Policy().instant;
  return policy;
}

// Replays one row and compares it; returns how many jobs waited.
std::uint64_t check_row(const codec::Trace& trace, const Record& row) {
  const std::string name =
      fmt::format("{} {} {}", stated(row, "trace"), stated(row, "slots"), stated(row, "policy"));
  SCOPED_TRACE(name);
  const bool asks_for_gpus = trace.shapes[trace.rows.front().shape].gpu > 0;
  const Pool pool{.resource = asks_for_gpus ? "gpu" : "cpu", .slots = whole(stated(row, "slots"))};
  const auto outcome = replay(trace, pool, *pooled_policy_of(stated(row, "policy")));
  if (!outcome || outcome->waits.empty()) {
    ADD_FAILURE() << (outcome ? "no job ran" : base::to_string(outcome.error()));
    return 0;
  }
  const Record figures = figures_of_pool(*outcome);
  const std::size_t differing = count_differing(row, figures);
  tell(name, *outcome, fmt::format("{} of {} figures", differing, figures.size()));
  EXPECT_EQ(outcome->waits.size() + outcome->rejected, trace.rows.size());
  EXPECT_EQ(outcome->timed_out, 0U);
  EXPECT_EQ(outcome->astray, 0U);
  return outcome->waited();
}

class PoolOfSlots : public testing::TestWithParam<Pooled> {};

TEST_P(PoolOfSlots, HasExactlyTheWaitsOfTheReference) {
  if (!has_shared_traces()) GTEST_SKIP() << kSharedIsAbsent;
  // Plans of `easy` use exact run times; nobody else looks at limits.
  auto trace = read(shared_traces() / GetParam().file, codec::LimitMode::Run);
  ASSERT_TRUE(trace) << base::to_string(trace.error());
  if (GetParam().rows_max > 0) {
    ASSERT_GE(trace->rows.size(), GetParam().rows_max);
    trace->rows.resize(GetParam().rows_max);
  }
  ASSERT_FALSE(trace->rows.empty());
  std::uint64_t waited = 0;
  for (const Record& row : reference_rows()) {
    if (stated(row, "trace") != GetParam().name || !policy_of(stated(row, "policy"))) continue;
    waited += check_row(*trace, row);
  }
  EXPECT_GT(waited, 0U) << "a trace is replayed to see jobs wait";
}

INSTANTIATE_TEST_SUITE_P(Shared, PoolOfSlots, testing::ValuesIn(kPooled),
                         [](const auto& test) { return plain(test.param.name); });

// --- nothing is left out unseen -----------------------------------------------------------------

using Names = std::set<std::string>;

Names traces_of(const std::vector<Record>& rows, std::string_view policy) {
  Names names;
  for (const Record& row : rows) {
    if (stated(row, "policy") == policy) names.insert(stated(row, "trace"));
  }
  return names;
}

// The schedules of expected.tsv that wait for a later part.
constexpr std::array<std::string_view, 1> kLater = {"conservative"};

TEST(KnownSchedules, AreAllReplayedOrKnownToWait) {
  if (!has_shared_traces()) GTEST_SKIP() << kSharedIsAbsent;
  for (const std::string policy : {"fcfs", "easy", "easy-endfirst"}) {
    Names replayed;
    for (const Schedule& schedule : kSchedules) {
      if (policy == schedule.policy) replayed.insert(schedule.trace);
    }
    EXPECT_EQ(traces_of(schedules(), policy), replayed) << policy;
  }
  Names pooled;
  for (const Pooled& trace : kPooled) pooled.insert(trace.name);
  EXPECT_EQ(traces_of(reference_rows(), "fifo"), pooled);
  for (const Record& row : reference_rows()) {
    const std::string policy = stated(row, "policy");
    EXPECT_TRUE(pooled.contains(stated(row, "trace"))) << stated(row, "trace");
    EXPECT_TRUE(policy_of(policy)) << policy;
  }
}

TEST(KnownSchedules, OfConservativeBackfillWait) {
  if (!has_shared_traces()) GTEST_SKIP() << kSharedIsAbsent;
  std::size_t waiting = 0;
  for (const Record& row : schedules()) {
    waiting += std::count(kLater.begin(), kLater.end(), stated(row, "policy")) > 0 ? 1U : 0U;
  }
  ASSERT_EQ(waiting + kSchedules.size(), schedules().size());
  GTEST_SKIP() << fmt::format(
      "SKIPPED: {} schedules of expected.tsv wait for every blocked job to "
      "have a reservation",
      waiting);
}

}  // namespace
}  // namespace stint::oracle
