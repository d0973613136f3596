// Imports against the known totals of ../shared/traces/expected/file_totals.csv.
#include <cctype>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <ostream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "codec/trace/csv.h"
#include "codec/trace/csv_scanner.h"
#include "codec/trace/decompress.h"
#include "codec/trace/trace_format.h"
#include "shared_folder.h"

namespace stint::codec {
namespace {

using oracle::has_shared_traces;
using oracle::kSharedIsAbsent;
using oracle::shared_traces;
using oracle::slurp;

// One line of file_totals.csv by column name.
using Totals = std::map<std::string, std::string>;

std::map<std::string, Totals> expected_totals(const std::string& text) {
  std::map<std::string, Totals> files;
  std::vector<std::string> columns;
  CsvScanner scanner(text);
  while (scanner.next()) {
    if (columns.empty()) {
      for (std::size_t i = 0; i < scanner.size(); ++i) columns.emplace_back(scanner.field(i));
      continue;
    }
    Totals& totals = files[std::string(scanner.field(0))];
    for (std::size_t i = 0; i < columns.size(); ++i) totals[columns[i]] = scanner.field(i);
  }
  return files;
}

std::int64_t number(const Totals& totals, const std::string& column) {
  const std::string& text = totals.at(column);
  std::int64_t value = -1;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

struct File {
  const char* name;
  TraceFormat format;
  std::uint64_t rejected;  // rows that are no jobs; reference_replay.csv counts the same
  friend void PrintTo(const File& file, std::ostream* out) { *out << file.name; }
};

// For the names of the generated tests: letters and digits only.
std::string test_name(const testing::TestParamInfo<File>& info) {
  std::string name;
  for (const char c : std::string_view(info.param.name)) {
    name.push_back(std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_');
  }
  return name;
}

class FileTotals : public testing::TestWithParam<File> {};

TEST_P(FileTotals, AreThoseOfTheOrigin) {
  if (!has_shared_traces()) GTEST_SKIP() << kSharedIsAbsent;
  const std::filesystem::path traces = shared_traces();
  const auto expected_text = slurp(traces / "expected/file_totals.csv");
  ASSERT_TRUE(expected_text);
  const std::map<std::string, Totals> all = expected_totals(*expected_text);
  ASSERT_TRUE(all.contains(GetParam().name));
  const Totals& expected = all.at(GetParam().name);

  auto packed = slurp(traces / GetParam().name);
  ASSERT_TRUE(packed);
  const auto text = unpack(std::move(*packed));
  ASSERT_TRUE(text) << base::to_string(text.error());
  ASSERT_EQ(detect_trace_format(*text), GetParam().format);
  const TraceResult trace = read_trace(*text, GetParam().name);
  ASSERT_TRUE(trace) << to_string(trace.error().front());

  const TraceTotals& origin = trace->origin;
  EXPECT_EQ(static_cast<std::int64_t>(trace->rows_read), number(expected, "rows"));
  EXPECT_EQ(static_cast<std::int64_t>(origin.rows), number(expected, "rows"));
  EXPECT_EQ(origin.resource_milli, number(expected, "sum_resource") * 1000);
  EXPECT_EQ(origin.duration, number(expected, "sum_duration") * 1000);
  EXPECT_TRUE(origin.resource_duration ==
              base::i128{number(expected, "sum_resource_x_duration")} * 1'000'000);
  EXPECT_EQ(origin.submit_first, number(expected, "first_submit") * 1000);
  EXPECT_EQ(origin.submit_last, number(expected, "last_submit") * 1000);
  EXPECT_EQ(static_cast<std::int64_t>(origin.groups), number(expected, "groups"));
  EXPECT_EQ(trace->rejected_count(), GetParam().rejected);
  EXPECT_EQ(trace->rows.size() + trace->rejected_count(), trace->rows_read);

  // The conversion to the plain table loses nothing.
  const TraceResult again = read_csv(write_csv(*trace), "converted");
  ASSERT_TRUE(again) << to_string(again.error().front());
  EXPECT_TRUE(same_jobs(*trace, *again));
}

INSTANTIATE_TEST_SUITE_P(
    Shared, FileTotals,
    testing::Values(File{"philly/philly_jobs.csv.gz", TraceFormat::Philly, 0},
                    File{"philly/philly_week_2017-10-09.csv", TraceFormat::Philly, 0},
                    File{"swf/RICC-2010-2.swf.gz", TraceFormat::Swf, 10},
                    File{"swf/NASA-iPSC-1993-3.1-cln.swf.gz", TraceFormat::Swf, 173},
                    File{"swf/hpc2n_first3170.swf", TraceFormat::Swf, 25},
                    File{"swf/metacentrum_wagap_2013_ext21.swf.gz", TraceFormat::Swf, 2},
                    File{"swf/lublin_256.swf.gz", TraceFormat::Swf, 0}),
    test_name);

struct Normalised {
  const char* name;
  std::size_t jobs;
  const char* processors;
  friend void PrintTo(const Normalised& trace, std::ostream* out) { *out << trace.name; }
};

class NormalisedTrace : public testing::TestWithParam<Normalised> {};

// The job counts and machine sizes that swf/README.md states.
TEST_P(NormalisedTrace, HasTheJobsThatItsReadmeStates) {
  if (!has_shared_traces()) GTEST_SKIP() << kSharedIsAbsent;
  auto packed = slurp(shared_traces() / fmt::format("swf/{}.swf.gz", GetParam().name));
  ASSERT_TRUE(packed);
  const auto text = unpack(std::move(*packed));
  ASSERT_TRUE(text) << base::to_string(text.error());
  const TraceResult trace = read_trace(*text, GetParam().name);
  ASSERT_TRUE(trace) << to_string(trace.error().front());
  EXPECT_EQ(trace->rows.size(), GetParam().jobs);
  EXPECT_EQ(trace->rejected_count(), 0U);
  EXPECT_EQ(trace->header_value("MaxProcs"), GetParam().processors);
  // Normalised: sorted, and no run beyond its limit.
  for (std::size_t i = 0; i < trace->rows.size(); ++i) {
    ASSERT_LE(trace->rows[i].run, trace->rows[i].limit) << i;
    ASSERT_LE(trace->rows[i == 0 ? 0 : i - 1].submit, trace->rows[i].submit) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Shared, NormalisedTrace,
                         testing::Values(Normalised{"kth5k", 5'000, "100"},
                                         Normalised{"kth", 27'992, "100"},
                                         Normalised{"hpc2n", 202'876, "240"},
                                         Normalised{"blue", 232'536, "1152"},
                                         Normalised{"thunder", 113'613, "4008"}),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace stint::codec
