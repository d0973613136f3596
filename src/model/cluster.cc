#include "model/cluster.h"

#include <fmt/format.h>

namespace stint::model {

Amounts Cluster::capacity() const {
  Amounts sum(resources.size());
  for (const Node& node : nodes) sum += node.has;
  return sum;
}

NodeId Cluster::find_node(std::string_view name) const {
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    if (nodes[n].name == name) return NodeId(n);
  }
  return {};
}

std::string label_text(std::string_view key, std::string_view value) {
  return fmt::format("{}={}", key, value);
}

}  // namespace stint::model
