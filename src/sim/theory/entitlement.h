// Entitlement: what each queue of a tree may count on, of one resource, while all keep asking.
//
// At each level everybody first gets min(guarantee, demand); the rest is divided by weighted
// max-min on what is still asked for, never above a limit; then each queue divides its amount among
// its children in the same way. The engine never computes this (it orders single jobs); calculators
// and reports do.
//
// Invariants  1. exact, and independent of the order of siblings (oracles.md F16).
//             2. nobody gets more than it asks for or than its limit; amounts sum to the total, or
//                all are satisfied.
//             3. guarantees that do not fit the total are scaled down in proportion (DESIGN 5.1).
// Threads     pure.
//
//   const std::vector<EntitlementNode> queues = {{.name = "a", .guarantee = 20, .demand = 60}, …};
//   entitle(queues, 100)[0].amount.to_string();  // "95/3"
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "sim/theory/rational.h"

namespace stint::sim {

struct EntitlementNode {
  std::string name;
  std::optional<Rational> guarantee{};  // none = the sum of the children's, 0 for a leaf
  Rational weight = 1;                  // 0 = only what the siblings leave
  std::optional<Rational>
      demand{};  // of a leaf; none = endless. An inner node asks for its children
  std::optional<Rational> limit{};  // none = none
  std::vector<EntitlementNode> children{};
};

// The answer for one node, children in the same order as in the question.
struct Entitlement {
  Rational amount;
  std::vector<Entitlement> children{};
};

// Deepest nesting of nodes; one more is refused.
inline constexpr int kEntitlementDepthMax = 32;

// Accepts siblings or says what is wrong, naming the path of the node.
//   Errors  a negative guarantee, weight, demand or limit; a demand on an inner node; children who
//           are guaranteed more than their parent; a guarantee above the limit; too deep.
[[nodiscard]] base::Result<void> check_entitlement(std::span<const EntitlementNode> siblings);

// Divides `total` among `siblings` and down the tree.
//   Requires  check_entitlement(siblings), total >= 0.
//   Source    oracles.md 2.2, rows O-16, O-17, O-20.
[[nodiscard]] std::vector<Entitlement> entitle(std::span<const EntitlementNode> siblings,
                                               const Rational& total);

}  // namespace stint::sim
