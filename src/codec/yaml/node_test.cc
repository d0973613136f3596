#include "codec/yaml/node.h"

#include <gtest/gtest.h>

#include "codec/yaml/complaints.h"
#include "codec/yaml/parse.h"

namespace stint::codec {
namespace {

Node tree(std::string_view text, std::uint32_t file) {
  Complaints complaints;
  return parse_yaml(text, file, complaints).value();
}

TEST(Merge, MapsMergeKeyByKeyAndAnythingElseIsReplaced) {
  const Node base = tree("{a: {b: 1, c: 2}, d: [1, 2], e: x}", 0);
  const Node all = merged(base, tree("{a: {c: 3, f: 4}, d: [3], e: {g: 1}}", 1));
  EXPECT_EQ(find(*find(all, "a"), "b")->text, "1");
  EXPECT_EQ(find(*find(all, "a"), "c")->text, "3");
  EXPECT_EQ(find(*find(all, "a"), "f")->text, "4");
  EXPECT_EQ(find(all, "d")->children.size(), 1U);
  EXPECT_TRUE(find(all, "e")->is_map());
}

TEST(Merge, WhatIsMentionedLastCarriesTheMark) {
  const Node all = merged(tree("{a: {b: 1, c: 2}, z: 0}", 0), tree("\n{a: {c: 3}}", 1));
  EXPECT_EQ(key_mark(all, "a"), (Mark{1, 2, 2}));
  EXPECT_EQ(key_mark(*find(all, "a"), "b"), (Mark{0, 1, 6}));
  EXPECT_EQ(key_mark(*find(all, "a"), "c"), (Mark{1, 2, 6}));
  EXPECT_EQ(key_mark(all, "z"), (Mark{0, 1, 19}));
}

TEST(Merge, KeysKeepTheirOrderAndNewOnesComeBehind) {
  const Node all = merged(tree("{b: 1, a: 1}", 0), tree("{c: 1, a: 2}", 1));
  ASSERT_EQ(all.keys.size(), 3U);
  EXPECT_EQ(all.keys[0].text, "b");
  EXPECT_EQ(all.keys[1].text, "a");
  EXPECT_EQ(all.keys[2].text, "c");
}

TEST(Find, LooksAtTheKind) {
  const Node node = tree("{a: {b: 1}, c: 2}", 0);
  EXPECT_NE(find(node, "a", NodeKind::Map), nullptr);
  EXPECT_EQ(find(node, "c", NodeKind::Map), nullptr);
  EXPECT_EQ(find(node, "x"), nullptr);
  EXPECT_EQ(find(*find(node, "c"), "x"), nullptr);
}

}  // namespace
}  // namespace stint::codec
