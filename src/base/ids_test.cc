#include "base/ids.h"

#include <type_traits>

#include <gtest/gtest.h>

namespace stint::base {
namespace {

TEST(Id, NamesNothingUntilItIsGivenAnIndex) {
  EXPECT_FALSE(JobId().valid());
  EXPECT_TRUE(JobId(0U).valid());
  EXPECT_EQ(JobId(std::size_t{7}).index(), 7U);
  EXPECT_EQ(JobId(std::uint32_t{7}).index(), 7U);
}

TEST(Id, OrdersByIndexWithNothingLast) {
  EXPECT_LT(NodeId(1U), NodeId(2U));
  EXPECT_EQ(NodeId(2U), NodeId(2U));
  EXPECT_LT(NodeId(2U), NodeId());
}

TEST(Id, CannotBeMixedUpWithAnotherKind) {
  static_assert(!std::is_convertible_v<JobId, QueueId>);
  static_assert(!std::is_constructible_v<JobId, QueueId>);
  static_assert(!std::is_convertible_v<std::uint32_t, JobId>);
  static_assert(!std::is_convertible_v<JobId, std::uint32_t>);
}

TEST(Id, IsAsSmallAsItsIndex) { static_assert(sizeof(JobId) == sizeof(std::uint32_t)); }

}  // namespace
}  // namespace stint::base
