#include "model/shape_index.h"

#include "base/digest.h"

namespace stint::model {

namespace {

std::uint64_t digest_of(const Shape& shape) {
  base::Digest digest;
  digest.add(shape.tasks);
  for (const Amount a : shape.each) digest.add_signed(a);
  for (const base::LabelId label : shape.where) digest.add(label.value);
  digest.add((std::uint64_t{shape.wish.level} << 1U) | (shape.wish.must ? 1U : 0U));
  return digest.value();
}

}  // namespace

ShapeIndex::ShapeIndex(const std::vector<Shape>& shapes) {
  for (std::size_t s = 0; s < shapes.size(); ++s)
    by_digest_.insert(digest_of(shapes[s]), static_cast<std::uint32_t>(s));
}

ShapeId ShapeIndex::intern(const Shape& shape, std::vector<Shape>& shapes) {
  const std::uint64_t digest = digest_of(shape);
  const std::uint32_t known =
      by_digest_.find(digest, [&](std::uint32_t id) { return shapes[id] == shape; });
  if (known != base::HashIndex::kNone) return ShapeId(known);
  const ShapeId id(shapes.size());
  shapes.push_back(shape);
  by_digest_.insert(digest, id.value);
  return id;
}

}  // namespace stint::model
