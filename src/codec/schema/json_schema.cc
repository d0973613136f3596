#include "codec/schema/json_schema.h"

#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/amount.h"
#include "codec/schema/tables.h"

namespace stint::codec {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kDuration = "^(?=.)([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?([0-9]+ms)?$";
constexpr std::string_view kMemory = "^[0-9]+(\\.[0-9]+)?(Ki|Mi|Gi|Ti|Pi)$";
constexpr std::string_view kPercent = "^[0-9]+(\\.[0-9]{1,3})?%$";

Json ref_to(const Block& block) { return {{"$ref", fmt::format("#/$defs/{}", block.name)}}; }
Json pattern(std::string_view text) { return {{"type", "string"}, {"pattern", text}}; }
// A text may look like a number to others; for us it stays a text.
Json text() { return {{"type", {"string", "number"}}}; }
Json map_of(Json values) {
  return {{"type", "object"}, {"additionalProperties", std::move(values)}};
}
Json list_of(Json items) { return {{"type", "array"}, {"items", std::move(items)}}; }

Json words(std::span<const std::string_view> list) {
  Json all = Json::array();
  for (const std::string_view word : list) all.push_back(word);
  return {{"enum", std::move(all)}};
}

Json thousandths(std::int64_t value) {
  if (value % 1000 == 0) return value / 1000;
  return static_cast<double>(value) / 1000.0;
}

Json amount(bool percent, std::span<const std::string_view> instead) {
  Json choices = Json::array({{{"type", "number"}, {"minimum", 0}}, pattern(kMemory)});
  if (percent) choices.push_back(pattern(kPercent));
  if (!instead.empty()) choices.push_back(words(instead));
  return {{"anyOf", std::move(choices)}};
}

Json range(std::string_view type, Json low, Json high) {
  return {{"type", type}, {"minimum", std::move(low)}, {"maximum", std::move(high)}};
}

// What the key may hold, without the words that may stand instead.
Json value_schema(const KeySpec& key) {
  switch (key.type) {
    case Type::Version:
      return {{"const", 1}};
    case Type::Map:
      return ref_to(*key.block);
    case Type::Named:
      return map_of(ref_to(*key.block));
    case Type::List:
      return list_of(ref_to(*key.block));
    case Type::Text:
    case Type::HostList:
      return text();
    case Type::TextList:
      return list_of(text());
    case Type::Labels:
    case Type::Domains:
      return map_of(text());
    case Type::Amounts:
      return map_of(amount(false, {}));
    case Type::Shares:
      return map_of(amount(true, {}));
    case Type::Limits:
      return map_of(amount(true, key.words));
    case Type::Count:
      return {{"type", "number"}, {"minimum", 0}};
    case Type::Decimal:
      return range("number", thousandths(key.min), thousandths(key.max));
    case Type::Integer:
      return range("integer", key.min, key.max);
    case Type::Flag:
      return {{"type", "boolean"}};
    case Type::Duration:
      return pattern(kDuration);
    case Type::TimeRange:
      return {
          {"anyOf",
           {pattern(kDuration),
            {{"type", "array"}, {"items", pattern(kDuration)}, {"minItems", 2}, {"maxItems", 2}}}}};
    case Type::Choice:
      return words(key.words);
  }
  return Json::object();
}

// The default in the type of the key.
Json default_of(const KeySpec& key) {
  if (key.type == Type::Flag) return key.default_text == "true";
  const bool is_number = key.type == Type::Decimal || key.type == Type::Integer;
  if (!is_number) return key.default_text;
  return thousandths(base::parse_decimal(key.default_text, 3, key.max * 1000 + 1000).value_or(0));
}

Json key_schema(const Block& block, const KeySpec& key) {
  if (const Unavailable* row = unavailable(block.name, key.name)) {
    return {{"description", unavailable_text(*row)}, {"not", Json::object()}};
  }
  Json schema = {{"description", key.doc}};
  if (!key.default_text.empty()) schema["default"] = default_of(key);
  Json value = value_schema(key);
  if (key.type != Type::Choice && !key.words.empty()) {
    value = {{"anyOf", {std::move(value), words(key.words)}}};
  }
  schema.update(value);
  return schema;
}

Json block_schema(const Block& block) {
  Json properties = Json::object();
  Json required = Json::array();
  for (const KeySpec& key : block.keys) {
    properties[std::string(key.name)] = key_schema(block, key);
    if (key.required) required.push_back(key.name);
  }
  Json schema = {{"description", block.doc},
                 {"type", "object"},
                 {"additionalProperties", false},
                 {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  return schema;
}

std::string schema_text(const Block& root, std::string_view title) {
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", title}};
  schema.update(block_schema(root));
  Json definitions = Json::object();
  for (const Block* block : blocks_from(root)) {
    if (block != &root) definitions[std::string(block->name)] = block_schema(*block);
  }
  schema["$defs"] = std::move(definitions);
  return fmt::format("{}\n", schema.dump(2));
}

}  // namespace

std::string json_schema_config() { return schema_text(kConfigFile, "Stint configuration"); }
std::string json_schema_scenario() { return schema_text(kScenarioFile, "Stint scenario"); }

}  // namespace stint::codec
