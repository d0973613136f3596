#include "codec/schema/tables.h"

#include <algorithm>

#include <fmt/format.h>

namespace stint::codec {

const KeySpec* find_key(const Block& block, std::string_view name) {
  for (const KeySpec& key : block.keys) {
    if (key.name == name) return &key;
  }
  return nullptr;
}

std::vector<const Block*> blocks_from(const Block& root) {
  std::vector<const Block*> blocks = {&root};
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    for (const KeySpec& key : blocks[i]->keys) {
      const bool is_new =
          key.block != nullptr && std::ranges::find(blocks, key.block) == blocks.end();
      if (is_new) blocks.push_back(key.block);
    }
  }
  return blocks;
}

std::string_view type_name(Type type) {
  switch (type) {
    case Type::Version:
      return "version";
    case Type::Map:
      return "map";
    case Type::Named:
      return "map by name";
    case Type::List:
      return "list of maps";
    case Type::Text:
      return "text";
    case Type::TextList:
      return "list of texts";
    case Type::HostList:
      return "host list";
    case Type::Labels:
      return "map from label to text";
    case Type::Domains:
      return "map from level to host list";
    case Type::Amounts:
      return "map from resource to amount";
    case Type::Shares:
      return "map from resource to amount or percentage";
    case Type::Limits:
      return "map from resource to amount, percentage or word";
    case Type::Count:
    case Type::Decimal:
      return "number";
    case Type::Integer:
      return "whole number";
    case Type::Flag:
      return "true or false";
    case Type::Duration:
      return "duration";
    case Type::TimeRange:
      return "duration, or list of two";
    case Type::Choice:
      return "word";
  }
  return "";
}

const Unavailable* unavailable(std::string_view block, std::string_view key) {
  for (const Unavailable& row : kUnavailable) {
    if (row.block == block && row.key == key) return &row;
  }
  return nullptr;
}

std::string unavailable_text(const Unavailable& row) {
  return fmt::format("{} is not available in this version", row.what);
}

}  // namespace stint::codec
