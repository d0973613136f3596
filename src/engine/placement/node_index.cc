#include "engine/placement/node_index.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/assert.h"
#include "base/digest.h"
#include "engine/placement/fit.h"

namespace stint::engine {

namespace {

// Buckets that were empty for long are dropped when there are this many more than live ones.
constexpr std::size_t kSpareBuckets = 4096;

// Whether some device is given out in part.
bool has_shared_device(const model::NodeState& node, base::ResourceId gpu) {
  return gpu.valid() && node.free[gpu] != Amount{node.whole_devices} * base::kUnit;
}

// What is free on devices; which device it is does not matter.
std::vector<std::uint16_t> free_parts(const model::NodeState& node) {
  std::vector<std::uint16_t> parts;
  std::copy_if(node.devices.begin(), node.devices.end(), std::back_inserter(parts),
               [](std::uint16_t free) { return free > 0; });
  std::sort(parts.begin(), parts.end());
  return parts;
}

bool same_kind(const model::Node& a, const model::Node& b) {
  return a.has == b.has && a.labels == b.labels && a.model == b.model;
}

std::uint64_t hash_of(const model::NodeState& node, std::uint32_t kind) {
  base::Digest digest;
  digest.add(kind);
  digest.add(node.whole_devices);
  for (const Amount a : node.free) digest.add_signed(a);
  return digest.value();
}

bool asks_too_much(const model::State& state, const model::Shape& shape) {
  for (std::size_t r = 0; r < shape.each.size(); ++r) {
    if (shape.each[r] > 0 && shape.each[r] * static_cast<Amount>(shape.tasks) > state.free[r])
      return true;
  }
  return false;
}

}  // namespace

void NodeIndex::find_kinds(const model::State& state) {
  kinds_.clear();
  kind_of_.assign(state.nodes.size(), 0);
  for (std::size_t n = 0; n < state.nodes.size(); ++n) {
    const model::Node& node = state.cluster.nodes[n];
    // Nodes come in runs of one kind; kinds are few.
    std::size_t k = n > 0 ? kind_of_[n - 1] : 0;
    if (n == 0 || !same_kind(node, state.cluster.nodes[kinds_[k].example.index()])) {
      for (k = 0; k < kinds_.size(); ++k) {
        if (same_kind(node, state.cluster.nodes[kinds_[k].example.index()])) break;
      }
    }
    if (k == kinds_.size()) kinds_.push_back({NodeId(n), 0});
    kind_of_[n] = static_cast<KindId>(k);
    ++kinds_[k].nodes;
  }
}

void NodeIndex::forget_buckets() {
  buckets_.clear();
  by_hash_.clear();
  live_.clear();
  views_.clear();
}

void NodeIndex::rebuild(const model::State& state) {
  if (kind_of_.size() != state.nodes.size()) find_kinds(state);
  forget_buckets();
  bucket_of_node_.assign(state.nodes.size(), kNone);
  for (std::size_t n = 0; n < state.nodes.size(); ++n) {
    if (state.nodes[n].healthy()) put(state, NodeId(n));
  }
}

bool NodeIndex::is_like(const Bucket& bucket, const model::NodeState& node, KindId kind,
                        base::ResourceId gpu) {
  if (bucket.kind != kind || bucket.like.whole_devices != node.whole_devices ||
      bucket.like.free != node.free) {
    return false;
  }
  return !has_shared_device(node, gpu) || bucket.like.devices == free_parts(node);
}

NodeIndex::BucketId NodeIndex::bucket_of(const model::State& state, NodeId node) {
  const KindId kind = kind_of_[node.index()];
  const model::NodeState& now = state.nodes[node.index()];
  const std::uint64_t hash = hash_of(now, kind);
  const BucketId known = by_hash_.find(
      hash, [&](BucketId b) { return is_like(buckets_[b], now, kind, gpu_of(state)); });
  if (known != base::HashIndex::kNone) return known;
  Bucket bucket;
  bucket.kind = kind;
  bucket.like = now;
  bucket.like.devices = free_parts(now);
  const auto id = static_cast<BucketId>(buckets_.size());
  buckets_.push_back(std::move(bucket));
  by_hash_.insert(hash, id);
  return id;
}

void NodeIndex::put(const model::State& state, NodeId node) {
  const BucketId id = bucket_of(state, node);
  if (buckets_[id].nodes.empty()) {
    buckets_[id].live_place = static_cast<std::uint32_t>(live_.size());
    live_.push_back(id);
  }
  buckets_[id].nodes.insert(node);
  bucket_of_node_[node.index()] = id;
}

void NodeIndex::update(const model::State& state, NodeId node) {
  const BucketId before = bucket_of_node_[node.index()];
  if (before == kNone) return;  // not healthy: nothing of it is given out
  buckets_[before].nodes.erase(node);
  if (buckets_[before].nodes.empty()) {
    buckets_[live_.back()].live_place = buckets_[before].live_place;
    live_[buckets_[before].live_place] = live_.back();
    live_.pop_back();
  }
  put(state, node);
  if (buckets_.size() > 2 * live_.size() + kSpareBuckets) rebuild(state);
}

std::optional<NodeIndex::Entry> NodeIndex::entry_of(const model::State& state,
                                                    const model::Shape& shape, const View& view,
                                                    BucketId id) {
  const Bucket& bucket = buckets_[id];
  const NodeId example = kinds_[bucket.kind].example;
  const model::Node& node = state.cluster.nodes[example.index()];
  ++counters_.ranked;
  if (!has_labels(node, shape)) return std::nullopt;
  Entry entry;
  entry.bucket = id;
  entry.fits = tasks_that_fit(bucket.like, shape.each, gpu_of(state), shape.tasks);
  if (entry.fits == 0) return std::nullopt;
  entry.rank = node_rank(view.basis, node, bucket.like.free, NodeId());
  return entry;
}

// Sorts the entries from `known` on, and merges them into the sorted ones before: from the back,
// so that only what comes after the first new one is moved.
void NodeIndex::merge_tail(std::vector<Entry>& entries, std::size_t known) {
  const auto less = [](const Entry& a, const Entry& b) {
    return a.rank != b.rank ? a.rank < b.rank : a.bucket < b.bucket;
  };
  scratch_.assign(entries.begin() + static_cast<std::ptrdiff_t>(known), entries.end());
  std::sort(scratch_.begin(), scratch_.end(), less);
  for (std::size_t out = entries.size(); !scratch_.empty(); --out) {
    if (known > 0 && less(scratch_.back(), entries[known - 1])) {
      entries[out - 1] = entries[--known];
    } else {
      entries[out - 1] = scratch_.back();
      scratch_.pop_back();
    }
  }
}

void NodeIndex::refresh(const model::State& state, base::ShapeId id, View& view) {
  const model::Shape& shape = state.shapes[id.index()];
  if (view.seen == buckets_.size()) return;
  const std::size_t known = view.entries.size();
  for (; view.seen < buckets_.size(); ++view.seen) {
    const auto bucket = static_cast<BucketId>(view.seen);
    if (const auto entry = entry_of(state, shape, view, bucket)) view.entries.push_back(*entry);
  }
  merge_tail(view.entries, known);
}

struct NodeIndex::Filling {
  const model::Shape& shape;
  const PlacementBounds& bounds;
  base::ResourceId gpu;
  Amounts models_left;
  std::uint32_t left;
  model::Placement placement;

