// A set of nodes: the smallest, the next, insertion and removal in a few steps, whatever the size.
//
// A bitmap with two levels of summaries; blocks of 4,096 nodes exist only where the set has any.
//
// Threads  one owner.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/ids.h"

namespace stint::engine {

using base::NodeId;

class NodeSet {
 public:
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::uint32_t size() const { return size_; }

  void insert(NodeId node) {
    const std::size_t b = node.index() / kBlockNodes;
    if (b >= blocks_.size()) blocks_.resize(b + 1);
    if (!blocks_[b]) blocks_[b] = std::make_unique<Block>();
    Block& block = *blocks_[b];
    const std::size_t word = node.index() % kBlockNodes / 64;
    block.words[word] |= std::uint64_t{1} << (node.index() % 64);
    block.summary |= std::uint64_t{1} << word;
    ++size_;
  }
  // Requires that it is in the set.
  void erase(NodeId node) {
    Block& block = *blocks_[node.index() / kBlockNodes];
    const std::size_t word = node.index() % kBlockNodes / 64;
    block.words[word] &= ~(std::uint64_t{1} << (node.index() % 64));
    if (block.words[word] == 0) block.summary &= ~(std::uint64_t{1} << word);
    --size_;
  }

  [[nodiscard]] NodeId first() const { return from(0); }
  // The smallest node after `node`; none if there is none.
  [[nodiscard]] NodeId next(NodeId node) const { return from(node.index() + 1); }

 private:
  static constexpr std::size_t kBlockNodes = 4096;
  struct Block {
    std::uint64_t summary = 0;  // which words are not 0
    std::array<std::uint64_t, 64> words{};
  };

  // Bits at `bit` and above.
  static std::uint64_t at_least(std::uint64_t bits, std::size_t bit) {
    return bit >= 64 ? 0 : bits & (~std::uint64_t{0} << bit);
  }
  [[nodiscard]] NodeId from(std::size_t index) const {
    for (std::size_t b = index / kBlockNodes; b < blocks_.size(); ++b) {
      const std::size_t low = b * kBlockNodes < index ? index % kBlockNodes : 0;
      if (!blocks_[b] || blocks_[b]->summary == 0) continue;
      const Block& block = *blocks_[b];
      std::size_t word = low / 64;
      std::uint64_t bits = at_least(block.words[word], low % 64);
      if (bits == 0) {
        const std::uint64_t later = at_least(block.summary, word + 1);
        if (later == 0) continue;
        word = static_cast<std::size_t>(std::countr_zero(later));
        bits = block.words[word];
      }
      return NodeId(b * kBlockNodes + word * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
    }
    return {};
  }

  std::vector<std::unique_ptr<Block>> blocks_;
  std::uint32_t size_ = 0;
};

}  // namespace stint::engine
