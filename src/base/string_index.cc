#include "base/string_index.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include "base/assert.h"

namespace stint::base {

namespace {
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return boost::hash<std::string_view>{}(text);
  }
};
}  // namespace

struct StringIndex::Table {
  boost::unordered_flat_map<std::string, std::uint32_t, TextHash, std::equal_to<>> ids;
};

StringIndex::StringIndex() : table_(std::make_unique<Table>()) {}
StringIndex::StringIndex(const StringIndex& other)
    : names_(other.names_), table_(std::make_unique<Table>(*other.table_)) {}
StringIndex::StringIndex(StringIndex&&) noexcept = default;
StringIndex& StringIndex::operator=(const StringIndex& other) {
  if (this != &other) *this = StringIndex(other);
  return *this;
}
StringIndex& StringIndex::operator=(StringIndex&&) noexcept = default;
StringIndex::~StringIndex() = default;

std::uint32_t StringIndex::intern(std::string_view name) {
  if (const auto found = find(name)) return *found;
  const auto id = static_cast<std::uint32_t>(names_.size());
  names_.emplace_back(name);
  table_->ids.emplace(names_.back(), id);
  return id;
}

std::optional<std::uint32_t> StringIndex::find(std::string_view name) const {
  const auto it = table_->ids.find(name);
  if (it == table_->ids.end()) return std::nullopt;
  return it->second;
}

const std::string& StringIndex::name(std::uint32_t id) const {
  STINT_ASSERT(id < names_.size());
  return names_[id];
}

}  // namespace stint::base
