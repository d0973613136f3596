#include <set>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "codec/config/config.h"
#include "codec/schema/json_schema.h"
#include "codec/schema/reference.h"
#include "codec/schema/tables.h"
#include "codec/schema/values.h"

namespace stint::codec {
namespace {

using ::testing::HasSubstr;

std::vector<const Block*> all_blocks() {
  std::vector<const Block*> blocks = blocks_from(kScenarioFile);
  blocks.push_back(&kConfigFile);
  return blocks;
}

TEST(Schema, EveryBlockAndEveryKeyHasAUniqueNameAndADoc) {
  std::set<std::string_view> names;
  for (const Block* block : all_blocks()) {
    EXPECT_TRUE(names.insert(block->name).second) << block->name;
    std::set<std::string_view> keys;
    for (const KeySpec& key : block->keys) {
      EXPECT_TRUE(keys.insert(key.name).second) << key.name;
      EXPECT_TRUE(key.doc.ends_with('.') || key.doc.ends_with("…")) << key.name;
      EXPECT_LE(key.min, key.max == 0 ? 1 : key.max) << key.name;
    }
  }
}

// The tables and model::Policy say the same: a file with every default written out changes nothing.
TEST(Schema, TheDefaultsOfTheTablesAreThoseOfTheModel) {
  std::string policy;
  for (const Block* block :
       {&kPolicy, &kFairShare, &kPreemption, &kBackfill, &kTimeLimits, &kFailures}) {
    if (block != &kPolicy) policy += fmt::format("  {}:\n", block->name);
    for (const KeySpec& key : block->keys) {
      if (key.default_text.empty()) continue;
      policy +=
          fmt::format("{}{}: {}\n", block == &kPolicy ? "  " : "    ", key.name, key.default_text);
    }
    if (block == &kPreemption)
      policy += fmt::format("    between_borrowers: {{after: {}}}\n",
                            kBetweenBorrowers.keys[0].default_text);
  }
  const auto result = read_config(
      {{"f", fmt::format("stint: 1\ncluster: {{nodes: [{{name: n, has: {{gpu: 1}}}}]}}\n"
                         "queues: {{q: {{weight: {}}}}}\npolicy:\n{}",
                         find_key(kQueue, "weight")->default_text, policy)}},
      nullptr);
  ASSERT_TRUE(result.ok()) << to_string(result.diagnostics.front());
  model::Policy expected;
  expected.reservations = 1;  // written out it no longer depends on the order
  EXPECT_EQ(result.value->policy, expected);
  EXPECT_EQ(result.value->tree.queues[1].weight, model::kWeightOne);
}

TEST(Schema, EveryUnavailableRowNamesAKeyThatExists) {
  for (const Unavailable& row : kUnavailable) {
    const Block* found = nullptr;
    for (const Block* block : all_blocks()) {
      if (block->name == row.block) found = block;
    }
    ASSERT_NE(found, nullptr) << row.block;
    if (row.key.empty()) continue;
    EXPECT_NE(find_key(*found, row.key), nullptr) << row.key;
  }
}

TEST(Schema, TheJsonSchemaHasEveryKeyOfEveryBlock) {
  const auto schema = nlohmann::json::parse(json_schema_scenario());
  EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
  EXPECT_EQ(schema["required"], (nlohmann::json{"stint", "cluster", "queues"}));
  for (const Block* block : blocks_from(kScenarioFile)) {
    const auto& at = block == &kScenarioFile ? schema : schema["$defs"][std::string(block->name)];
    EXPECT_EQ(at["additionalProperties"], false) << block->name;
    for (const KeySpec& key : block->keys)
      EXPECT_TRUE(at["properties"].contains(key.name)) << key.name;
  }
  EXPECT_FALSE(nlohmann::json::parse(json_schema_config())["properties"].contains("jobs"));
  EXPECT_EQ(schema["$defs"]["fair_share"]["properties"]["history"]["maximum"], 0.9);
  EXPECT_EQ(schema["$defs"]["fair_share"]["properties"]["history"]["default"], 0.5);
  EXPECT_EQ(schema["$defs"]["queue"]["properties"]["queues"]["additionalProperties"]["$ref"],
            "#/$defs/queue");
  EXPECT_TRUE(schema["$defs"]["job"]["properties"]["elastic"].contains("not"));
}

TEST(Schema, EveryReferenceOfTheJsonSchemaLeadsSomewhere) {
  for (const std::string& text : {json_schema_config(), json_schema_scenario()}) {
    const auto schema = nlohmann::json::parse(text);
    const std::string mark = "\"#/$defs/";
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
      const std::size_t start = at + mark.size();
      EXPECT_TRUE(schema["$defs"].contains(text.substr(start, text.find('"', start) - start)));
    }
  }
}

TEST(Schema, TheReferenceNamesEveryKeyWithItsDefault) {
  const std::string text = reference_markdown();
  for (const Block* block : all_blocks()) {
    EXPECT_THAT(text, HasSubstr(fmt::format("## {}\n", block->title)));
    for (const KeySpec& key : block->keys)
      EXPECT_THAT(text, HasSubstr(fmt::format("| `{}` |", key.name)));
  }
  EXPECT_THAT(text, HasSubstr("| `history` | number, 0 to 0.9 | `0.5` |"));
  EXPECT_THAT(text, HasSubstr("(Not available in this version.)"));
}

TEST(Schema, HelpOfAKeyNamesEveryPlaceItMayStand) {
  const auto help = key_help("limit");
  ASSERT_TRUE(help);
  EXPECT_THAT(*help, HasSubstr("`queues.NAME`"));
  EXPECT_THAT(*help, HasSubstr("`jobs[]`"));
  EXPECT_FALSE(key_help("gaurantee"));
}

}  // namespace
}  // namespace stint::codec
