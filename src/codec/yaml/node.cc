#include "codec/yaml/node.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace stint::codec {

namespace {

// Indexes of the keys, sorted by key: so that two large maps merge in n log n.
std::vector<std::size_t> sorted_keys(const Node& map) {
  std::vector<std::size_t> order(map.keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return map.keys[a].text < map.keys[b].text; });
  return order;
}

void merge_into(Node& base, const Node& overlay) {
  if (!base.is_map() || !overlay.is_map()) {
    base = overlay;
    return;
  }
  base.mark = overlay.mark;
  const std::vector<std::size_t> order = sorted_keys(base);
  for (std::size_t i = 0; i < overlay.keys.size(); ++i) {
    const std::string& key = overlay.keys[i].text;
    const auto found = std::lower_bound(
        order.begin(), order.end(), key,
        [&](std::size_t k, const std::string& text) { return base.keys[k].text < text; });
    if (found == order.end() || base.keys[*found].text != key) {
      base.keys.push_back(overlay.keys[i]);
      base.children.push_back(overlay.children[i]);
    } else {
      base.keys[*found].mark = overlay.keys[i].mark;
      merge_into(base.children[*found], overlay.children[i]);
    }
  }
}

}  // namespace

const Node* find(const Node& map, std::string_view key) {
  if (!map.is_map()) return nullptr;
  for (std::size_t i = 0; i < map.keys.size(); ++i) {
    if (map.keys[i].text == key) return &map.children[i];
  }
  return nullptr;
}

const Node* find(const Node& map, std::string_view key, NodeKind kind) {
  const Node* node = find(map, key);
  return node != nullptr && node->kind == kind ? node : nullptr;
}

Mark key_mark(const Node& map, std::string_view key) {
  for (const Key& entry : map.keys) {
    if (entry.text == key) return entry.mark;
  }
  return map.mark;
}

Node merged(Node base, const Node& overlay) {
  merge_into(base, overlay);
  return base;
}

}  // namespace stint::codec
