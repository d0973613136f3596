// Names to dense ids, at the edge only: ids are given in order of first use and never change.
//
// There is no iteration over the hash table, so its order can never leak into a decision.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stint::base {

class StringIndex {
 public:
  StringIndex();
  StringIndex(const StringIndex& other);
  StringIndex(StringIndex&&) noexcept;
  StringIndex& operator=(const StringIndex& other);
  StringIndex& operator=(StringIndex&&) noexcept;
  ~StringIndex();

  // The id of `name`, given now if it is new.
  std::uint32_t intern(std::string_view name);
  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view name) const;
  // Requires id < size(). The reference lives until the next intern.
  [[nodiscard]] const std::string& name(std::uint32_t id) const;
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] std::size_t size() const { return names_.size(); }

 private:
  struct Table;
  std::vector<std::string> names_;
  std::unique_ptr<Table> table_;
};

}  // namespace stint::base
