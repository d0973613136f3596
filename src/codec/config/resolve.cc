#include "codec/config/resolve.h"

#include <utility>

#include "codec/config/load.h"
#include "codec/config/read_cluster.h"
#include "codec/config/read_policy.h"
#include "codec/config/read_queues.h"
#include "codec/schema/check.h"
#include "codec/schema/tables.h"

namespace stint::codec {

namespace {

model::Tree read_tree(const Node& root, const model::Cluster& cluster,
                      const model::Amounts& capacity, bool is_sound, const model::Tree* before,
                      Complaints& complaints) {
  const Node* queues = find(root, "queues", NodeKind::Map);
  const Node none;
  return read_queues({.queues = queues != nullptr ? *queues : none,
                      .key = key_mark(root, "queues"),
                      .cluster = cluster,
                      .capacity = capacity,
                      .cluster_is_sound = is_sound,
                      .before = before},
                     complaints);
}

// Whether nothing was wrong with the values of the map (they were reported when its file was
// checked).
bool is_clean(const Node& cluster) {
  Complaints again;
  check_values(cluster, kCluster, again);
  return !again.has_errors();
}

}  // namespace

Config resolve_config(const Node& root, Complaints& complaints) {
  Config config;
  const Node* cluster = find(root, "cluster", NodeKind::Map);
  const Node none;
  const std::size_t errors = complaints.errors();
  config.cluster = read_cluster(cluster != nullptr ? *cluster : none, complaints);
  const bool is_sound = cluster != nullptr && errors == complaints.errors() && is_clean(*cluster);
  const model::Amounts capacity = config.cluster.capacity();
  config.tree = read_tree(root, config.cluster, capacity, is_sound, nullptr, complaints);
  config.policy = read_policy(find(root, "policy", NodeKind::Map), complaints);
  return config;
}

std::pair<model::Tree, model::Policy> resolve_patched(const Node& root,
                                                      const model::Cluster& cluster,
                                                      const model::Amounts& capacity,
                                                      const model::Tree& before,
                                                      Complaints& complaints) {
  model::Tree tree = read_tree(root, cluster, capacity, true, &before, complaints);
  return {std::move(tree), read_policy(find(root, "policy", NodeKind::Map), complaints)};
}

ReadResult<Config> read_config(std::vector<SourceFile> files, const IncludeLoader& loader) {
  Complaints complaints;
  LoadedFiles loaded = load_files(std::move(files), loader, kConfigFile, complaints);
  ReadResult<Config> result;
  if (loaded.complete) {
    check_required(loaded.root, kConfigFile, complaints);
    Config config = resolve_config(loaded.root, complaints);
    if (!complaints.has_errors()) result.value = std::move(config);
  }
  result.diagnostics = complaints.in_order(loaded.names);
  return result;
}

}  // namespace stint::codec
