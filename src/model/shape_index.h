// Finds the id of a shape among State::shapes.
//
// Threads  one owner.
#pragma once

#include <cstdint>
#include <vector>

#include "base/hash_index.h"
#include "model/job.h"

namespace stint::model {

class ShapeIndex {
 public:
  ShapeIndex() = default;
  explicit ShapeIndex(const std::vector<Shape>& shapes);

  // The id of an equal shape; a new one is appended.
  [[nodiscard]] ShapeId intern(const Shape& shape, std::vector<Shape>& shapes);

 private:
  base::HashIndex by_digest_;
};

}  // namespace stint::model
