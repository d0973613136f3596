#include "sim/gen/gen_teams.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/int128.h"
#include "sim/gen/fixed_point.h"
#include "sim/gen/gen_shapes.h"

namespace stint::sim {

using base::Result;

std::vector<std::uint64_t> zipf(std::int64_t count, std::int64_t exponent_milli) {
  std::vector<std::uint64_t> weights;
  for (std::int64_t i = 1; i <= count; ++i) {
    const std::uint64_t exponent =
        log2_q32(static_cast<std::uint64_t>(i)) * static_cast<std::uint64_t>(exponent_milli) / 1000;
    weights.push_back(std::max<std::uint64_t>(1, divided_by_exp2(1U << 30U, exponent)));
  }
  return weights;
}

namespace {

std::string numbered(char prefix, std::int64_t number, std::int64_t count) {
  return fmt::format("{}{:0{}}", prefix, number, fmt::formatted_size("{}", count));
}

// A list of one number per team; a list of the preset gives way to a number of teams by hand.
Result<std::vector<std::uint64_t>> shares(const GenSettings& settings, std::string_view key,
                                          const std::vector<std::int64_t>& list,
                                          std::int64_t teams) {
  const bool gives_way = settings.is_by_hand("teams") && !settings.is_by_hand(key);
  if (list.empty() || gives_way) return std::vector<std::uint64_t>{};
  if (static_cast<std::int64_t>(list.size()) != teams) {
    return base::refuse(fmt::format("{} has {} numbers, but teams is {}: give one for each", key,
                                    list.size(), teams));
  }
  std::vector<std::uint64_t> result;
  std::uint64_t sum = 0;
  for (const std::int64_t share : list) {
    result.push_back(static_cast<std::uint64_t>(share));
    sum += result.back();
  }
  if (sum == 0) return base::refuse(fmt::format("{}: no team has a share above 0", key));
  return result;
}

Result<void> share_jobs(GenPlan& plan, const GenSettings& settings) {
  const GenModel& model = plan.model;
  STINT_TRY(auto all, shares(settings, "team_shares", model.team_shares, model.teams));
  STINT_TRY(auto big, shares(settings, "team_shares_big", model.team_shares_big, model.teams));
  const bool is_falling = all.empty();
  if (is_falling) all = zipf(model.teams, model.team_skew_milli);
  if (big.empty()) {
    big = all;
    // Who submits most is seldom who runs the largest jobs: every second place is swapped.
    for (std::size_t i = 1; is_falling && i < big.size(); i += 2) std::swap(big[i - 1], big[i]);
  }
  for (std::size_t i = 0; i < plan.teams.size(); ++i) {
    plan.teams[i].share = all[i];
    plan.teams[i].share_big = big[i];
  }
  return {};
}

// Half by the share in large jobs, half to all alike; guests get nothing.
std::vector<std::uint64_t> deserved(const GenPlan& plan) {
  base::u128 sum = 0;
  for (const GenTeam& team : plan.teams) sum += team.share_big;
  const auto paying = plan.teams.size() - static_cast<std::size_t>(plan.model.guests);
  std::vector<std::uint64_t> result(plan.teams.size(), 0);
  for (std::size_t i = 0; i < paying; ++i) {
    const auto part = (static_cast<base::u128>(plan.teams[i].share_big) << 30U) / sum;
    result[i] = static_cast<std::uint64_t>(part) + (1U << 30U) / plan.teams.size();
  }
  return result;
}

std::int64_t times(std::int64_t gpus, std::int64_t factor_milli) {
  return (gpus * factor_milli + 999) / 1000;
}

// Sets guarantees, limits and weights.
void promise(GenPlan& plan, std::vector<std::uint64_t> weights) {
  const GenModel& model = plan.model;
  if (weights.empty()) weights = deserved(plan);
  const bool nobody = std::all_of(weights.begin(), weights.end(), [](auto w) { return w == 0; });
  const std::int64_t promised = plan.gpus * model.promised_milli / 1000;
  std::vector<std::int64_t> parts(weights.size(), 0);
  if (!nobody) parts = deal_out(promised, weights);
  for (std::size_t i = 0; i < plan.teams.size(); ++i) {
    GenTeam& team = plan.teams[i];
    team.guarantee = parts[i];
    // People buy nodes, not devices.
    if (team.guarantee >= plan.node_gpus) team.guarantee -= team.guarantee % plan.node_gpus;
    team.weight_milli = model.weights_milli[i % model.weights_milli.size()];
    if (team.guarantee == 0) team.user_limit = model.guest_user_limit;
    if (model.limit_factor_milli > 0 && team.guarantee > 0) {
      team.limit = std::clamp(times(team.guarantee, model.limit_factor_milli),
                              std::max(team.guarantee, plan.node_gpus), plan.gpus);
    }
  }
}

void add_orgs(GenPlan& plan) {
  const GenModel& model = plan.model;
  for (std::int64_t i = 0; i < model.orgs; ++i) {
    plan.orgs.push_back({.name = numbered('o', i + 1, model.orgs)});
  }
  for (std::size_t i = 0; i < plan.teams.size(); ++i) {
    GenTeam& team = plan.teams[i];
    team.path = team.name;
    if (plan.orgs.empty()) continue;
    // Dealt out like cards, so that every org has large and small teams.
    team.org = static_cast<std::uint32_t>(i % plan.orgs.size());
    GenOrg& org = plan.orgs[team.org];
    org.guarantee += team.guarantee;
    team.path = fmt::format("{}/{}", org.name, team.name);
  }
  if (model.org_limit_factor_milli == 0) return;
  for (GenOrg& org : plan.orgs) {
    if (org.guarantee == 0) continue;
    org.limit = std::clamp(times(org.guarantee, model.org_limit_factor_milli),
                           std::max(org.guarantee, plan.node_gpus), plan.gpus);
  }
}

void add_users(GenPlan& plan) {
  std::vector<std::uint64_t> weights;
  weights.reserve(plan.teams.size());
  for (const GenTeam& team : plan.teams) weights.push_back(team.share + 1);
  const std::vector<std::int64_t> counts = deal_out(plan.model.users, weights);
  for (std::size_t i = 0; i < plan.teams.size(); ++i) {
    GenTeam& team = plan.teams[i];
    team.user_first = static_cast<std::uint32_t>(plan.users.size());
    team.user_count = static_cast<std::uint32_t>(std::max<std::int64_t>(1, counts[i]));
    for (std::uint32_t n = 1; n <= team.user_count; ++n) {
      plan.users.push_back(fmt::format("{}-{}", team.name, n));
    }
  }
}

}  // namespace

Result<void> add_teams(GenPlan& plan, const GenSettings& settings) {
  const GenModel& model = plan.model;
  if (model.guests > model.teams) {
    return base::refuse(
        fmt::format("guests is {}, but teams is only {}", model.guests, model.teams));
  }
  if (model.orgs > model.teams) {
    return base::refuse(fmt::format("orgs is {}, but teams is only {}: an org needs a team",
                                    model.orgs, model.teams));
  }
  for (std::int64_t i = 0; i < model.teams; ++i) {
    GenTeam team;
    const auto index = static_cast<std::size_t>(i);
    team.name = index < model.names.size() ? model.names[index] : numbered('t', i + 1, model.teams);
    for (const GenTeam& other : plan.teams) {
      if (index < model.names.size() || other.name != team.name) continue;
      return base::refuse(
          fmt::format("names: {} is also what a numbered team is called, choose "
                      "another name",
                      team.name));
    }
    plan.teams.push_back(std::move(team));
  }
  if (auto done = share_jobs(plan, settings); !done) return done;
  STINT_TRY(auto guarantees,
            shares(settings, "guarantee_shares", model.guarantee_shares, model.teams));
  promise(plan, std::move(guarantees));
  add_orgs(plan);
  add_users(plan);
  return {};
}

}  // namespace stint::sim
