// The orders on which everything rests: strict weak orders (F8, F19) that agree with exact
// arithmetic.
#include "engine/placement/order.h"

#include <algorithm>
#include <array>
#include <compare>
#include <limits>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>
#include <gtest/gtest.h>

#include "claims.h"
#include "engine/turn/job_list.h"
#include "engine/turn/rank.h"
#include "engine/turn/share.h"

namespace stint::property {
namespace {

using base::Amount;
using base::Fraction;
using base::Millis;
using boost::multiprecision::cpp_int;
using engine::Key;
using engine::NodeRank;
using engine::Rank;
using Exact = boost::multiprecision::cpp_rational;

constexpr std::int64_t kAmounts = std::int64_t{1} << 44U;

// A number that is often small or equal to another, sometimes anywhere up to `most`.
std::int64_t some_number(std::int64_t most) {
  const auto kind = *rc::gen::inRange(0, 4);
  if (kind == 0) return 0;
  if (kind == 1) return *rc::gen::inRange<std::int64_t>(0, std::min<std::int64_t>(4, most) + 1);
  if (kind == 2)
    return most - *rc::gen::inRange<std::int64_t>(0, std::min<std::int64_t>(3, most) + 1);
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::int64_t>(0, most + 1));
}
std::int64_t some_positive(std::int64_t most) {
  return std::max<std::int64_t>(1, some_number(most));
}

// A share as State gives it: what is above a guarantee over a capacity, 0 where there is no
// capacity.
Fraction some_share() {
  if (*rc::gen::inRange(0, 6) == 0) return {0, 1};
  return {some_number(kAmounts), some_positive(kAmounts)};
}

// Equal shares in other terms are as common as equal terms.
Fraction some_small_share() {
  return {*rc::gen::inRange<std::int64_t>(0, 4), *rc::gen::inRange<std::int64_t>(1, 5)};
}

std::int64_t some_weight() {
  return *rc::gen::element<std::int64_t>(0, 1, 500, 1000, 2000, 3000, model::kWeightMax);
}

// Ranks of siblings under one policy: their keys are all exact, or all blended.
struct Siblings {
  std::int32_t history = 0;
  bool small = true;

