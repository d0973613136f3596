// Where there is room: healthy nodes in buckets of nodes that are alike for every shape.
//
// Nodes of one kind (same resources, labels and model) with the same free amounts and devices stand
// at the same place in every shape's order (DESIGN §5.4) up to their ids. So a search walks
// buckets, of which there are few, and takes nodes from them in order of id. Each shape keeps its
// order of the buckets; a bucket is ranked once per shape, when the shape first meets it.
//
// Derived from State and never saved. The plain search in place.h is the definition; a test holds
// the two against each other.
//
// Invariant  every healthy node is in exactly one bucket, the one of its State.
// Threads    the owner of the engine.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/hash_index.h"
#include "engine/placement/node_set.h"
#include "engine/placement/order.h"
#include "engine/placement/place.h"
#include "model/state.h"

namespace stint::engine {

class NodeIndex {
 public:
  // Reads the whole State; to be called again whenever the health of a node changes.
  void rebuild(const model::State& state);
  // Node `n` has changed in what is free on it.
  void update(const model::State& state, NodeId node);

  // As find_placement in World::Now.
  [[nodiscard]] std::optional<model::Placement> find(const model::State& state, base::ShapeId shape,
                                                     const PlacementBounds& bounds);
  // Whether the machine as configured, with nothing running, could hold the shape.
  [[nodiscard]] bool fits_machine(const model::State& state, const model::Shape& shape) const;

  // Whether both are healthy and in one bucket.
  [[nodiscard]] bool are_alike(NodeId a, NodeId b) const {
    return bucket_of_node_[a.index()] == bucket_of_node_[b.index()] &&
           bucket_of_node_[a.index()] != kNone;
  }

  // Noise-free counters of work.
  struct Counters {
    std::uint64_t ranked = 0;  // buckets ranked for a shape
    std::uint64_t walked = 0;  // buckets looked at by searches
  };
  [[nodiscard]] const Counters& counters() const { return counters_; }

 private:
  using BucketId = std::uint32_t;
  using KindId = std::uint32_t;
  static constexpr BucketId kNone = UINT32_MAX;
  static constexpr std::size_t kFew = 4;  // live buckets that are ranked anew by each search

  struct Kind {
    NodeId example;
    std::uint32_t nodes = 0;  // configured ones, healthy or not
  };
  struct Bucket {
    KindId kind = 0;
    model::NodeState like;  // free amounts and devices of each of its nodes
    NodeSet nodes;
    std::uint32_t live_place = 0;  // its place in live_, if it has a node
  };
  struct Entry {    // a bucket as one shape sees it
    NodeRank rank;  // without an id
    std::uint32_t fits = 0;
    BucketId bucket = 0;
  };
  struct View {  // what one shape knows of the buckets
    bool is_fresh = false;
    OrderBasis basis;
    std::size_t seen = 0;        // buckets below it are ranked
    std::vector<Entry> entries;  // only those on which a task fits, in order
  };
  // Takes nodes from buckets of equal rank in order of their ids.
  struct Filling;

  void find_kinds(const model::State& state);
  void forget_buckets();
  [[nodiscard]] BucketId bucket_of(const model::State& state, NodeId node);
  [[nodiscard]] static bool is_like(const Bucket& bucket, const model::NodeState& node, KindId kind,
                                    base::ResourceId gpu);
  void put(const model::State& state, NodeId node);
  void refresh(const model::State& state, base::ShapeId shape, View& view);
  void merge_tail(std::vector<Entry>& entries, std::size_t known);
  [[nodiscard]] std::optional<Entry> entry_of(const model::State& state, const model::Shape& shape,
                                              const View& view, BucketId bucket);
  void look_at_few(const model::State& state, const model::Shape& shape, const View& view);
  bool walk(const model::State& state, const std::vector<Entry>& entries, Filling& filling);
  bool take_from(const model::State& state, const std::vector<Entry>& entries, std::size_t begin,
                 std::size_t end, Filling& filling) const;

  std::vector<Kind> kinds_;
  std::vector<KindId> kind_of_;  // by NodeId
  std::vector<Bucket> buckets_;
  base::HashIndex by_hash_;               // buckets by what they are like
  std::vector<BucketId> bucket_of_node_;  // by NodeId; kNone: not healthy
  std::vector<BucketId> live_;            // buckets that have a node, in no order that matters
  std::vector<Entry> few_;                // scratch: of the live buckets, where they are few
  std::vector<View> views_;               // by ShapeId
  std::vector<Entry> scratch_;            // of merge_tail
  Counters counters_;
};

}  // namespace stint::engine
