// The quota tree as configured and resolved: who is guaranteed, limited, lends, weighs what.
//
// Invariants  1. queues[0] is the root, which has no name, guarantee or limit of its own; parents
// come
//                before children.  2. guarantees are resolved (named, implied, percent, models)
//                against the configured cluster; children never sum to more than their parent.
//             3. `path_rank` orders queues by the bytes of their paths: the last word of every
//             turn.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "model/amounts.h"

namespace stint::model {

using base::QueueId;

// "No limit" and "lends everything": larger than every amount, small enough to add to.
inline constexpr Amount kUnlimited = Amount{1} << 61;
inline constexpr std::int64_t kWeightOne = 1000;             // weights are thousandths
inline constexpr std::int64_t kWeightMax = 100'000'000'000;  // 10^8, see DESIGN §4
inline constexpr std::size_t kTreeDepthMax = 16;
inline constexpr std::size_t kQueuesMax = 100'000;

// What one person may hold below a queue, and how they weigh inside a leaf.
struct UserRule {
  std::string name;  // empty: the default for everybody not named
  Amounts limit;     // kUnlimited where none
  std::int64_t weight = kWeightOne;
};

enum class PriorityScope : std::uint8_t { User, Queue };

struct Queue {
  std::string name;
  std::string path;  // `vision/train`; empty for the root
  QueueId parent;
  std::vector<QueueId> children;  // in order of path bytes
  Amounts guarantee;              // resolved
  std::vector<bool>
      counts;     // per resource: a `gpu/MODEL` that this queue does not name is not looked at
  Amounts limit;  // kUnlimited where none
  Amounts lend;   // kUnlimited = all of it
  std::int64_t weight = kWeightOne;
  std::int32_t priority = 0;
  PriorityScope priority_scope = PriorityScope::User;
  std::vector<UserRule> users;  // legal on any queue; the weight acts in leaves
  std::uint32_t path_rank = 0;

  [[nodiscard]] bool is_leaf() const { return children.empty(); }
  [[nodiscard]] bool is_root() const { return !parent.valid(); }
  // The rule for `user` here: named, else default, else nullptr (no rule).
  [[nodiscard]] const UserRule* rule_for(std::string_view user) const;
};

struct Tree {
  std::vector<Queue> queues;
  bool keeps_back = false;  // some queue lends less than everything (set by finish_tree)
  bool is_nested = false;   // some queue below the root has children (set by finish_tree)

  [[nodiscard]] const Queue& operator[](QueueId id) const { return queues[id.index()]; }
  [[nodiscard]] Queue& operator[](QueueId id) { return queues[id.index()]; }
  [[nodiscard]] QueueId find(std::string_view path) const;  // none if unknown
  [[nodiscard]] static QueueId root() { return QueueId(0U); }
  // From `id` up to but not including the root, leaf first.
  [[nodiscard]] std::vector<QueueId> path_to_root(QueueId id) const;
  [[nodiscard]] bool is_ancestor_or_self(QueueId above, QueueId below) const;
};

// A tree with nothing but the root, for `resources` resources.
[[nodiscard]] Tree empty_tree(std::size_t resources);

// Adds a queue with no guarantee, limit or users and weight 1 below `parent`; returns its id.
QueueId add_queue(Tree& tree, QueueId parent, std::string_view name, std::size_t resources);

// Recomputes what is derived after queues were added or changed: the byte order of paths, the
// children's order, `keeps_back` and `is_nested`.
void finish_tree(Tree& tree);

}  // namespace stint::model
