// Who of many siblings goes first: a tournament whose matches are played again only when a standing
// was replaced, or when time may have turned the order of two.
//
// Source   a kinetic tournament: Basch, Guibas, Hershberger, Data structures for mobile data
// (1999). Invariants  1. every match holds until the time noted at it.  2. the winner is that of
// comparing
//             all present standings by meet().
// Threads     one owner.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/turn/standing.h"

namespace stint::engine {

class Contest {
 public:
  static constexpr std::uint32_t kNobody = UINT32_MAX;

  // Contestants have small dense numbers that the caller gives.
  void set(std::uint32_t who, const Standing& standing);
  void remove(std::uint32_t who);
  [[nodiscard]] bool has(std::uint32_t who) const { return who < present_.size() && present_[who]; }
  [[nodiscard]] bool empty() const { return size_ == 0; }

  // Who goes first at `now`, which never goes back; kNobody if nobody is there.
  [[nodiscard]] std::uint32_t winner(const State& state, const Motion& motion, Millis now);

  // Matches played so far: a noise-free measure of work.
  [[nodiscard]] std::uint64_t matches() const { return matches_; }

 private:
  struct Node {
    std::uint32_t winner = kNobody;
    Millis until = -1;  // -1: to be played
  };

  void grow(std::uint32_t who);
  void touch(std::uint32_t who);
  void play(std::size_t node, const State& state, const Motion& motion, Millis now);

  std::vector<Standing> standings_;
  std::vector<bool> present_;
  std::vector<Node> nodes_;  // a complete tree; node 1 is the root, the last half are contestants
  std::size_t size_ = 0;
  std::uint64_t matches_ = 0;
};

}  // namespace stint::engine
