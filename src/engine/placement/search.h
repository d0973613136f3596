// What one search for nodes looks at: the plain one, node by node, which defines the result.
//
// Threads  const on State.
#pragma once

#include <optional>
#include <vector>

#include "engine/placement/order.h"
#include "engine/placement/place.h"
#include "model/state.h"

namespace stint::engine {

using base::NodeId;

// A node on which tasks fit.
struct Candidate {
  NodeRank rank;  // only its id is set until rank() was called
  std::uint32_t fits = 0;
};

class Search {
 public:
  // `instead`, where given, stands for what State says of its nodes (World::Now); it may change.
  Search(const model::State& state, const model::Shape& shape, const PlacementBounds& bounds,
         World world, const FreeOn* instead = nullptr);

  // Nodes on which a task fits, in the order of their ids.
  [[nodiscard]] std::vector<Candidate> candidates() const;
  void rank(std::vector<Candidate>& candidates) const;

  // Fills the candidates in their order until every task has a place.
  [[nodiscard]] std::optional<model::Placement> fill(
      const std::vector<Candidate>& candidates) const;
  // Uses as few nodes as possible: the first node in order that takes all that is left, or else the
  // one that takes most of it. Requires ranked candidates.
  [[nodiscard]] std::optional<model::Placement> pack(std::vector<Candidate> candidates) const;

  // Whether together they take all tasks, quotas on GPU models aside.
  [[nodiscard]] bool are_enough(const std::vector<Candidate>& candidates) const;

  [[nodiscard]] const model::State& state() const { return state_; }
  [[nodiscard]] const model::Shape& shape() const { return shape_; }
  // What is free on the node in this world.
  [[nodiscard]] const Amounts& free_on(NodeId node) const;
  [[nodiscard]] bool is_usable(NodeId node) const;
  // How many tasks fit there, labels and quotas aside.
  [[nodiscard]] std::uint32_t fits_on(NodeId node) const;

 private:
  class Taking;  // tasks that have a place so far
  [[nodiscard]] const model::NodeState& state_of(NodeId node) const;

  const model::State& state_;
  const model::Shape& shape_;
  const PlacementBounds& bounds_;
  World world_;
  const FreeOn* instead_;
  base::ResourceId gpu_;
};

// The placement that the search finds; none if the gang does not fit whole.
[[nodiscard]] std::optional<model::Placement> find_placement(const Search& search);

// Places a gang that wishes to stand together; `candidates` as of the search.
//   Source  DESIGN §5.4: among domains of the wanted level that fit the one with least free
//   capacity: of the job's scarcest resource, then overall, then id. `prefer` goes on to the next
//   wider level, at last to the whole cluster.
[[nodiscard]] std::optional<model::Placement> find_together(const Search& search,
                                                            std::vector<Candidate> candidates);

// Whether some domain that would do takes all tasks.
[[nodiscard]] bool can_stand_together(const Search& search,
                                      const std::vector<Candidate>& candidates);

}  // namespace stint::engine
