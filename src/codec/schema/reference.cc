#include "codec/schema/reference.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "base/amount.h"
#include "codec/schema/tables.h"

namespace stint::codec {

namespace {

// All maps of both kinds of files, each once.
std::vector<const Block*> all_blocks() {
  std::vector<const Block*> blocks = blocks_from(kConfigFile);
  for (const Block* block : blocks_from(kScenarioFile)) {
    if (std::ranges::find(blocks, block) == blocks.end()) blocks.push_back(block);
  }
  return blocks;
}

std::string bounds(const KeySpec& key) {
  if (key.type == Type::Integer) return fmt::format(", {} to {}", key.min, key.max);
  if (key.type == Type::Decimal) {
    return fmt::format(", {} to {}", base::format_decimal(key.min, 3),
                       base::format_decimal(key.max, 3));
  }
  if (key.type == Type::Duration && key.min > 0) return ", longer than 0s";
  return "";
}

std::string values_text(const KeySpec& key) {
  std::vector<std::string> words;
  for (const std::string_view word : key.words) words.push_back(fmt::format("`{}`", word));
  const std::string list = fmt::format("{}", fmt::join(words, ", "));
  if (key.type == Type::Choice) return list;
  const std::string type = fmt::format("{}{}", type_name(key.type), bounds(key));
  return words.empty() ? type : fmt::format("{}; or {}", type, list);
}

std::string default_text(const KeySpec& key) {
  if (key.required) return "required";
  return key.default_text.empty() ? "" : fmt::format("`{}`", key.default_text);
}

std::string doc_text(const Block& block, const KeySpec& key) {
  const Unavailable* row = unavailable(block.name, key.name);
  return row == nullptr ? std::string(key.doc)
                        : fmt::format("{} (Not available in this version.)", key.doc);
}

std::string block_text(const Block& block) {
  std::string text = fmt::format("## {}\n\n{}\n\n| key | holds | default | |\n|---|---|---|---|\n",
                                 block.title, block.doc);
  for (const KeySpec& key : block.keys) {
    fmt::format_to(std::back_inserter(text), "| `{}` | {} | {} | {} |\n", key.name,
                   values_text(key), default_text(key), doc_text(block, key));
  }
  return text;
}

}  // namespace

std::string reference_markdown() {
  std::string text =
      "# Configuration and scenario files\n\n"
      "This page is written by the program from the tables that its reader checks files with.\n\n"
      "Amounts are counts with up to three decimals (`8`, `0.5`); memory is written `512Gi`, "
      "`2Ti`. Durations are\n"
      "`30s`, `10m`, `2h`, `7d` and sums such as `1h30m`. Percentages are `25%`. A number in "
      "quotes is a text.\n"
      "Host lists are `n7`, `a[001-064]`, `n[1,3-5]`.\n";
  for (const Block* block : all_blocks()) text += fmt::format("\n{}", block_text(*block));
  return text;
}

std::optional<std::string> key_help(std::string_view name) {
  std::string text;
  for (const Block* block : all_blocks()) {
    const KeySpec* key = find_key(*block, name);
    if (key == nullptr) continue;
    const std::string by_default = default_text(*key);
    fmt::format_to(std::back_inserter(text), "{} in {}: {}{}{}\n  {}\n", name, block->title,
                   values_text(*key), by_default.empty() || key->required ? "" : ", default ",
                   key->required ? ", required" : by_default, doc_text(*block, *key));
  }
  if (text.empty()) return std::nullopt;
  return text;
}

}  // namespace stint::codec
