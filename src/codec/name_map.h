// Names to values, for looking up only: there is no iteration, so no order can leak.
//
//   NameMap<Mark> seen;
//   if (!seen.insert(name, mark)) report_twice(*seen.find(name));
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "base/string_index.h"

namespace stint::codec {

template <class T>
class NameMap {
 public:
  // Whether it was new; a value that is there already stays.
  bool insert(std::string_view name, T value) {
    if (index_.find(name)) return false;
    index_.intern(name);
    values_.push_back(std::move(value));
    return true;
  }
  // nullptr if there is none; valid until the next insert.
  [[nodiscard]] const T* find(std::string_view name) const {
    const auto id = index_.find(name);
    return id ? &values_[*id] : nullptr;
  }

 private:
  base::StringIndex index_;
  std::vector<T> values_;
};

}  // namespace stint::codec
