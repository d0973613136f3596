// A claim that rapidcheck tries to refute on random worlds, inside a GoogleTest.
//
// Every claim sees at least kWorlds worlds. The seed is fixed unless RC_PARAMS gives another
// (`seed=7 max_success=100000` is a soak), so a red test is red again the next time.
//
//   TEST(Worlds, AddingIsCommutative) {
//     holds("a + b = b + a", [](int a, int b) { RC_ASSERT(a + b == b + a); });
//   }
#pragma once

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace stint::property {

inline constexpr int kWorlds = 1000;

// What refutes the claim, shrunk; none if it held on all worlds.
template <class Property>
[[nodiscard]] std::optional<std::string> counterexample(const char* claim, const Property& property,
                                                        int worlds = kWorlds) {
  rc::detail::TestMetadata metadata;
  metadata.description = claim;
  rc::detail::TestParams params;
  params.seed = 1;
  if (std::getenv("RC_PARAMS") != nullptr) params = rc::detail::configuration().testParams;
  params.maxSuccess = std::max(params.maxSuccess, worlds);
  params.maxDiscardRatio = 0;
  const rc::detail::TestResult result = rc::detail::checkTestable(property, metadata, params);
  if (result.is<rc::detail::SuccessResult>()) {
    EXPECT_GE(result.get<rc::detail::SuccessResult>().numSuccess, worlds) << claim;
    return std::nullopt;
  }
  std::ostringstream message;
  rc::detail::printResultMessage(result, message);
  return message.str();
}

template <class Property>
void holds(const char* claim, const Property& property, int worlds = kWorlds) {
  const std::optional<std::string> broken = counterexample(claim, property, worlds);
  EXPECT_FALSE(broken) << claim << '\n' << *broken;
}

}  // namespace stint::property