  // Tasks that the quota on the node's GPU model still allows there.
  [[nodiscard]] std::uint32_t allowed(const model::Node& node) const {
    if (!bounds.models_bind || !node.model.valid() || !gpu.valid() || shape.each[gpu] == 0) {
      return left;
    }
    const Amount tasks = std::max<Amount>(0, models_left[node.model]) / shape.each[gpu];
    return static_cast<std::uint32_t>(std::min<Amount>(tasks, left));
  }
  void take(const model::Node& node, NodeId id, std::uint32_t fits) {
    const std::uint32_t tasks = std::min(fits, allowed(node));
    if (tasks == 0) return;
    if (bounds.models_bind && node.model.valid() && gpu.valid()) {
      models_left[node.model] -= shape.each[gpu] * static_cast<Amount>(tasks);
    }
    placement.push_back({id, tasks, {}});
    left -= tasks;
  }
};

bool NodeIndex::take_from(const model::State& state, const std::vector<Entry>& entries,
                          std::size_t begin, std::size_t end, Filling& filling) const {
  NodeId last;
  while (filling.left > 0) {
    NodeId next;
    const Entry* from = nullptr;
    for (std::size_t e = begin; e < end; ++e) {
      const NodeSet& nodes = buckets_[entries[e].bucket].nodes;
      const NodeId id = last.valid() ? nodes.next(last) : nodes.first();
      if (id.valid() && (!next.valid() || id < next)) {
        next = id;
        from = &entries[e];
      }
    }
    if (!from) return false;
    const model::Node& node = state.cluster.nodes[next.index()];
    if (filling.allowed(node) == 0 && end == begin + 1) return false;  // all of one model
    filling.take(node, next, from->fits);
    last = next;
  }
  return true;
}

bool NodeIndex::walk(const model::State& state, const std::vector<Entry>& entries,
                     Filling& filling) {
  for (std::size_t e = 0; e < entries.size();) {
    ++counters_.walked;
    if (buckets_[entries[e].bucket].nodes.empty()) {
      ++e;
      continue;
    }
    std::size_t end = e + 1;
    while (end < entries.size() && entries[end].rank == entries[e].rank) ++end;
    if (take_from(state, entries, e, end, filling)) return true;
    e = end;
  }
  return false;
}

void NodeIndex::look_at_few(const model::State& state, const model::Shape& shape,
                            const View& view) {
  few_.clear();
  for (const BucketId bucket : live_) {
    if (const auto entry = entry_of(state, shape, view, bucket)) few_.push_back(*entry);
  }
  if (few_.size() < 2) return;
  std::sort(few_.begin(), few_.end(),
            [](const Entry& a, const Entry& b) { return a.rank < b.rank; });
}

std::optional<model::Placement> NodeIndex::find(const model::State& state, base::ShapeId id,
                                                const PlacementBounds& bounds) {
  const model::Shape& shape = state.shapes[id.index()];
  if (asks_too_much(state, shape)) return std::nullopt;
  if (shape.wish.level != model::kWholeCluster) return find_placement(state, shape, bounds);
  if (id.index() >= views_.size()) views_.resize(state.shapes.size());
  View& view = views_[id.index()];
  if (!view.is_fresh) {
    view.basis = order_basis(state, shape);
    view.is_fresh = true;
  }
  Filling filling{shape, bounds, gpu_of(state), bounds.models, shape.tasks, {}};
  bool found = false;
  if (live_.size() <= kFew) {
    look_at_few(state, shape, view);
    found = walk(state, few_, filling);
  } else {
    refresh(state, id, view);
    found = walk(state, view.entries, filling);
  }
  if (!found) return std::nullopt;
  return std::move(filling.placement);
}

bool NodeIndex::fits_machine(const model::State& state, const model::Shape& shape) const {
  if (shape.wish.must) return can_place(state, shape, World::AllEmpty);
  std::uint64_t total = 0;
  for (const Kind& kind : kinds_) {
    const model::Node& node = state.cluster.nodes[kind.example.index()];
    if (!has_labels(node, shape)) continue;
    total += std::uint64_t{kind.nodes} *
             tasks_that_fit_empty(node.has, shape.each, gpu_of(state), shape.tasks);
  }
  return total >= shape.tasks;
}

}  // namespace stint::engine
