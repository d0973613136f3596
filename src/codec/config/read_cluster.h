// `cluster:` to model::Cluster: resources, labels, levels and nodes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "codec/yaml/complaints.h"
#include "codec/yaml/node.h"
#include "model/cluster.h"

namespace stint::codec {

inline constexpr std::size_t kClusterNodesMax = std::size_t{1} << 18U;
inline constexpr std::size_t kLevelsMax = 8;
inline constexpr base::Amount kDevicesPerNodeMax = 65'535;  // device numbers have 16 bits
// The innermost level of every topology; it is not written.
inline constexpr std::string_view kNodeLevel = "node";
// The label that names the kind of GPU.
inline constexpr std::string_view kModelLabel = "model";

// Reads the map; whatever is wrong is reported and left out, so that the rest can still be checked.
[[nodiscard]] model::Cluster read_cluster(const Node& cluster, Complaints& complaints);

// "unknown WHAT "gppu", did you mean "gpu"?", or without the question.
[[nodiscard]] std::string unknown_text(std::string_view what, std::string_view name,
                                       const std::vector<std::string>& candidates);

}  // namespace stint::codec
