#include "model/shape_index.h"

#include "base/digest.h"

namespace stint::model {

namespace {

std::uint64_t digest_of(const Shape& shape) {
  base::Digest digest;
  digest.add(shape.tasks);
  for (const Amount a : shape.each) digest.add_signed(a);
  for (const base::LabelId label : shape.where) digest.add(label.value);
  return digest.value();
}

}  // namespace

ShapeIndex::ShapeIndex(const std::vector<Shape>& shapes) {
  for (std::size_t s = 0; s < shapes.size(); ++s)
    by_digest_.emplace(digest_of(shapes[s]), ShapeId(s));
}

ShapeId ShapeIndex::intern(const Shape& shape, std::vector<Shape>& shapes) {
  const std::uint64_t digest = digest_of(shape);
  const auto [begin, end] = by_digest_.equal_range(digest);
  for (auto it = begin; it != end; ++it) {
    if (shapes[it->second.index()] == shape) return it->second;
  }
  const ShapeId id(shapes.size());
  shapes.push_back(shape);
  by_digest_.emplace(digest, id);
  return id;
}

}  // namespace stint::model
