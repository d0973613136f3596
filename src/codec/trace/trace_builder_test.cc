#include "codec/trace/trace_builder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace stint::codec {
namespace {

TEST(SplitTasks, GivesEqualTasksOfAtMostTheSize) {
  const auto split = [](std::int64_t units, std::uint32_t size) {
    const TaskSplit s = split_tasks(units, size);
    return std::pair(s.tasks, s.each);
  };
  EXPECT_EQ(split(16, 0), std::pair(std::int64_t{1}, std::int64_t{16}));
  EXPECT_EQ(split(16, 8), std::pair(std::int64_t{2}, std::int64_t{8}));
  EXPECT_EQ(split(12, 8), std::pair(std::int64_t{2}, std::int64_t{6}));
  EXPECT_EQ(split(13, 8), std::pair(std::int64_t{2}, std::int64_t{7}));
  EXPECT_EQ(split(3, 8), std::pair(std::int64_t{1}, std::int64_t{3}));
  EXPECT_EQ(split(5, 1), std::pair(std::int64_t{5}, std::int64_t{1}));
}

TEST(SplitTasks, AsksForLessThanOneUnitPerTaskMore) {
  for (std::int64_t units = 1; units < 200; ++units) {
    for (std::uint32_t size = 1; size < 40; ++size) {
      const TaskSplit split = split_tasks(units, size);
      EXPECT_LE(split.each, size);
      EXPECT_GE(split.tasks * split.each, units);
      EXPECT_LT(split.tasks * split.each - units, split.tasks);
    }
  }
}

TEST(ShapeTable, GivesEqualShapesOneId) {
  ShapeTable table;
  std::vector<TraceShape> shapes;
  for (int round = 0; round < 2; ++round) {
    for (std::uint32_t i = 0; i < 1000; ++i) {
      const std::int64_t amount = i;
      EXPECT_EQ(table.intern({amount % 10, amount / 100, amount / 10 % 10}, shapes), i);
    }
  }
  EXPECT_EQ(shapes.size(), 1000U);
}

// Adds rows with these names; answers which were new.
std::vector<bool> add_all(const std::vector<std::string>& names) {
  Trace trace;
  NameTable table;
  std::vector<bool> is_new;
  for (const std::string& name : names) {
    TraceRow row;
    row.name_begin = static_cast<std::uint32_t>(trace.names.size());
    row.name_size = static_cast<std::uint32_t>(name.size());
    trace.names.append(name);
    trace.rows.push_back(row);
    is_new.push_back(table.add(trace, static_cast<std::uint32_t>(trace.rows.size() - 1)));
  }
  return is_new;
}

TEST(NameTable, NoticesARepeatedNameWhetherNamesRiseOrNot) {
  EXPECT_EQ(add_all({"1", "2", "9", "10", "11"}), std::vector<bool>(5, true));
  EXPECT_EQ(add_all({"1", "2", "2"}), (std::vector<bool>{true, true, false}));
  EXPECT_EQ(add_all({"1", "10", "2", "10", "1", "3"}),
            (std::vector<bool>{true, true, true, false, false, true}));
}

TEST(NameTable, StillKnowsAllNamesAfterGrowing) {
  std::vector<std::string> names;
  for (int i = 5000; i > 0; --i) names.push_back(fmt::format("job{}", i));
  EXPECT_EQ(add_all(names), std::vector<bool>(5000, true));
  for (int i = 1; i <= 5000; ++i) names.push_back(fmt::format("job{}", i));
  std::vector<bool> expected(10'000, true);
  for (std::size_t i = 5000; i < expected.size(); ++i) expected[i] = false;
  EXPECT_EQ(add_all(names), expected);
}

TEST(PlainText, TakesUtf8AndNothingElse) {
  EXPECT_TRUE(is_plain_text("ann"));
  EXPECT_TRUE(is_plain_text("J\xc3\xb6rg \xe6\x97\xa5\xe6\x9c\xac \xf0\x9f\x98\x80\n\t"));
  EXPECT_FALSE(is_plain_text("a\x01"));
  EXPECT_FALSE(is_plain_text("a\x7f"));
  EXPECT_FALSE(is_plain_text(std::string_view("a\0", 2)));
  EXPECT_FALSE(is_plain_text("\xc3"));              // cut off
  EXPECT_FALSE(is_plain_text("\xc0\xaf"));          // not the shortest form
  EXPECT_FALSE(is_plain_text("\xe0\x80\xaf"));      // not the shortest form
  EXPECT_FALSE(is_plain_text("\xed\xa0\x80"));      // surrogate
  EXPECT_FALSE(is_plain_text("\xf4\x90\x80\x80"));  // beyond U+10FFFF
  EXPECT_FALSE(is_plain_text("\xf0\x80\x80\x80"));  // not the shortest form
  EXPECT_FALSE(is_plain_text("caf\xe9"));           // Latin-1
}

TEST(TraceErrors, SaysThatThereAreOthersOnceTheCapIsReached) {
  TraceErrors errors("f");
  for (std::uint32_t i = 0; i < kTraceErrorsMax; ++i) errors.add(i, 1, "x");
  EXPECT_FALSE(errors.full());
  errors.add(7, 1, "x");
  errors.add(8, 1, "x");
  EXPECT_TRUE(errors.full());
  const std::vector<Diagnostic> all = std::move(errors).take();
  ASSERT_EQ(all.size(), kTraceErrorsMax + 1);
  EXPECT_EQ(to_string(all.back()), "f:7:1: error: more than 100 errors, the rest is not shown");
}

TEST(Totals, CountNegativeValuesAsNothingAndNeverOverflow) {
  TraceTotals totals;
  add_to_totals(totals, -1000, 5000, -1);
  add_to_totals(totals, 2000, -1000, 7000);
  add_to_totals(totals, 3000, 4000, 3000);
  EXPECT_EQ(totals.rows, 3U);
  EXPECT_EQ(totals.resource_milli, 5000);
  EXPECT_EQ(totals.duration, 9000);
  EXPECT_TRUE(totals.resource_duration == 12'000'000);
  EXPECT_EQ(totals.submit_first, 3000);
  EXPECT_EQ(totals.submit_last, 7000);
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  add_to_totals(totals, kMost, kMost, kMost);
  add_to_totals(totals, kMost, kMost, kMost);
  EXPECT_EQ(totals.resource_milli, kMost);
}

}  // namespace
}  // namespace stint::codec
