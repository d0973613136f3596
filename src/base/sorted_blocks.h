// A sorted set of values in a few blocks: walking it in order touches memory in order, and an
// insertion or removal moves at most one block. For sets that change at every event and are walked
// seldom.
//
// Invariants  1. values are distinct and ascend.  2. no block is empty or holds more than kBlock.
// Threads     one owner; a walk ends with the next change.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "base/assert.h"

namespace stint::base {

template <class Value>
class SortedBlocks {
 public:
  // One walk over the values from the smallest on.
  class Walk {
   public:
    explicit Walk(const SortedBlocks& set) : blocks_(&set.blocks_) {}
    [[nodiscard]] bool at_end() const { return block_ == blocks_->size(); }
    [[nodiscard]] const Value& operator*() const { return (*blocks_)[block_][place_]; }
    void next() {
      if (++place_ < (*blocks_)[block_].size()) return;
      place_ = 0;
      ++block_;
    }

   private:
    const std::vector<std::vector<Value>>* blocks_;
    std::size_t block_ = 0;
    std::size_t place_ = 0;
  };

  [[nodiscard]] bool empty() const { return blocks_.empty(); }
  [[nodiscard]] Walk walk() const { return Walk(*this); }

  // Requires that it is not there.
  void insert(Value value) {
    if (blocks_.empty()) blocks_.emplace_back();
    auto block = block_of(value);
    if (block == blocks_.end()) --block;
    block->insert(std::lower_bound(block->begin(), block->end(), value), value);
    if (block->size() <= kBlock) return;
    const auto middle = block->begin() + static_cast<std::ptrdiff_t>(kBlock / 2);
    std::vector<Value> upper(middle, block->end());
    block->erase(middle, block->end());
    blocks_.insert(block + 1, std::move(upper));
  }

  // Requires that it is there.
  void erase(const Value& value) {
    const auto block = block_of(value);
    STINT_ASSERT(block != blocks_.end());
    const auto at = std::lower_bound(block->begin(), block->end(), value);
    STINT_ASSERT(at != block->end() && *at == value);
    block->erase(at);
    if (block->empty()) blocks_.erase(block);
  }

 private:
  static constexpr std::size_t kBlock = 128;

  // The first block whose largest value is not below `value`.
  [[nodiscard]] auto block_of(const Value& value) {
    return std::partition_point(
        blocks_.begin(), blocks_.end(),
        [&](const std::vector<Value>& block) { return !block.empty() && block.back() < value; });
  }

  std::vector<std::vector<Value>> blocks_;
};

}  // namespace stint::base
