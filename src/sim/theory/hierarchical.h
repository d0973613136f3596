// Hierarchical DRF, as slowly and plainly as possible: the reference for the engine's shares of
// inner queues (DESIGN 5.2), here without guarantees.
//
// At each inner node let M be the least share/weight among its children that are not blocked. Each
// of those is scaled to M, blocked children are added as they are, and the node's share is taken
// over resources that are not exhausted. A leaf is blocked if a resource that it needs is
// exhausted, if it has all its tasks, or if it was tried in this pass and did not fit; an inner
// node if all children are. A single sum of the children's usage instead starves a leaf whose
// sibling holds something that nobody else wants (oracles.md 2.1, row O-30).
//
// Invariants  1. all is recomputed from the running tasks at each grant; nothing is cached.
//             2. ties go to the child served least recently, then to the smaller index; a grant
//                stamps every node of the path.
// Threads     not shared.
//
//   HdrfReference tree({10, 10}, {{.name = "root"}, {.name = "a", .parent = 0, .demand = {1, 1}}});
//   tree.fill();
//   tree.running(1);  // 10
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "sim/theory/rational.h"

namespace stint::sim {

// A node of the tree. A node without children is a leaf and has a demand per resource.
struct HdrfNode {
  std::string name{};
  std::optional<std::size_t> parent{};  // index of an earlier node; none for node 0, the root
  Rational weight = 1;                  // 0 = behind all siblings
  std::vector<Rational> demand{};       // of one task of a leaf
  std::optional<std::int64_t> tasks{};  // how many a leaf has at most at a time; none = endless
  std::int64_t running = 0;             // tasks that a leaf holds at the start
};

class HdrfReference {
 public:
  // What a node looks like to its siblings.
  struct View {
    std::vector<Rational> usage;  // per resource, children scaled
    Rational share;               // over resources that are not exhausted
    bool is_blocked = false;
  };

  // Requires  capacities above zero; node 0 is the root, parents stand before children; the demand
  //           of each leaf names every resource and is not empty; the tasks at the start fit.
  HdrfReference(std::vector<Rational> capacity, std::vector<HdrfNode> nodes);

  // Grants task by task until nothing fits; returns the leaves served, in order.
  std::vector<std::size_t> fill();
  // Ends the oldest running task and returns its leaf; none if nothing runs.
  std::optional<std::size_t> complete_oldest();

  [[nodiscard]] std::int64_t running(std::size_t node) const { return nodes_[node].running; }
  // Every node as it stands now, no candidate tried.
  [[nodiscard]] std::vector<View> views() const;

 private:
  [[nodiscard]] std::vector<View> views(const std::vector<bool>& tried) const;
  [[nodiscard]] View view_of_leaf(std::size_t node, bool tried) const;
  [[nodiscard]] View view_of_inner(std::size_t node, const std::vector<View>& views) const;
  [[nodiscard]] Rational share_of(const std::vector<Rational>& usage) const;
  [[nodiscard]] bool goes_before(std::size_t a, std::size_t b,
                                 const std::vector<View>& views) const;
  [[nodiscard]] std::size_t descend(const std::vector<View>& views) const;
  [[nodiscard]] bool fits(std::size_t leaf) const;
  void grant(std::size_t leaf);

  std::vector<Rational> capacity_;
  std::vector<Rational> free_;
  std::vector<HdrfNode> nodes_;
  std::vector<std::vector<std::size_t>> children_;
  std::vector<std::int64_t> stamps_;  // per node, 0 = never served
  std::int64_t clock_ = 0;
  std::deque<std::size_t> oldest_first_;  // the leaf of each running task
};

}  // namespace stint::sim
