// A question for the DRF calculators: resources, users, what one task of each user asks for.
//
// Everything is exact; nothing here is an engine type, so that the calculators stay an independent
// reference (oracles.md section 1). Units are the caller's: a GPU, a GiB, whatever the capacity is
// counted in; `unit` is only printed behind amounts.
//
// Invariants  1. every user's `demand` has one entry per resource, in the same order.
//             2. check_problem() has accepted the value before a calculator sees it.
// Threads     plain values.
//
//   DrfProblem problem;
//   problem.resources = {{"cpu", 9, ""}, {"memory", 18, "Gi"}};
//   problem.users = {{.name = "a", .demand = {1, 4}}, {.name = "b", .demand = {3, 1}}};
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "sim/theory/rational.h"

namespace stint::sim {

struct DrfResource {
  std::string name;
  Rational capacity;
  std::string unit{};  // printed behind amounts, such as `Gi`; empty for counts
};

struct DrfUser {
  std::string name;
  std::vector<Rational> demand{};             // of one task, per resource
  Rational weight = 1;                        // 0 = only what nobody else wants
  std::optional<std::int64_t> tasks{};        // how many tasks the user has at all; none = endless
  std::optional<std::int64_t> last_served{};  // larger = served more recently; none = never
  std::int64_t past_grants = 0;  // lifetime count, seen only by the faulty tie rule `count`
};

struct DrfProblem {
  std::vector<DrfResource> resources;
  std::vector<DrfUser> users;
};

// What a problem may hold at most; one more is refused.
inline constexpr std::size_t kDrfResourcesMax = 64;
inline constexpr std::size_t kDrfUsersMax = 1000;
inline constexpr std::int64_t kDrfCountMax = std::int64_t{1} << 53;  // tasks, stamps, past grants

// Accepts a problem or says what is wrong with it.
//   Errors  nothing to divide, nobody to serve, a name twice or empty, wrong length of a demand, a
//           negative capacity, demand, weight or count, too many of anything.
[[nodiscard]] base::Result<void> check_problem(const DrfProblem& problem);

// Share of one task: the largest demand_r / capacity_r over resources with capacity. Resources of
// no capacity play no part (oracles.md 1.1); a demand on one makes the user infeasible, see below.
[[nodiscard]] Rational share_of_one_task(const DrfProblem& problem, std::size_t user);

// The resource behind share_of_one_task(), the first in order on ties; none if there is none.
[[nodiscard]] std::optional<std::size_t> dominant_resource(const DrfProblem& problem,
                                                           std::size_t user);

// Asks for something that has no capacity at all.
[[nodiscard]] bool is_infeasible(const DrfProblem& problem, std::size_t user);
// Asks for nothing at all; such a user is never active.
[[nodiscard]] bool asks_for_nothing(const DrfProblem& problem, std::size_t user);

// What one task of a user keeps others from using, in units of `resource`: share × capacity, kept
// fractional. On 8 GPU and 96 CPU a task of 1 GPU and 48 CPU is worth 4 GPUs (row O-64).
//   Requires  capacity of `resource` above zero.
[[nodiscard]] Rational equivalents(const DrfProblem& problem, std::size_t user,
                                   std::size_t resource);

}  // namespace stint::sim
