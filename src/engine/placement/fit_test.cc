// Devices of one node: what fits on which.
#include "engine/placement/fit.h"

#include <gtest/gtest.h>

#include "engine/test_world.h"

namespace stint::engine {
namespace {

class SharedDevices : public testing::Test {
 protected:
  std::vector<model::DeviceShare> take_gpus(Amount milli) {
    return take(node(), world_.amounts({milli}), gpu_, 1);
  }
  std::uint32_t fit(Amount milli) {
    return tasks_that_fit(node(), world_.amounts({milli}), gpu_, 9);
  }
  model::NodeState& node() { return state_.nodes[0]; }

  TestWorld world_{{"gpu"}, {3000}};
  State& state_ = world_.finish();
  base::ResourceId gpu_{0U};
};

TEST_F(SharedDevices, AreNeverPutTogetherForAWholeOne) {
  for (int i = 0; i < 3; ++i) static_cast<void>(take_gpus(600));
  // 1.2 are free, 0.4 on each.
  EXPECT_EQ(fit(1000), 0U);
  EXPECT_EQ(fit(400), 3U);
}

TEST_F(SharedDevices, AreFilledTheFullestFirst) {
  static_cast<void>(take_gpus(300));
  EXPECT_EQ(take_gpus(800)[0].device, 1U);
  EXPECT_EQ(take_gpus(200)[0].device, 1U);
  EXPECT_EQ(take_gpus(200)[0].device, 0U);
  EXPECT_EQ(node().whole_devices, 1U);
}

TEST_F(SharedDevices, ServeTheFractionBesideAWholeOne) {
  static_cast<void>(take_gpus(500));
  const auto used = take_gpus(1500);
  ASSERT_EQ(used.size(), 2U);
  EXPECT_EQ(used[0].device, 1U);
  EXPECT_EQ(used[1].device, 0U);
  EXPECT_EQ(fit(1000), 1U);
}

}  // namespace
}  // namespace stint::engine
