// Finds the id of a shape among State::shapes.
//
// Threads  one owner.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "model/job.h"

namespace stint::model {

class ShapeIndex {
 public:
  ShapeIndex() = default;
  explicit ShapeIndex(const std::vector<Shape>& shapes);

  // The id of an equal shape; a new one is appended.
  [[nodiscard]] ShapeId intern(const Shape& shape, std::vector<Shape>& shapes);

 private:
  std::unordered_multimap<std::uint64_t, ShapeId> by_digest_;  // looked up only, never walked
};

}  // namespace stint::model
