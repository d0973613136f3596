// Where nodes stand: the domains of every level of the topology, the single node as the innermost.
//
// A domain is known by its path from the outermost level on, so that two blocks may both have a
// rack r1. A node whose place on a level is not stated stands in no domain of that level.
//
// Invariants  1. DomainId order within a level is that of the first node in file order.
//             2. nodes of a domain ascend.
// Threads     const after it was made.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "model/cluster.h"

namespace stint::model {

using base::DomainId;

// A level of the topology: 0 is the outermost, Topology::node_level() the single node.
using Level = std::uint8_t;
// No level: the whole cluster.
inline constexpr Level kWholeCluster = UINT8_MAX;

// The name of the innermost level, which every cluster has.
inline constexpr std::string_view kNodeLevelName = "node";

struct Domain {
  Level level = 0;
  std::string path;  // such as "b1/r3"
  std::vector<NodeId> nodes;
};

class Topology {
 public:
  Topology() = default;
  explicit Topology(const Cluster& cluster);

  // The level of single nodes, which have no Domain.
  [[nodiscard]] Level node_level() const { return static_cast<Level>(by_level_.size()); }
  // A level by its name; none if there is none.
  [[nodiscard]] static std::optional<Level> find_level(const Cluster& cluster,
                                                       std::string_view name);
  [[nodiscard]] const Domain& operator[](DomainId id) const { return domains_[id.index()]; }
  [[nodiscard]] const std::vector<Domain>& domains() const { return domains_; }
  // Domains of a level above the node's, in the order of their ids.
  [[nodiscard]] const std::vector<DomainId>& at(Level level) const { return by_level_[level]; }
  // Where a node stands on a level above the node's; none if it stands nowhere.
  [[nodiscard]] DomainId domain_of(Level level, NodeId node) const {
    return of_node_[level][node.index()];
  }

 private:
  std::vector<Domain> domains_;
  std::vector<std::vector<DomainId>> by_level_;
  std::vector<std::vector<DomainId>> of_node_;  // by level, by NodeId
};

}  // namespace stint::model
