#include "engine/turn/contest.h"

#include <gtest/gtest.h>

#include "base/rng.h"
#include "engine/test_world.h"
#include "engine/turn/account.h"

namespace stint::engine {
namespace {

constexpr std::size_t kUsers = 60;

// Users of one leaf who start and end things while time passes.
class Users {
 public:
  explicit Users(std::int32_t history, Millis half_life) : world_({"gpu"}, {64'000}, 4) {
    world_.policy.history = history;
    world_.policy.half_life = half_life;
    const model::QueueId leaf = world_.queue("all");
    State& state = world_.finish();
    for (std::size_t u = 0; u < kUsers; ++u) {
      const base::UserId user(state.users.intern("u" + std::to_string(u)));
      tenants_.push_back(tenants_of(state, leaf, user));
      const std::int64_t weights[] = {0, 1, 500, 1000, 1000, 4000};
      state.tenants[tenants_[u][0].index()].weight = weights[rng_.below(6)];
    }
    held_.resize(kUsers);
  }

  // Something happens to a few of them; `contest` is told.
  void happen(Contest& contest) {
    State& state = world_.state;
    now_ += static_cast<Millis>(rng_.below(3) == 0 ? 0 : rng_.below(kHour / 2));
    for (std::uint64_t i = rng_.below(3); i > 0; --i) {
      const std::size_t who = rng_.below(kUsers);
      const Amounts one = world_.amounts({1000 * static_cast<Amount>(1 + rng_.below(8))});
      const bool ends = !held_[who].empty() && rng_.below(2) == 0;
      const Amounts amounts = ends ? held_[who].back() : one;
      if (ends) held_[who].pop_back();
      if (!ends) held_[who].push_back(one);
      const model::QueueId leaf = state.tenants[tenants_[who][0].index()].queue;
      book(state, leaf, tenants_[who], amounts, true, ends ? Change::End : Change::Start, now_);
      model::Account& account = state.tenants[tenants_[who][0].index()].account;
      if (!ends && rng_.below(2) == 0) account.served = ++state.serial;
      if (contest.has(static_cast<std::uint32_t>(who))) {
        contest.renew(static_cast<std::uint32_t>(who));
      }
    }
    const auto who = static_cast<std::uint32_t>(rng_.below(kUsers));
    if (rng_.below(4) == 0) {
      contest.remove(who);
    } else if (!contest.has(who)) {
      contest.renew(who);
    }
  }

  std::uint32_t winner(Contest& contest) const {
    const Motion motion(world_.policy);
    return contest.winner(world_.state, motion, now_, [&](std::uint32_t who) {
      return tenant_standing(world_.state, motion, tenant(who), 0, now_);
    });
  }
  // By comparing everybody.
  std::uint32_t first(const Contest& contest) const {
    std::uint32_t first = Contest::kNobody;
    for (std::uint32_t who = 0; who < kUsers; ++who) {
      if (!contest.has(who)) continue;
      if (first == Contest::kNobody || goes_before(rank(who), rank(first))) first = who;
    }
    return first;
  }

 private:
  static constexpr Millis kHour = base::kHour;
  const model::Tenant& tenant(std::uint32_t who) const {
    return world_.state.tenants[tenants_[who][0].index()];
  }
  Rank rank(std::uint32_t who) const { return tenant_rank(world_.state, tenant(who), now_); }

  TestWorld world_;
  std::vector<std::vector<TenantId>> tenants_;
  std::vector<std::vector<Amounts>> held_;
  Millis now_ = 0;
  base::Rng rng_{11};
};

void expect_true_winners(std::int32_t history, Millis half_life) {
  Users users(history, half_life);
  Contest contest;
  for (int step = 0; step < 4000; ++step) {
    users.happen(contest);
    ASSERT_EQ(users.winner(contest), users.first(contest)) << "step " << step;
  }
  EXPECT_GT(contest.matches(), 4000U);
}

TEST(Contest, HasTheWinnerThatComparingEverybodyHas) { expect_true_winners(500, base::kHour); }

TEST(Contest, HasItWhenThePastHardlyFades) { expect_true_winners(900, 30 * base::kDay); }

TEST(Contest, HasItWhenThePastFadesAtOnceOrNever) {
  expect_true_winners(500, 0);
  expect_true_winners(500, base::kNever);
  expect_true_winners(500, 1);
}

TEST(Contest, HasItWithoutHistory) { expect_true_winners(0, base::kHour); }

TEST(Contest, OfNobodyHasNoWinner) {
  const Users users(500, base::kHour);
  Contest contest;
  EXPECT_EQ(users.winner(contest), Contest::kNobody);
  contest.renew(3);
  EXPECT_EQ(users.winner(contest), 3U);
  contest.remove(3);
  EXPECT_EQ(users.winner(contest), Contest::kNobody);
}

}  // namespace
}  // namespace stint::engine
