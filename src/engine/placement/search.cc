#include "engine/placement/search.h"

#include <algorithm>

#include "engine/placement/fit.h"

namespace stint::engine {

// Gives tasks to nodes one after the other, inside the quotas on GPU models.
class Search::Taking {
 public:
  explicit Taking(const Search& search)
      : search_(search), models_left_(search.bounds_.models), left_(search.shape_.tasks) {}

  [[nodiscard]] std::uint32_t left() const { return left_; }
  // How many tasks the node would take now.
  [[nodiscard]] std::uint32_t room_on(const Candidate& candidate) const {
    const model::Node& node = search_.state_.cluster.nodes[candidate.rank.id.index()];
    const Amount each = search_.gpu_.valid() ? search_.shape_.each[search_.gpu_] : 0;
    std::uint32_t room = std::min(candidate.fits, left_);
    if (search_.bounds_.models_bind && node.model.valid() && each > 0) {
      const Amount allowed = std::max<Amount>(0, models_left_[node.model]) / each;
      room = static_cast<std::uint32_t>(std::min<Amount>(allowed, room));
    }
    return room;
  }
  void take(const Candidate& candidate, std::uint32_t tasks) {
    if (tasks == 0) return;
    const model::Node& node = search_.state_.cluster.nodes[candidate.rank.id.index()];
    if (search_.bounds_.models_bind && node.model.valid() && search_.gpu_.valid()) {
      models_left_[node.model] -= search_.shape_.each[search_.gpu_] * static_cast<Amount>(tasks);
    }
    placement_.push_back({candidate.rank.id, tasks, {}});
    left_ -= tasks;
  }
  [[nodiscard]] std::optional<model::Placement> result() {
    if (left_ > 0) return std::nullopt;
    return std::move(placement_);
  }

 private:
  const Search& search_;
  Amounts models_left_;
  std::uint32_t left_;
  model::Placement placement_;
};

Search::Search(const model::State& state, const model::Shape& shape, const PlacementBounds& bounds,
               World world, const FreeOn* instead)
    : state_(state),
      shape_(shape),
      bounds_(bounds),
      world_(world),
      instead_(instead),
      gpu_(state.cluster.resources.gpu().value_or(base::ResourceId())) {}

bool Search::is_usable(NodeId node) const {
  switch (world_) {
    case World::Now:
    case World::HealthyEmpty:
      return state_.nodes[node.index()].healthy();
    case World::AllEmpty:
    case World::DownRepaired:
      return true;
  }
  return false;
}

const model::NodeState& Search::state_of(NodeId node) const {
  if (instead_ == nullptr) return state_.nodes[node.index()];
  const auto it = instead_->find(node);
  return it == instead_->end() ? state_.nodes[node.index()] : it->second;
}

const Amounts& Search::free_on(NodeId node) const {
  const bool is_empty = world_ == World::HealthyEmpty || world_ == World::AllEmpty;
  return is_empty ? state_.cluster.nodes[node.index()].has : state_of(node).free;
}

std::uint32_t Search::fits_on(NodeId node) const {
  if (world_ == World::Now || world_ == World::DownRepaired) {
    return tasks_that_fit(state_of(node), shape_.each, gpu_, shape_.tasks);
  }
  return tasks_that_fit_empty(state_.cluster.nodes[node.index()].has, shape_.each, gpu_,
                              shape_.tasks);
}

std::vector<Candidate> Search::candidates() const {
  const Taking none(*this);
  std::vector<Candidate> candidates;
  for (std::size_t n = 0; n < state_.nodes.size(); ++n) {
    const NodeId node(n);
    if (!is_usable(node) || !has_labels(state_.cluster.nodes[n], shape_)) continue;
    Candidate candidate{{.id = node}, fits_on(node)};
    candidate.fits = none.room_on(candidate);
    if (candidate.fits > 0) candidates.push_back(candidate);
  }
  return candidates;
}

void Search::rank(std::vector<Candidate>& candidates) const {
  if (candidates.size() < 2) return;
  const OrderBasis basis = order_basis(state_, shape_);
  for (Candidate& c : candidates) {
    c.rank =
        node_rank(basis, state_.cluster.nodes[c.rank.id.index()], free_on(c.rank.id), c.rank.id);
  }
}

bool Search::are_enough(const std::vector<Candidate>& candidates) const {
  std::uint64_t total = 0;
  for (const Candidate& candidate : candidates) total += candidate.fits;
  return total >= shape_.tasks;
}

std::optional<model::Placement> Search::fill(const std::vector<Candidate>& candidates) const {
  Taking taking(*this);
  for (const Candidate& candidate : candidates) {
    taking.take(candidate, taking.room_on(candidate));
    if (taking.left() == 0) break;
  }
  return taking.result();
}

std::optional<model::Placement> Search::pack(std::vector<Candidate> candidates) const {
  Taking taking(*this);
  while (taking.left() > 0 && !candidates.empty()) {
    const auto better = [&](const Candidate& a, const Candidate& b) {
      const std::uint32_t on_a = taking.room_on(a);
      const std::uint32_t on_b = taking.room_on(b);
      return on_a != on_b ? on_a > on_b : a.rank < b.rank;
    };
    const auto next = std::min_element(candidates.begin(), candidates.end(), better);
    const std::uint32_t tasks = taking.room_on(*next);
    if (tasks == 0) break;
    taking.take(*next, tasks);
    *next = candidates.back();
    candidates.pop_back();
  }
  return taking.result();
}

}  // namespace stint::engine
