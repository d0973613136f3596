// Who of many siblings goes first: a tournament whose matches are played again only when a standing
// was replaced, or when time may have turned the order of two.
//
// Source   a kinetic tournament: Basch, Guibas, Hershberger, Data structures for mobile data
// (1999). Invariants  1. every match holds until the time noted at it.  2. the winner is that of
// comparing
//             all present standings by meet().
// Threads     one owner.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/turn/standing.h"

namespace stint::engine {

class Contest {
 public:
  static constexpr std::uint32_t kNobody = UINT32_MAX;

  // Contestants have small dense numbers that the caller gives. One that joins, or whose standing
  // has changed, is asked for it when it meets another, and not before.
  void renew(std::uint32_t who);
  void remove(std::uint32_t who);
  [[nodiscard]] bool has(std::uint32_t who) const { return who < present_.size() && present_[who]; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }

  // Who goes first at `now`, which never goes back; kNobody if nobody is there. `standing_of(who)`
  // gives a Standing at `now`.
  template <class StandingOf>
  [[nodiscard]] std::uint32_t winner(const State& state, const Motion& motion, Millis now,
                                     const StandingOf& standing_of) {
    if (size_ == 0) return kNobody;
    if (size_ == 1 && has(latest_)) return latest_;
    if (now >= nodes_[1].until) play(1, state, motion, now, standing_of);
    return nodes_[1].winner;
  }

  // Matches played so far: a noise-free measure of work.
  [[nodiscard]] std::uint64_t matches() const { return matches_; }

 private:
  struct Node {
    std::uint32_t winner = kNobody;
    Millis until = -1;  // -1: to be played
  };

  void grow(std::uint32_t who);
  void touch(std::uint32_t who);
  template <class StandingOf>
  void play(std::size_t node, const State& state, const Motion& motion, Millis now,
            const StandingOf& standing_of) {
    const std::size_t places = nodes_.size() / 2;
    if (node >= places) {
      const auto who = static_cast<std::uint32_t>(node - places);
      nodes_[node] = {present_[who] ? who : kNobody, base::kNever};
      return;
    }
    for (const std::size_t child : {2 * node, 2 * node + 1}) {
      if (now >= nodes_[child].until) play(child, state, motion, now, standing_of);
    }
    const Node& left = nodes_[2 * node];
    const Node& right = nodes_[2 * node + 1];
    Millis until = std::min(left.until, right.until);
    std::uint32_t first = left.winner == kNobody ? right.winner : left.winner;
    if (left.winner != kNobody && right.winner != kNobody) {
      ++matches_;
      for (const std::uint32_t who : {left.winner, right.winner}) {
        if (is_old_[who]) standings_[who] = standing_of(who);
        is_old_[who] = false;
      }
      const Verdict verdict =
          meet(state, motion, standings_[left.winner], standings_[right.winner], now);
      first = verdict.first_wins ? left.winner : right.winner;
      until = std::min(until, verdict.until);
    }
    nodes_[node] = {first, until};
  }

  std::vector<Standing> standings_;
  std::vector<bool> present_;
  std::vector<bool> is_old_;  // its standing is to be asked for
  std::vector<Node> nodes_;   // a complete tree; node 1 is the root, the last half are contestants
  std::size_t size_ = 0;
  std::uint32_t latest_ = 0;  // who joined or changed last
  std::uint64_t matches_ = 0;
};

}  // namespace stint::engine
