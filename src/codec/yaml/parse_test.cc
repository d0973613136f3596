#include "codec/yaml/parse.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codec/yaml/scan.h"

namespace stint::codec {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

struct Parsed {
  std::optional<Node> tree;
  std::vector<std::string> errors;  // "line:col text"
};

Parsed parse(std::string_view text) {
  Complaints complaints;
  Parsed parsed;
  parsed.tree = parse_yaml(text, 0, complaints);
  for (const Diagnostic& d : complaints.in_order({"f"})) {
    parsed.errors.push_back(fmt::format("{}:{} {}", d.line, d.column, d.message));
  }
  return parsed;
}

TEST(Yaml, EveryNodeAndKeyKnowsItsPlaceFromOne) {
  const Parsed parsed = parse("a: 1\nlist:\n  - {b: \"x\", c: [y]}\n");
  ASSERT_TRUE(parsed.tree);
  EXPECT_THAT(parsed.errors, SizeIs(0));
  const Node& root = *parsed.tree;
  EXPECT_EQ(root.keys[0].mark, (Mark{0, 1, 1}));
  EXPECT_EQ(root.children[0].mark, (Mark{0, 1, 4}));
  const Node& item = root.children[1].children[0];
  EXPECT_EQ(item.mark, (Mark{0, 3, 5}));
  EXPECT_EQ(item.keys[0].mark, (Mark{0, 3, 6}));
  EXPECT_EQ(find(item, "b")->mark, (Mark{0, 3, 9}));
  EXPECT_EQ(find(item, "c")->children[0].mark, (Mark{0, 3, 18}));
}

TEST(Yaml, ColumnsAreCodePoints) {
  const Parsed parsed = parse("{\"äöü😀\": 1, b: 2}\n");
  ASSERT_TRUE(parsed.tree);
  EXPECT_EQ(parsed.tree->keys[1].mark, (Mark{0, 1, 13}));
}

TEST(Yaml, AByteOrderMarkIsSkipped) {
  const Parsed parsed = parse(
      "\xef\xbb\xbf"
      "a: 1\n");
  ASSERT_TRUE(parsed.tree);
  EXPECT_EQ(parsed.tree->keys[0].mark, (Mark{0, 1, 1}));
  EXPECT_EQ(parsed.tree->keys[0].text, "a");
}

TEST(Yaml, NoScalarIsGivenAType) {
  const Parsed parsed = parse("[010, 0x1F, yes, .inf, \"2\", '3', 1.50]\n");
  ASSERT_TRUE(parsed.tree);
  std::vector<std::string> texts;
  for (const Node& node : parsed.tree->children) texts.push_back(node.text);
  EXPECT_THAT(texts, ElementsAre("010", "0x1F", "yes", ".inf", "2", "3", "1.50"));
  EXPECT_FALSE(parsed.tree->children[0].quoted);
  EXPECT_TRUE(parsed.tree->children[4].quoted);
  EXPECT_TRUE(parsed.tree->children[5].quoted);
}

TEST(Yaml, WindowsLineEndsAreLegal) {
  const Parsed parsed = parse("a: 1\r\nb: 2\r\n");
  ASSERT_TRUE(parsed.tree);
  EXPECT_THAT(parsed.errors, SizeIs(0));
  EXPECT_EQ(find(*parsed.tree, "a")->text, "1");
}

TEST(Yaml, AnEmptyFileIsAnEmptyNode) {
  for (const char* text : {"", "\n", "# only a comment\n", "---\n"}) {
    const Parsed parsed = parse(text);
    ASSERT_TRUE(parsed.tree) << text;
    EXPECT_EQ(parsed.tree->kind, NodeKind::Empty) << text;
  }
}

TEST(Yaml, AnEmptyValueStandsAtItsKey) {
  const Parsed parsed = parse("a: 1\nb:\nc: {d: , e: ~}\n");
  ASSERT_TRUE(parsed.tree);
  EXPECT_EQ(find(*parsed.tree, "b")->kind, NodeKind::Empty);
  EXPECT_EQ(find(*parsed.tree, "b")->mark, (Mark{0, 2, 1}));
  const Node& c = *find(*parsed.tree, "c");
  EXPECT_EQ(find(c, "d")->mark, (Mark{0, 3, 5}));
  EXPECT_EQ(find(c, "e")->mark, (Mark{0, 3, 13}));
}

// One row of DEPENDENCIES §3: a text, and the one complaint about it.
struct Refused {
  const char* name;
  std::string text;
  std::string place;
  std::string words;
};

class YamlRefuses : public ::testing::TestWithParam<Refused> {};

TEST_P(YamlRefuses, AtThePlaceWithTheWords) {
  const Parsed parsed = parse(GetParam().text);
  ASSERT_THAT(parsed.errors, SizeIs(1));
  EXPECT_EQ(parsed.errors[0].substr(0, parsed.errors[0].find(' ')), GetParam().place);
  EXPECT_THAT(parsed.errors[0], HasSubstr(GetParam().words));
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

INSTANTIATE_TEST_SUITE_P(
    Each, YamlRefuses,
    ::testing::Values(
        Refused{"DuplicateKey", "a: 1\nb: 2\na: 3\n", "3:1",
                "duplicate key \"a\" (it stands already at line 1, column 1)"},
        Refused{"DuplicateKeyQuoted", "{a: 1, \"a\": 2}\n", "1:8", "duplicate"},
        Refused{"Tag", "a: !!str 1\n", "1:4", "tags"},
        Refused{"BareTag", "a: ! 1\n", "1:4", "tags"},
        Refused{"TagOfMap", "a: !x {b: 1}\n", "1:4", "tags"},
        Refused{"Anchor", "a: &x 1\n", "1:4", "anchors"},
        Refused{"MergeKey", "a: 1\n<<: {b: 1}\n", "2:1", "<<"},
        Refused{"SecondDocument", "a: 1\n---\nb: 2\n", "2:1", "second document"},
        Refused{"TabInIndent", "a:\n\tb: 1\n", "2:1", "tab"},
        Refused{"TabInFlow", "a: {b: 1,\tc: 2}\n", "1:10", "tab"},
        Refused{"TabBehindValue", "a: 1\t\n", "1:5", "tab"},
        Refused{"TabAfterQuotes", "a: \"x\"\t\n", "1:7", "tab"},
        Refused{"Nul", std::string("a: 1\0\n", 6), "1:5", "0x00"},
        Refused{"EndOfTransmission", "a: 1\x04\nb: 2\n", "1:5", "0x04"},
        Refused{"LoneCarriageReturn", "a: 1\rb: 2\n", "1:5", "carriage return"},
        Refused{"ByteThatIsNoUtf8", "a: \xff\n", "1:4", "0xff"},
        Refused{"OverlongUtf8", "a: \xc1\n", "1:4", "UTF-8"},
        Refused{"CutUtf8", "a: \xe2\x82", "1:4", "UTF-8"},
        Refused{"MarkInside", "a: \xef\xbb\xbf\n", "1:4", "U+FEFF"},
        Refused{"KeyIsAList", "? [a]\n: 1\n", "1:3", "one word"},
        Refused{"KeyIsAMap", "{{a: 1}: 2}\n", "1:2", "one word"},
        Refused{"KeyIsMissing", "{: 1}\n", "1:1", "key is missing"},
        Refused{"SyntaxError", "a: [1, 2\n", "2:1", "not readable as YAML"},
        Refused{"MissingBlank", "a: 1\nb:2\nc: 3\n", "3:2", "is a space missing after a colon?"},
        Refused{"TooDeep", repeated("[", 33) + repeated("]", 33), "1:33", "32 deep"},
        Refused{"LongScalar", "a: " + repeated("x", kScalarBytesMax + 1), "1:4", "65537 bytes"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(Yaml, AnAliasIsRefusedBesideItsAnchor) {
  const Parsed parsed = parse("a: &x 1\nb: *x\n");
  EXPECT_THAT(parsed.errors, ElementsAre(HasSubstr("1:4 anchors"), HasSubstr("2:4 aliases")));
}

TEST(Yaml, TheCapsThemselvesAreLegal) {
  const Parsed deep = parse(repeated("[", kDepthMax) + repeated("]", kDepthMax));
  EXPECT_THAT(deep.errors, SizeIs(0));
  const Parsed scalar = parse("a: " + repeated("x", kScalarBytesMax));
  EXPECT_THAT(scalar.errors, SizeIs(0));
}

TEST(Yaml, AFileAboveTheSizeCapIsNotRead) {
  const Parsed parsed = parse("# " + std::string(kFileBytesMax, 'x'));
  ASSERT_THAT(parsed.errors, SizeIs(1));
  EXPECT_THAT(parsed.errors[0], HasSubstr("at most 16777216"));
}

TEST(Yaml, TooManyNodesStopTheReading) {
  const Parsed parsed = parse("[" + repeated("a,", kNodesMax + 1) + "]");
  ASSERT_THAT(parsed.errors, SizeIs(1));
  EXPECT_THAT(parsed.errors[0], HasSubstr("more than 1048576"));
}

TEST(Yaml, EveryTabIsReportedAndNothingIsParsed) {
  const Parsed parsed = parse("a:\n\tb: 1\n\tc: [\n");
  EXPECT_FALSE(parsed.tree);
  EXPECT_THAT(parsed.errors, ElementsAre(HasSubstr("2:1 a tab"), HasSubstr("3:1 a tab")));
}

TEST(Yaml, TabsInCommentsAndQuotesAreLegal) {
  const Parsed parsed = parse("a: 1 #\tx\n# it's\ta\nb: \"x\ty\"\nc: 'it''s\tx'\nd: it's # \t\n");
  EXPECT_THAT(parsed.errors, SizeIs(0));
  ASSERT_TRUE(parsed.tree);
  EXPECT_EQ(find(*parsed.tree, "b")->text, "x\ty");
}

TEST(Yaml, AnEscapedBackslashClosesTheQuotes) {
  const Parsed parsed = parse("a: [\"x\\\\\",\tb]\n");
  ASSERT_THAT(parsed.errors, SizeIs(1));
  EXPECT_THAT(parsed.errors[0], HasSubstr("1:11 a tab"));
}

TEST(Yaml, AQuoteInsideAWordHidesNoTab) {
  const Parsed parsed = parse("a: it's {\tx}\n");
  ASSERT_THAT(parsed.errors, SizeIs(1));
  EXPECT_THAT(parsed.errors[0], HasSubstr("1:10 a tab"));
}

TEST(Yaml, AFileOfTabsDoesNotMakeAMillionMessages) {
  const Parsed parsed = parse(repeated("\t", 100'000));
  EXPECT_THAT(parsed.errors, SizeIs(kComplaintsMax + 1));
  EXPECT_THAT(parsed.errors.back(), HasSubstr("99000 more"));
}

TEST(Yaml, TheFirstOfTwoEqualKeysIsKept) {
  const Parsed parsed = parse("{a: 1, b: 2, a: 3}\n");
  ASSERT_TRUE(parsed.tree);
  EXPECT_THAT(parsed.tree->keys, SizeIs(2));
  EXPECT_EQ(find(*parsed.tree, "a")->text, "1");
}

TEST(Yaml, ManyLongLinesStayCheap) {
  // A million columns of two bytes each: columns are counted on, not from the start of the line.
  std::string text = "[";
  for (int i = 0; i < 200'000; ++i) text += "\"ä\",";
  const Parsed parsed = parse(text + "]");
  ASSERT_TRUE(parsed.tree);
  EXPECT_EQ(parsed.tree->children.back().mark.column, 2U + 4U * 199'999U);
}

}  // namespace
}  // namespace stint::codec
