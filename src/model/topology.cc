#include "model/topology.h"

#include <map>

namespace stint::model {

std::optional<Level> Topology::find_level(const Cluster& cluster, std::string_view name) {
  for (std::size_t l = 0; l < cluster.levels.size(); ++l) {
    if (cluster.levels[l] == name) return static_cast<Level>(l);
  }
  if (name == kNodeLevelName) return static_cast<Level>(cluster.levels.size());
  return std::nullopt;
}

Topology::Topology(const Cluster& cluster)
    : by_level_(cluster.levels.size()),
      of_node_(cluster.levels.size(), std::vector<DomainId>(cluster.nodes.size())) {
  std::map<std::string, DomainId, std::less<>> known;  // by level and path
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    std::string path;
    for (std::size_t l = 0; l < cluster.levels.size(); ++l) {
      const std::string& name = cluster.nodes[n].domains[l];
      if (l > 0) path += '/';
      path += name;
      if (name.empty()) continue;
      const auto [it, is_new] =
          known.try_emplace(std::to_string(l) + ':' + path, DomainId(domains_.size()));
      if (is_new) {
        domains_.push_back({static_cast<Level>(l), path, {}});
        by_level_[l].push_back(it->second);
      }
      domains_[it->second.index()].nodes.push_back(NodeId(n));
      of_node_[l][n] = it->second;
    }
  }
}

}  // namespace stint::model
