#include "sim/metrics/spans.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace stint::sim {
namespace {

TEST(Spans, GiveBackWhatWasAddedHoweverLongOrMany) {
  Spans spans;
  std::vector<Millis> expected = {7};
  for (Millis span = 0; span < 10'000; ++span) expected.push_back(span * 3);
  for (const Millis days : {49, 50, 400}) expected.push_back(days * base::kDay);
  for (std::size_t s = 1; s < expected.size(); ++s) spans.add(expected[s]);
  EXPECT_EQ(spans.size(), expected.size() - 1);
  std::vector<Millis> all = {7};
  spans.append_to(all);
  std::sort(all.begin(), all.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(all, expected);
}

}  // namespace
}  // namespace stint::sim
