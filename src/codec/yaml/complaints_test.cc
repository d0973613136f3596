#include "codec/yaml/complaints.h"

#include <gtest/gtest.h>

namespace stint::codec {
namespace {

TEST(Complaints, ComeInFileOrderWithLintsBehind) {
  Complaints complaints;
  complaints.lint({0, 1, 1}, "odd");
  complaints.error({1, 1, 1}, "third");
  complaints.error({0, 9, 2}, "second");
  complaints.error({0, 9, 1}, "first");
  const auto all = complaints.in_order({"a", "b"});
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(to_string(all[0]), "a:9:1: error: first");
  EXPECT_EQ(to_string(all[1]), "a:9:2: error: second");
  EXPECT_EQ(to_string(all[2]), "b:1:1: error: third");
  EXPECT_EQ(to_string(all[3]), "a:1:1: warning: odd");
}

TEST(Complaints, WhatWasSaidIsNotSaidAgain) {
  Complaints complaints;
  complaints.error({0, 1, 1}, "x");
  complaints.error({0, 1, 1}, "y");
  complaints.error({0, 1, 1}, "x");
  EXPECT_EQ(complaints.in_order({"a"}).size(), 2U);
}

}  // namespace
}  // namespace stint::codec
