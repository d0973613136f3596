// Gangs that wish to stand together.
#include <algorithm>
#include <compare>
#include <map>

#include "engine/placement/search.h"

namespace stint::engine {

namespace {

using base::DomainId;
using model::Level;

// A domain and what of the candidates stands in it. Of the node's level a domain is one node.
struct Group {
  Amount scarcest_free = 0;
  std::int64_t overall_q32 = 0;
  std::uint32_t id = 0;
  std::vector<Candidate> candidates;

  [[nodiscard]] bool goes_before(const Group& other) const {
    if (scarcest_free != other.scarcest_free) return scarcest_free < other.scarcest_free;
    if (overall_q32 != other.overall_q32) return overall_q32 < other.overall_q32;
    return id < other.id;
  }
};

std::uint32_t place_at(const model::Topology& topology, Level level, NodeId node) {
  if (level == topology.node_level()) return node.value;
  return topology.domain_of(level, node).value;
}

// What is free in a domain, whoever may use it.
Amounts free_in(const Search& search, Level level, std::uint32_t id) {
  const model::Topology& topology = search.state().topology;
  if (level == topology.node_level()) return search.free_on(NodeId(id));
  Amounts free(search.shape().each.size());
  for (const NodeId node : topology[DomainId(id)].nodes) {
    if (search.is_usable(node)) free += search.free_on(node);
  }
  return free;
}

// The domains of a level that take all tasks.
std::vector<Group> groups_at(const Search& search, Level level,
                             const std::vector<Candidate>& candidates) {
  const model::Topology& topology = search.state().topology;
  std::map<std::uint32_t, Group> by_place;
  for (const Candidate& candidate : candidates) {
    const std::uint32_t place = place_at(topology, level, candidate.rank.id);
    if (place != DomainId().value) by_place[place].candidates.push_back(candidate);
  }
  std::vector<Group> groups;
  for (auto& [place, group] : by_place) {
    if (!search.are_enough(group.candidates)) continue;
    group.id = place;
    groups.push_back(std::move(group));
  }
  return groups;
}

void order(const Search& search, Level level, std::vector<Group>& groups) {
  if (groups.size() < 2) return;
  const OrderBasis basis = order_basis(search.state(), search.shape());
  for (Group& group : groups) {
    const Amounts free = free_in(search, level, group.id);
    group.scarcest_free = free[basis.scarcest];
    group.overall_q32 = overall_free_q32(basis, free);
  }
  std::sort(groups.begin(), groups.end(),
            [](const Group& a, const Group& b) { return a.goes_before(b); });
}

}  // namespace

std::optional<model::Placement> find_together(const Search& search,
                                              std::vector<Candidate> candidates) {
  const model::Wish& wish = search.shape().wish;
  search.rank(candidates);
  for (Level level = wish.level;; --level) {
    std::vector<Group> groups = groups_at(search, level, candidates);
    order(search, level, groups);
    for (Group& group : groups) {
      if (auto found = search.pack(std::move(group.candidates))) return found;
    }
    if (wish.must) return std::nullopt;
    if (level == 0) break;
  }
  return search.pack(std::move(candidates));
}

bool can_stand_together(const Search& search, const std::vector<Candidate>& candidates) {
  const model::Wish& wish = search.shape().wish;
  if (!wish.must) return search.are_enough(candidates);
  return !groups_at(search, wish.level, candidates).empty();
}

}  // namespace stint::engine
