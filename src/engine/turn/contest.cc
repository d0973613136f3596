#include "engine/turn/contest.h"

#include <algorithm>
#include <bit>

namespace stint::engine {

void Contest::grow(std::uint32_t who) {
  if (who < present_.size()) return;
  const std::size_t places = std::bit_ceil(std::size_t{who} + 1);
  standings_.resize(places);
  present_.resize(places);
  is_old_.resize(places, true);
  nodes_.assign(2 * places, {});
}

void Contest::touch(std::uint32_t who) {
  // An ancestor that is to be played has only such ancestors.
  std::size_t node = nodes_.size() / 2 + who;
  nodes_[node].until = -1;
  for (node /= 2; node > 0 && nodes_[node].until >= 0; node /= 2) nodes_[node].until = -1;
}

void Contest::renew(std::uint32_t who) {
  grow(who);
  if (!present_[who]) ++size_;
  present_[who] = true;
  is_old_[who] = true;
  latest_ = who;
  touch(who);
}

void Contest::remove(std::uint32_t who) {
  if (!has(who)) return;
  present_[who] = false;
  --size_;
  touch(who);
}

}  // namespace stint::engine
