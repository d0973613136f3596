// From a merged tree of YAML to the model: shared by configurations, scenarios and patches.
#pragma once

#include <utility>

#include "codec/config/config.h"
#include "codec/yaml/complaints.h"
#include "codec/yaml/node.h"

namespace stint::codec {

// Reads cluster, queues and policy of a merged file; everything wrong is reported.
[[nodiscard]] Config resolve_config(const Node& root, Complaints& complaints);

// Reads queues and policy again after a patch was laid over `root`; the queues of `before` keep
// their ids. `capacity` is the cluster's, which is summed once for all patches.
[[nodiscard]] std::pair<model::Tree, model::Policy> resolve_patched(const Node& root,
                                                                    const model::Cluster& cluster,
                                                                    const model::Amounts& capacity,
                                                                    const model::Tree& before,
                                                                    Complaints& complaints);

}  // namespace stint::codec
