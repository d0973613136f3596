#include "model/resources.h"

#include "base/assert.h"
#include "model/amounts.h"

namespace stint::model {

ResourceId Resources::intern(std::string_view name) {
  if (const auto found = find(name)) return *found;
  STINT_ASSERT(size() < kResourcesMax);
  const ResourceId id(index_.intern(name));
  if (name == "gpu") gpu_ = id;
  if (is_model(name)) models_ |= 1U << id.value;
  return id;
}

std::optional<ResourceId> Resources::find(std::string_view name) const {
  if (const auto found = index_.find(name)) return ResourceId(*found);
  return std::nullopt;
}

}  // namespace stint::model
