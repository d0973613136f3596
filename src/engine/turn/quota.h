// What may start at all: limits, lending, and protected work inside its own part (DESIGN §5.1,
// §5.3, §5.8).
//
// These are tests on State, before any search for nodes; each says which scope binds.
// Threads  const on State.
#pragma once

#include <optional>
#include <vector>

#include "engine/placement/place.h"
#include "engine/turn/runs_by_limit.h"
#include "model/state.h"

namespace stint::engine {

using base::Millis;
using base::ResourceId;
using base::TenantId;
using model::Amount;
using model::Amounts;
using model::QueueId;
using model::State;

// Something reached: one resource of a queue, or of one user below a queue.
struct Scope {
  QueueId queue;
  TenantId tenant;  // none: the whole queue
  ResourceId resource;

  friend auto operator<=>(const Scope&, const Scope&) = default;
};

// A request, as quota sees it.
struct Request {
  QueueId leaf;
  const std::vector<TenantId>* tenants = nullptr;  // tenants_of the job
  const Amounts* total = nullptr;                  // over all tasks
  bool is_preemptible = true;
};

// Every limit that the request would exceed, nearest first.
[[nodiscard]] std::vector<Scope> exceeded_limits(const State& state, const Request& request);

// Whether a limit on the user, in its leaf or in a block above, is exceeded if they ask for `most`
// after having started `more`.
[[nodiscard]] bool user_limit_may_bind(const State& state, TenantId tenant, const Amounts& most,
                                       const Amounts& more);

// How much of each gpu model limits and lending still allow on the request's path: nodes of a model
// with less than one task's GPUs left are out of the search. Binds only if some queue says
// something of models.
[[nodiscard]] PlacementBounds model_bounds(const State& state, const Request& request);
// … where it is known what is kept back.
[[nodiscard]] PlacementBounds model_bounds(const State& state, const Request& request,
                                           const Amounts& kept);

// Per resource, what must stay free because queues beside the path do not lend it.
[[nodiscard]] Amounts kept_back(const State& state, QueueId leaf);

// Whether what stays free covers what is kept back, on every resource the request asks for.
[[nodiscard]] bool lending_allows(const State& state, const Request& request);
// … where it is known what is kept back.
[[nodiscard]] bool lending_allows(const State& state, const Request& request, const Amounts& kept);

// The part of the nearest guarantee in which a protected job must stay.
struct OwnPart {
  QueueId queue;  // none: no guarantee on the path, so nothing protected may ever start
  QueueId below;  // the path's child of `queue`; none if `queue` is the leaf itself
  Amounts size;   // guarantee less what the other children are guaranteed
};
[[nodiscard]] OwnPart own_part(const State& state, const Request& request);

// Protected usage that counts in an own part: of the other children only what is above their
// guarantees.
[[nodiscard]] Amounts protected_usage(const State& state, const OwnPart& part);

// The resources in which the request would leave its own part; empty = it may start as far as this
// rule goes.
[[nodiscard]] std::vector<Scope> outside_own_part(const State& state, const Request& request);

// The earliest instant at which running work under `scope` has ended, by its limits, so far that
// `need` more fits into `room` there; kNever if that cannot be computed (work without a limit).
//   Shape  counts protected runs only if `protected_only`; looks at the first `runs` runs.
[[nodiscard]] Millis earliest_room(const State& state, const RunsByLimit& by_limit,
                                   const Scope& scope, Amount excess, bool protected_only,
                                   std::size_t runs);

}  // namespace stint::engine
