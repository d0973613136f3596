// How one key of a file is described: the single source of the reader's checks, of the JSON Schema
// for editors and of the reference, so that none of them can drift from the others.
//
// Invariants  1. a map that may stand in a file is one Block; what a key may hold is one Type.
//             2. default texts are texts that the reader takes (a test reads them back).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace stint::codec {

enum class Type : std::uint8_t {
  Version,    // the number 1
  Map,        // a map with the keys of `block`
  Named,      // a map from free names to maps of `block`
  List,       // a list of maps of `block`
  Text,       // one word or a text in quotes
  TextList,   // a list of texts
  HostList,   // a text such as n[1-4]
  Labels,     // a map from label to text
  Domains,    // a map from topology level to a name or host list
  Amounts,    // a map from resource to amount
  Shares,     // a map from resource to amount or percentage
  Limits,     // a map from resource to amount, percentage or one of the words; or one of the words
  Count,      // a number with up to three decimals, 0 or more
  Decimal,    // a number with up to three decimals, from min to max thousandths
  Integer,    // a whole number from min to max
  Flag,       // true or false
  Duration,   // such as 30s or 1h30m, at least min ms
  TimeRange,  // a duration, or a list of two: earliest and latest
  Choice,     // one of the words
};

struct Block;

struct KeySpec {
  std::string_view name;
  Type type = Type::Text;
  std::string_view doc{};           // one sentence
  std::string_view default_text{};  // as it would be written; empty: none
  bool required = false;
  std::span<const std::string_view> words{};  // legal instead of a value, or the words of a Choice
  std::int64_t min = 0;
  std::int64_t max = 0;
  const Block* block = nullptr;
};

struct Block {
  std::string_view name;   // unique: where the keys stand
  std::string_view title;  // heading of the reference
  std::string_view doc;
  std::span<const KeySpec> keys;
};

// The key of that name, or nullptr.
[[nodiscard]] const KeySpec* find_key(const Block& block, std::string_view name);

// The block and all that may stand below it, each once, parents first.
[[nodiscard]] std::vector<const Block*> blocks_from(const Block& root);

// "a duration", "a list of texts": what a key holds, in words.
[[nodiscard]] std::string_view type_name(Type type);

}  // namespace stint::codec