  [[nodiscard]] Rank some_rank() const {
    static constexpr std::array<std::string_view, 4> kNames = {"a", "a/b", "b", "c"};
    Rank rank;
    rank.within = *rc::gen::arbitrary<bool>();
    rank.fill = small ? some_small_share() : some_share();
    const std::int64_t weight = some_weight();
    rank.weightless = weight == 0;
    rank.priority = *rc::gen::inRange(-1, 2);
    // Blended keys stay in range as long as a share is no monstrous one (see blended_key below).
    const Fraction share = small || history > 0 ? some_small_share() : some_share();
    rank.past_q32 = some_number(3) << 31U;
    rank.key = rank.weightless ? engine::blended_key(share, 0, 0, model::kWeightOne)
                               : engine::blended_key(share, rank.past_q32, history, weight);
    rank.served = static_cast<std::uint64_t>(*rc::gen::inRange(0, 3));
    rank.name = *rc::gen::elementOf(kNames);
    return rank;
  }
};

Siblings some_siblings() {
  return {*rc::gen::element<std::int32_t>(0, 0, 500, 900), *rc::gen::arbitrary<bool>()};
}

template <class T, class Before>
void assert_strict_weak(const std::array<T, 3>& of, Before before) {
  const auto alike = [&](const T& x, const T& y) { return !before(x, y) && !before(y, x); };
  for (const T& a : of) {
    RC_ASSERT(!before(a, a));
    for (const T& b : of) {
      RC_ASSERT(!(before(a, b) && before(b, a)));
      for (const T& c : of) {
        if (before(a, b) && before(b, c)) RC_ASSERT(before(a, c));
        if (alike(a, b) && alike(b, c)) RC_ASSERT(alike(a, c));
      }
    }
  }
}

// --- the turn
// -------------------------------------------------------------------------------------------

constexpr int kTriples = 20'000;

TEST(Turn, IsAStrictWeakOrder) {  // F8, F19
  holds(
      "goes_before",
      [] {
        const Siblings siblings = some_siblings();
        assert_strict_weak(
            std::array{siblings.some_rank(), siblings.some_rank(), siblings.some_rank()},
            engine::goes_before);
      },
      kTriples);
}

TEST(Turn, TellsAnyTwoSiblingsApart) {
  holds(
      "goes_before is total on names",
      [] {
        const Siblings siblings = some_siblings();
        const Rank a = siblings.some_rank();
        const Rank b = siblings.some_rank();
        if (a.name != b.name) RC_ASSERT(engine::goes_before(a, b) != engine::goes_before(b, a));
      },
      kTriples);
}

// DESIGN §5.3 word by word, in exact numbers.
bool goes_first(const Rank& a, const Rank& b, const Exact& key_a, const Exact& key_b) {
  if (a.within != b.within) return a.within;
  if (a.within) {
    const Exact fill_a(a.fill.num, a.fill.den);
    const Exact fill_b(b.fill.num, b.fill.den);
    if (fill_a != fill_b) return fill_a < fill_b;
  } else {
    if (a.weightless != b.weightless) return b.weightless;
    if (!a.weightless && a.priority != b.priority) return a.priority > b.priority;
    if (key_a != key_b) return key_a < key_b;
    if (a.past_q32 != b.past_q32) return a.past_q32 < b.past_q32;
  }
  if (a.served != b.served) return a.served < b.served;
  return a.name < b.name;
}

Exact exact(const Key& key) { return Exact(key.num, cpp_int(key.den) * key.weight); }

TEST(Turn, IsTheOrderThatThePolicySpellsOut) {
  holds(
      "goes_before = DESIGN 5.3",
      [] {
        const Siblings siblings = some_siblings();
        const Rank a = siblings.some_rank();
        const Rank b = siblings.some_rank();
        RC_ASSERT(engine::goes_before(a, b) == goes_first(a, b, exact(a.key), exact(b.key)));
      },
      kTriples);
}

TEST(Turn, PutsWeightZeroLastAmongBorrowers) {  // F19
  holds(
      "weight 0",
      [] {
        const Siblings siblings = some_siblings();
        Rank a = siblings.some_rank();
        Rank b = siblings.some_rank();
        a.within = b.within = false;
        RC_ASSERT(engine::goes_before(a, b) || a.weightless >= b.weightless);
        if (a.weightless != b.weightless) RC_ASSERT(engine::goes_before(a, b) == b.weightless);
      },
      kTriples);
}

// --- keys
// -----------------------------------------------------------------------------------------------

TEST(Keys, CompareExactly) {  // F4, F7
  holds(
      "history 0",
      [] {
        const auto some_key = [] {
          return engine::blended_key(some_share(), some_number(kAmounts), 0,
                                     some_positive(model::kWeightMax));
        };
        const std::array keys = {some_key(), some_key(), some_key()};
        for (const Key& a : keys) {
          for (const Key& b : keys) RC_ASSERT((a <=> b) == (exact(a).compare(exact(b)) <=> 0));
        }
        assert_strict_weak(keys, [](const Key& a, const Key& b) { return a < b; });
      },
      kTriples);
}

TEST(Keys, WithoutHistoryAreTheShareByWeightItself) {
  holds(
      "history 0 is exact",
      [] {
        const Fraction share = some_share();
        const std::int64_t weight = some_positive(model::kWeightMax);
        const Key key = engine::blended_key(share, some_number(kAmounts), 0, weight);
        RC_ASSERT(exact(key) == Exact(share.num, cpp_int(share.den) * weight));
      },
      kTriples);
}

// Shares up to some thousand (a cluster that lost nearly all nodes), so that a key fits 62 bits
// even at the smallest weight.
Fraction some_blended_share() {
  const std::int64_t den = some_positive(kAmounts);
  return {some_number(std::min(kAmounts, den * *rc::gen::element<std::int64_t>(1, 2, 1000))), den};
}
std::int64_t some_past() { return some_number(std::int64_t{1000} << 32U); }
std::int32_t some_history() { return *rc::gen::element<std::int32_t>(1, 500, 899, 900); }

TEST(Keys, WithHistoryAreTheBlendRoundedDownOnce) {
  holds(
      "history > 0 is within 2^-32",
      [] {
        const Fraction share = some_blended_share();
        const std::int64_t past = some_past();
        const std::int32_t history = some_history();
        const std::int64_t weight = some_positive(model::kWeightMax);
        const Key key = engine::blended_key(share, past, history, weight);
        const Exact blend = Exact(share.num, share.den) * (1000 - history) * (cpp_int(1) << 32U) +
                            Exact(past) * history;
        const Exact real = blend / weight;
        RC_ASSERT(key.den == 1 && key.weight == 1);
        RC_ASSERT(Exact(key.num) <= real);
        RC_ASSERT(real < Exact(key.num) + 1);
      },
      kTriples);
}

TEST(Keys, NeverFallWhenShareOrPastRise) {
  holds(
      "monotone",
      [] {
        Fraction low = some_blended_share();
        Fraction high = some_blended_share();
        if (high < low) std::swap(low, high);
        const std::int64_t past = some_past();
        const std::int64_t more = past + some_past() / 2;
        const std::int32_t history = some_history();
        const std::int64_t weight = some_positive(model::kWeightMax);
        const Key key = engine::blended_key(low, past, history, weight);
        RC_ASSERT(key <= engine::blended_key(high, past, history, weight));
        RC_ASSERT(key <= engine::blended_key(low, more, history, weight));
        RC_ASSERT(key <= engine::blended_key(high, more, history, weight));
      },
      kTriples);
}

// --- shares
// ---------------------------------------------------------------------------------------------

TEST(Shares, AreTheLargestPartAboveTheGuarantee) {
  holds(
      "share_above",
      [] {
        constexpr std::size_t kResources = 3;
        model::Amounts usage(kResources);
        model::Amounts guarantee(kResources);
        model::Amounts capacity(kResources);
        std::vector<bool> counts;
        Exact largest = 0;
        for (std::size_t r = 0; r < kResources; ++r) {
          usage[r] = some_number(kAmounts);
          guarantee[r] = some_number(kAmounts);
          capacity[r] = some_number(kAmounts);
          counts.push_back(*rc::gen::inRange(0, 4) != 0);
          if (!counts[r] || capacity[r] == 0 || usage[r] <= guarantee[r]) continue;
          largest = std::max(largest, Exact(usage[r] - guarantee[r], capacity[r]));
        }
        const Fraction share = engine::share_above(usage, guarantee, counts, capacity);
        RC_ASSERT(Exact(share.num, share.den) == largest);
      },
      kTriples);
}

// --- jobs of one user
// -----------------------------------------------------------------------------------

TEST(JobOrder, IsAStrictWeakOrder) {
  holds(
      "JobRank",
      [] {
        const auto some_rank = [] {
          return engine::JobRank{
              *rc::gen::arbitrary<bool>(), *rc::gen::inRange<std::int64_t>(-1, 2),
              *rc::gen::inRange<Millis>(0, 2), base::JobId(*rc::gen::inRange<std::size_t>(0, 3))};
        };
        assert_strict_weak(std::array{some_rank(), some_rank(), some_rank()},
                           [](const auto& a, const auto& b) { return a < b; });
      },
      kTriples);
}

// --- nodes
// ----------------------------------------------------------------------------------------------

// One shape and two nodes of one kind on which it fits, as the search compares them.
struct Pair {
  engine::OrderBasis basis;
  model::Node node;
  std::array<model::Amounts, 2> free;
};

Pair some_pair(std::int64_t most) {
  constexpr std::size_t kResources = 3;
  Pair pair;
  pair.basis.each = pair.basis.capacity = pair.node.has = model::Amounts(kResources);
  pair.free = {model::Amounts(kResources), model::Amounts(kResources)};
  pair.basis.gpu = base::ResourceId(0U);
  pair.basis.is_model.assign(kResources, false);
  Exact scarcest = -1;
  for (std::size_t r = 0; r < kResources; ++r) {
    const Amount has = some_positive(most);
    pair.node.has[r] = has;
    pair.basis.capacity[r] = has * *rc::gen::inRange<Amount>(1, 5);
    pair.basis.each[r] = some_number(has);
    for (model::Amounts& free : pair.free) {
      free[r] = pair.basis.each[r] + some_number(has - pair.basis.each[r]);
    }
    const Exact part(pair.basis.each[r], pair.basis.capacity[r]);
    if (pair.basis.each[r] > 0 && part > scarcest) {
      scarcest = part;
      pair.basis.scarcest = r;
    }
  }
  return pair;
}

Exact stranded(const Pair& pair, const model::Amounts& free) {
  const auto left = [&](std::size_t r) { return Exact(free[r], pair.node.has[r]); };
  Exact worst = 0;
  for (std::size_t r = 1; r < free.size(); ++r) worst = std::max<Exact>(worst, left(0) - left(r));
  return worst;
}
Exact growth(const Pair& pair, const model::Amounts& free) {
  return stranded(pair, free - pair.basis.each) - stranded(pair, free);
}
Exact overall(const Pair& pair, const model::Amounts& free) {
  Exact sum = 0;
  for (std::size_t r = 0; r < free.size(); ++r) sum += Exact(free[r], pair.basis.capacity[r]);
  return sum;
}

std::array<NodeRank, 2> ranks_of(const Pair& pair) {
  return {engine::node_rank(pair.basis, pair.node, pair.free[0], base::NodeId(0U)),
          engine::node_rank(pair.basis, pair.node, pair.free[1], base::NodeId(1U))};
}

TEST(NodeOrder, IsAStrictTotalOrder) {
  holds(
      "NodeRank",
      [] {
        const auto some_rank = [] {
          return NodeRank{static_cast<std::uint32_t>(*rc::gen::inRange(0, 2)),
                          *rc::gen::inRange<std::int64_t>(-1, 2), *rc::gen::inRange<Amount>(0, 2),
                          *rc::gen::inRange<std::int64_t>(0, 2),
                          base::NodeId(*rc::gen::inRange<std::size_t>(0, 3))};
        };
        const std::array ranks = {some_rank(), some_rank(), some_rank()};
        assert_strict_weak(ranks, [](const NodeRank& a, const NodeRank& b) { return a < b; });
        if (ranks[0].id != ranks[1].id) RC_ASSERT((ranks[0] < ranks[1]) != (ranks[1] < ranks[0]));
      },
      kTriples);
}

TEST(NodeOrder, AgreesWithExactNumbers) {
  // Small machines have small denominators, where numbers that differ do so by far more than 2^-32.
  holds(
      "node_rank = DESIGN 5.4",
      [] {
        const Pair pair = some_pair(20);
        const auto ranks = ranks_of(pair);
        const auto key = [&](std::size_t i) {
          return std::tuple(growth(pair, pair.free[i]), Exact(pair.free[i][pair.basis.scarcest]),
                            overall(pair, pair.free[i]), i);
        };
        RC_ASSERT((ranks[0] < ranks[1]) == (key(0) < key(1)));
      },
      kTriples);
}

TEST(NodeOrder, IsWithinItsRoundingOnAnyMachine) {
  holds(
      "2^-32",
      [] {
        const Pair pair = some_pair(kAmounts / 8);
        const auto ranks = ranks_of(pair);
        for (std::size_t i = 0; i < ranks.size(); ++i) {
          const Exact unit(1, cpp_int(1) << 32U);
          const auto near = [&](std::int64_t q32, const Exact& real) {
            return boost::multiprecision::abs(Exact(q32) * unit - real) <= unit;
          };
          RC_ASSERT(near(ranks[i].growth_q32, growth(pair, pair.free[i])));
          RC_ASSERT(near(ranks[i].overall_q32, overall(pair, pair.free[i])));
          RC_ASSERT(ranks[i].scarcest_free == pair.free[i][pair.basis.scarcest]);
        }
      },
      kTriples);
}

}  // namespace
}  // namespace stint::property
