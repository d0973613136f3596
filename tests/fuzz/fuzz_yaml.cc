// Any bytes: the strict layer gives a sound tree or says where it stopped.
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "codec/yaml/complaints.h"
#include "codec/yaml/node.h"
#include "codec/yaml/parse.h"

namespace {

using stint::codec::Node;
using stint::codec::NodeKind;

void demand_sound(const Node& node, std::size_t depth) {
  STINT_ASSERT(depth <= stint::codec::kDepthMax + 1);
  STINT_ASSERT(node.mark.line >= 1 && node.mark.column >= 1);
  STINT_ASSERT(node.is_map() ? node.keys.size() == node.children.size() : node.keys.empty());
  STINT_ASSERT(node.is_map() || node.is_sequence() || node.children.empty());
  STINT_ASSERT(node.is_scalar() || node.text.empty());
  std::set<std::string_view> keys;
  for (const auto& key : node.keys) {
    STINT_ASSERT(keys.insert(key.text).second);
    STINT_ASSERT(key.mark.line >= 1 && key.mark.column >= 1);
  }
  for (const Node& child : node.children) demand_sound(child, depth + 1);
}

bool same(const Node& a, const Node& b) {
  if (a.kind != b.kind || a.text != b.text || a.children.size() != b.children.size()) return false;
  for (std::size_t i = 0; i < a.children.size(); ++i) {
    if (!same(a.children[i], b.children[i])) return false;
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  stint::codec::Complaints complaints;
  const auto tree = stint::codec::parse_yaml(text, 0, complaints);
  STINT_ASSERT(tree || complaints.has_errors());
  if (!tree) return 0;
  demand_sound(*tree, 0);
  STINT_ASSERT(same(*tree, merged(*tree, *tree)));
  return 0;
}
