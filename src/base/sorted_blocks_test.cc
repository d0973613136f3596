#include "base/sorted_blocks.h"

#include <cstdint>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace stint::base {
namespace {

std::vector<std::uint32_t> all(const SortedBlocks<std::uint32_t>& set) {
  std::vector<std::uint32_t> values;
  for (auto walk = set.walk(); !walk.at_end(); walk.next()) values.push_back(*walk);
  return values;
}

TEST(SortedBlocks, AnEmptySetHasNothingToWalk) {
  SortedBlocks<std::uint32_t> set;
  EXPECT_TRUE(set.empty());
  EXPECT_TRUE(set.walk().at_end());
  set.insert(7);
  set.erase(7);
  EXPECT_TRUE(set.empty());
  EXPECT_TRUE(set.walk().at_end());
}

TEST(SortedBlocks, HoldsWhatAnOrderedSetHoldsAfterAnyChanges) {
  SortedBlocks<std::uint32_t> set;
  std::set<std::uint32_t> expected;
  std::uint32_t x = 12345;
  for (int step = 0; step < 20'000; ++step) {
    x = x * 1664525U + 1013904223U;
    const std::uint32_t value = (x >> 12U) % 1500;
    // It grows for a while, then shrinks, so that blocks split and vanish.
    const bool grows = (step / 4000) % 2 == 0;
    if (expected.contains(value) != grows) {
      if (grows) {
        set.insert(value);
        expected.insert(value);
      } else {
        set.erase(value);
        expected.erase(value);
      }
    }
    if (step % 500 == 0) {
      ASSERT_EQ(all(set), std::vector<std::uint32_t>(expected.begin(), expected.end())) << step;
    }
  }
}

}  // namespace
}  // namespace stint::base
