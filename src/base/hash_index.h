// From a hash to small numbers, for tables that keep the things themselves in a vector.
//
// Nothing can be walked, so the order of a hash never becomes anybody's order.
//
// Threads  one owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace stint::base {

class HashIndex {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  // The number noted under `hash` for which `is_it` holds; kNone if there is none.
  template <class IsIt>
  [[nodiscard]] std::uint32_t find(std::uint64_t hash, const IsIt& is_it) const {
    if (slots_.empty()) return kNone;
    const auto mark = static_cast<std::uint32_t>(hash >> 32U);
    for (std::size_t at = hash & mask(); slots_[at].second != kNone; at = (at + 1) & mask()) {
      if (slots_[at].first == mark && is_it(slots_[at].second)) return slots_[at].second;
    }
    return kNone;
  }

  // Notes `number` under `hash`.
  void insert(std::uint64_t hash, std::uint32_t number) {
    if ((hashes_.size() + 1) * 2 > slots_.size()) grow();
    hashes_.emplace_back(hash, number);
    put(hash, number);
  }

  void clear() {
    slots_.clear();
    hashes_.clear();
  }

 private:
  [[nodiscard]] std::size_t mask() const { return slots_.size() - 1; }
  void put(std::uint64_t hash, std::uint32_t number) {
    std::size_t at = hash & mask();
    while (slots_[at].second != kNone) at = (at + 1) & mask();
    slots_[at] = {static_cast<std::uint32_t>(hash >> 32U), number};
  }
  void grow() {
    slots_.assign(slots_.empty() ? 64 : slots_.size() * 2, {0, kNone});
    for (const auto& [hash, number] : hashes_) put(hash, number);
  }

  std::vector<std::pair<std::uint32_t, std::uint32_t>> slots_;   // upper half of hash, number
  std::vector<std::pair<std::uint64_t, std::uint32_t>> hashes_;  // as noted
};

}  // namespace stint::base
