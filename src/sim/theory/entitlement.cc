#include "sim/theory/entitlement.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/quote.h"

namespace stint::sim {

namespace {

// Endless amounts are none; none is larger than all.
using Bound = std::optional<Rational>;

Bound smaller(const Bound& a, const Bound& b) {
  if (!a) return b;
  if (!b) return a;
  return std::min(*a, *b);
}

// What a node could use at all: its demand, never above its limit.
Bound wanted(const EntitlementNode& node) {
  if (node.children.empty()) return smaller(node.demand, node.limit);
  Bound sum = Rational();
  for (const EntitlementNode& child : node.children) {
    const Bound part = wanted(child);
    if (!part) return node.limit;
    *sum += *part;
  }
  return smaller(sum, node.limit);
}

Rational guarantee_of(const EntitlementNode& node) {
  if (node.guarantee) return *node.guarantee;
  Rational sum;
  for (const EntitlementNode& child : node.children) sum += guarantee_of(child);
  return sum;
}

// One sibling while a level is divided.
struct Claimant {
  Rational weight;
  Bound wanted;
  Rational amount;
  bool is_open = true;  // may still get more in this phase
};

// The weight of a claimant in a phase; 0 if it does not take part.
Rational phase_weight(const Claimant& claimant, bool is_leftover) {
  if (is_leftover) return claimant.weight.is_zero() ? Rational(1) : Rational();
  return claimant.weight;
}

// Weighted max-min of `rest`: raise all by one level; who is satisfied stands still and the others
// share what it leaves. The level is computed afresh from the whole rest, so order cannot matter.
void raise(std::vector<Claimant>& claimants, Rational& rest, bool is_leftover) {
  for (Claimant& claimant : claimants) {
    claimant.is_open = phase_weight(claimant, is_leftover).sign() > 0 &&
                       (!claimant.wanted || claimant.amount < *claimant.wanted);
  }
  while (rest.sign() > 0) {
    Rational weights;
    for (const Claimant& claimant : claimants) {
      if (claimant.is_open) weights += phase_weight(claimant, is_leftover);
    }
    if (weights.is_zero()) return;
    Rational rise = rest / weights;  // per unit of weight
    for (const Claimant& claimant : claimants) {
      if (!claimant.is_open || !claimant.wanted) continue;
      rise = std::min(rise,
                      (*claimant.wanted - claimant.amount) / phase_weight(claimant, is_leftover));
    }
    for (Claimant& claimant : claimants) {
      if (!claimant.is_open) continue;
      claimant.amount += rise * phase_weight(claimant, is_leftover);
      claimant.is_open = !claimant.wanted || claimant.amount < *claimant.wanted;
    }
    rest -= rise * weights;
  }
}

std::vector<Entitlement> divide(std::span<const EntitlementNode> siblings, const Rational& total,
                                const Rational& scale) {
  std::vector<Claimant> claimants;
  Rational rest = total;
  for (const EntitlementNode& node : siblings) {
    Claimant claimant{node.weight, wanted(node), guarantee_of(node) * scale};
    if (claimant.wanted) claimant.amount = std::min(claimant.amount, *claimant.wanted);
    rest -= claimant.amount;
    claimants.push_back(std::move(claimant));
  }
  STINT_ASSERT(rest.sign() >= 0);
  raise(claimants, rest, false);
  raise(claimants, rest, true);
  std::vector<Entitlement> answer;
  for (std::size_t i = 0; i < siblings.size(); ++i) {
    Entitlement entitlement{claimants[i].amount};
    entitlement.children = divide(siblings[i].children, claimants[i].amount, scale);
    answer.push_back(std::move(entitlement));
  }
  return answer;
}

base::Result<void> check_level(std::span<const EntitlementNode> siblings, std::string_view path,
                               int depth);

base::Result<void> check_node(const EntitlementNode& node, std::string_view path, int depth) {
  const auto bad = [&](std::string_view what) {
    return base::refuse(fmt::format("queue {}: {}", base::quote(path), what));
  };
  const auto is_negative = [](const Bound& value) { return value && value->sign() < 0; };
  if (is_negative(node.guarantee)) return bad("its guarantee must not be negative");
  if (node.weight.sign() < 0) return bad("its weight must not be negative");
  if (is_negative(node.demand)) return bad("its demand must not be negative");
  if (is_negative(node.limit)) return bad("its limit must not be negative");
  if (node.limit && guarantee_of(node) > *node.limit) {
    return bad(fmt::format("it is guaranteed {}, above its limit {}; raise the limit",
                           guarantee_of(node).to_decimal(), node.limit->to_decimal()));
  }
  if (depth > kEntitlementDepthMax) {
    return bad(fmt::format("it lies deeper than {} levels", kEntitlementDepthMax));
  }
  if (node.children.empty()) return {};
  if (node.demand) return bad("only a leaf has a demand; give it to the children");
  if (auto level = check_level(node.children, path, depth + 1); !level) return level;
  Rational sum;
  for (const EntitlementNode& child : node.children) sum += guarantee_of(child);
  if (sum > guarantee_of(node)) {
    return bad(fmt::format("its children are guaranteed {}, itself {}; raise it or lower them",
                           sum.to_decimal(), guarantee_of(node).to_decimal()));
  }
  return {};
}

base::Result<void> check_level(std::span<const EntitlementNode> siblings, std::string_view path,
                               int depth) {
  for (const EntitlementNode& node : siblings) {
    const std::string own = path.empty() ? node.name : fmt::format("{}/{}", path, node.name);
    if (auto checked = check_node(node, own, depth); !checked) return checked;
  }
  return {};
}

}  // namespace

base::Result<void> check_entitlement(std::span<const EntitlementNode> siblings) {
  return check_level(siblings, "", 1);
}

std::vector<Entitlement> entitle(std::span<const EntitlementNode> siblings, const Rational& total) {
  STINT_ASSERT(total.sign() >= 0);
  Rational guaranteed;
  for (const EntitlementNode& node : siblings) guaranteed += guarantee_of(node);
  const Rational scale = guaranteed > total ? total / guaranteed : Rational(1);
  return divide(siblings, total, scale);
}

}  // namespace stint::sim
