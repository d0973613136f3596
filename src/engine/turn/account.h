// Accounts: what queues and users hold, kept along the path of every run.
//
// Invariant  a start and its end change every account on the path by the same amounts, so usage
// equals the
//            recount over runs (I3) and returns to exactly zero.
// Threads    the owner of State.
#pragma once

#include <algorithm>
#include <vector>

#include "model/state.h"

namespace stint::engine {

using base::Millis;
using base::TenantId;
using model::Amounts;

// The larger reading of usage (DESIGN §5.1): what limits, shares and turn look at.
[[nodiscard]] inline Amounts usage(const model::Account& account) {
  return model::max_each(account.now, account.after);
}

// The account of `user` in `queue`; none if there is none.
[[nodiscard]] base::TenantId find_tenant(const model::State& state, model::QueueId queue,
                                         base::UserId user);

// The tenants whose accounts a user's run in `leaf` changes: the leaf's own, then one for every
// ancestor-or-self with a `users:` block. Created on first use.
//   Shape  the leaf's tenant first, then blocks from the leaf upwards (the leaf's own is not
//   repeated).
[[nodiscard]] std::vector<base::TenantId> tenants_of(model::State& state, model::QueueId leaf,
                                                     base::UserId user);

// The same without creating anything; an unknown tenant is left out.
[[nodiscard]] std::vector<base::TenantId> known_tenants_of(const model::State& state,
                                                           model::QueueId leaf, base::UserId user);

// The same of one resource.
[[nodiscard]] inline model::Amount usage(const model::Account& account, std::size_t r) {
  return std::max(account.now[r], account.after[r]);
}

enum class Change : std::uint8_t {
  Start,   // a run takes `amounts`
  Notice,  // it was told to stop: it leaves `after`, not `now`
  End,     // it has left without a notice
  Left,    // it has left after a notice
};

// Books `amounts` on every account of the path at `now`. Where the share changes by it, `past` is
// accrued with the share before.
void book(model::State& state, model::QueueId leaf, const std::vector<base::TenantId>& tenants,
          const Amounts& amounts, bool is_preemptible, Change change, Millis now);

// Accrues every account's `past` up to `now`: before capacity, guarantees or the half-life change.
void accrue_all(model::State& state, Millis now);

// After the tree changed: weights of users by the new rules, and the accounts of users of inner
// queues recounted, since `users:` blocks may have come or gone.
void refresh_tenants(model::State& state);

// Recomputes healthy capacity, what is free on it, and the guarantees scaled to it (DESIGN §5.1).
void refresh_capacity(model::State& state);

}  // namespace stint::engine
