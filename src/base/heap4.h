// A heap with four children per node: fewer levels, and siblings beside each other in memory.
//
// Source   Johnson, Priority queues with update and finding minimum spanning trees (1975).
// Threads  one owner.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace stint::base {

// `T` has operator<; the smallest is on top.
template <class T>
class Heap4 {
 public:
  [[nodiscard]] bool empty() const { return items_.empty(); }
  [[nodiscard]] std::size_t size() const { return items_.size(); }
  [[nodiscard]] const T& top() const { return items_.front(); }

  void push(T item) {
    std::size_t at = items_.size();
    items_.push_back(item);
    while (at > 0) {
      const std::size_t parent = (at - 1) / 4;
      if (!(item < items_[parent])) break;
      items_[at] = std::move(items_[parent]);
      at = parent;
    }
    items_[at] = std::move(item);
  }

  void pop() {
    T item = std::move(items_.back());
    items_.pop_back();
    if (items_.empty()) return;
    std::size_t at = 0;
    while (true) {
      const std::size_t first = 4 * at + 1;
      if (first >= items_.size()) break;
      const std::size_t end = std::min(first + 4, items_.size());
      std::size_t least = first;
      for (std::size_t child = first + 1; child < end; ++child) {
        if (items_[child] < items_[least]) least = child;
      }
      if (!(items_[least] < item)) break;
      items_[at] = std::move(items_[least]);
      at = least;
    }
    items_[at] = std::move(item);
  }

 private:
  std::vector<T> items_;
};

}  // namespace stint::base
