// Many spans of time, kept in four bytes each: those of jobs that are over, of a run of any length.
//
// Threads  one owner.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "base/time.h"

namespace stint::sim {

using base::Millis;

class Spans {
 public:
  // Requires span >= 0.
  void add(Millis span) {
    ++count_;
    if (span >= kLong) {
      long_.push_back(span);
      return;
    }
    // In chunks: a vector that doubles would hold up to twice as much.
    if (chunks_.empty() || chunks_.back().size() == kChunk) {
      chunks_.emplace_back();
      if (chunks_.size() > 1) chunks_.back().reserve(kChunk);
    }
    chunks_.back().push_back(static_cast<std::uint32_t>(span));
  }
  [[nodiscard]] std::size_t size() const { return count_; }
  // Appends all, in no order that matters. Who gathers many reserves for all of them: an exact
  // reservation in here would move what is there with each.
  void append_to(std::vector<Millis>& all) const {
    for (const std::vector<std::uint32_t>& chunk : chunks_) {
      all.insert(all.end(), chunk.begin(), chunk.end());
    }
    all.insert(all.end(), long_.begin(), long_.end());
  }

 private:
  static constexpr Millis kLong = std::numeric_limits<std::uint32_t>::max();  // 49.7 days
  static constexpr std::size_t kChunk = 4096;

  std::vector<std::vector<std::uint32_t>> chunks_;
  std::vector<Millis> long_;
  std::size_t count_ = 0;
};

}  // namespace stint::sim
