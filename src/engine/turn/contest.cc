#include "engine/turn/contest.h"

#include <algorithm>
#include <bit>

namespace stint::engine {

void Contest::grow(std::uint32_t who) {
  if (who < present_.size()) return;
  const std::size_t places = std::bit_ceil(std::size_t{who} + 1);
  standings_.resize(places);
  present_.resize(places);
  nodes_.assign(2 * places, {});
}

void Contest::touch(std::uint32_t who) {
  // An ancestor that is to be played has only such ancestors.
  std::size_t node = nodes_.size() / 2 + who;
  nodes_[node].until = -1;
  for (node /= 2; node > 0 && nodes_[node].until >= 0; node /= 2) nodes_[node].until = -1;
}

void Contest::set(std::uint32_t who, const Standing& standing) {
  grow(who);
  if (!present_[who]) ++size_;
  present_[who] = true;
  standings_[who] = standing;
  touch(who);
}

void Contest::remove(std::uint32_t who) {
  if (!has(who)) return;
  present_[who] = false;
  --size_;
  touch(who);
}

void Contest::play(std::size_t node, const State& state, const Motion& motion, Millis now) {
  Node& here = nodes_[node];
  if (now < here.until) return;
  const std::size_t places = nodes_.size() / 2;
  if (node >= places) {
    const auto who = static_cast<std::uint32_t>(node - places);
    here = {present_[who] ? who : kNobody, base::kNever};
    return;
  }
  play(2 * node, state, motion, now);
  play(2 * node + 1, state, motion, now);
  const Node& left = nodes_[2 * node];
  const Node& right = nodes_[2 * node + 1];
  const Millis until = std::min(left.until, right.until);
  if (left.winner == kNobody || right.winner == kNobody) {
    here = {left.winner == kNobody ? right.winner : left.winner, until};
    return;
  }
  ++matches_;
  const Verdict verdict =
      meet(state, motion, standings_[left.winner], standings_[right.winner], now);
  here = {verdict.first_wins ? left.winner : right.winner, std::min(until, verdict.until)};
}

std::uint32_t Contest::winner(const State& state, const Motion& motion, Millis now) {
  if (size_ == 0) return kNobody;
  play(1, state, motion, now);
  return nodes_[1].winner;
}

}  // namespace stint::engine
