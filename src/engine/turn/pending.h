// Jobs that could be tried now, by tenant and shape: heads are found without looking at the rest.
//
// Derived from State (never saved): jobs that wait, are not held, have their dependencies met and
// are not impossible. A blocked shape costs one look, however many jobs ask for it.
//
// Invariant  inside a (tenant, shape) jobs stand in the order in which their user wants them.
// Threads    the owner of the engine.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "model/state.h"

namespace stint::engine {

using base::JobId;
using base::Millis;
using base::ShapeId;
using base::TenantId;
using model::State;

// Order inside one user: back from a failure first, then job priority (higher first), submit time,
// id.
struct JobRank {
  bool not_returned = true;
  std::int64_t minus_priority = 0;
  Millis submit = 0;
  JobId id;

  friend auto operator<=>(const JobRank&, const JobRank&) = default;
};

// How the list is ordered: `fair` as above, `fifo` by submit time, `sjf` by true run time.
enum class ListOrder : std::uint8_t { User, Submit, Work };

[[nodiscard]] JobRank job_rank(const State& state, JobId job, ListOrder order);

class PendingIndex {
 public:
  struct Group {
    ShapeId shape;
    std::set<JobRank> jobs;  // never empty
  };
  using Groups = std::vector<Group>;  // by ShapeId

  explicit PendingIndex(ListOrder order) : order_(order) {}

  void insert(const State& state, TenantId tenant, JobId job);
  // Requires that it is there.
  void erase(const State& state, TenantId tenant, JobId job);

  [[nodiscard]] const Groups& groups(TenantId tenant) const;
  // Tenants with a job, sorted by id.
  [[nodiscard]] const std::vector<TenantId>& active() const { return active_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] ListOrder order() const { return order_; }

 private:
  ListOrder order_;
  std::vector<Groups> by_tenant_;
  std::vector<TenantId> active_;
  std::size_t size_ = 0;
  Groups empty_;
};

}  // namespace stint::engine
