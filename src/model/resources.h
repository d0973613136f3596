// The resources that a cluster's nodes have, by name, in order of first mention.
//
// `gpu/MODEL` is a part of `gpu`: a node labelled `model: h100` has its GPUs in both, and a task on
// it counts in both (DESIGN §4). Memory is counted in MiB, everything else in thousandths.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/string_index.h"

namespace stint::model {

using base::ResourceId;

class Resources {
 public:
  // The id of `name`, given now if it is new. Requires size() < kResourcesMax for a new one.
  ResourceId intern(std::string_view name);
  [[nodiscard]] std::optional<ResourceId> find(std::string_view name) const;
  [[nodiscard]] const std::string& name(ResourceId id) const { return index_.name(id.value); }
  [[nodiscard]] const std::vector<std::string>& names() const { return index_.names(); }
  [[nodiscard]] std::size_t size() const { return index_.size(); }

  [[nodiscard]] static bool is_memory(std::string_view name) { return name == "memory"; }
  // Whether `name` is `gpu/MODEL`.
  [[nodiscard]] static bool is_model(std::string_view name) { return name.starts_with("gpu/"); }
  [[nodiscard]] bool is_model(ResourceId id) const { return (models_ >> id.value & 1U) != 0; }
  [[nodiscard]] bool has_models() const { return models_ != 0; }
  [[nodiscard]] std::optional<ResourceId> gpu() const { return gpu_; }

 private:
  base::StringIndex index_;
  std::optional<ResourceId> gpu_;
  std::uint32_t models_ = 0;  // bit r: resource r is a model
};

}  // namespace stint::model
