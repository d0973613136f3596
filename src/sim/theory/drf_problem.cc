#include "sim/theory/drf_problem.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/quote.h"

namespace stint::sim {

namespace {

base::Result<void> check_names(std::string_view kind, std::vector<std::string_view> names) {
  std::ranges::sort(names);
  if (!names.empty() && names.front().empty()) {
    return base::refuse(fmt::format("a {} has no name; give it one", kind));
  }
  const auto twice = std::ranges::adjacent_find(names);
  if (twice != names.end()) {
    return base::refuse(fmt::format("{} {} is there twice; keep one", kind, base::quote(*twice)));
  }
  return {};
}

base::Result<void> check_size(std::string_view kind, std::size_t count, std::size_t max) {
  if (count == 0) return base::refuse(fmt::format("there is no {}; name at least one", kind));
  if (count > max)
    return base::refuse(fmt::format("{} {}s are too many; at most {}", count, kind, max));
  return {};
}

base::Result<void> check_user(const DrfProblem& problem, const DrfUser& user) {
  const auto bad = [&](std::string_view what, std::string_view value) {
    return base::refuse(fmt::format("user {}: {} is {}; it must not be negative",
                                    base::quote(user.name), what, value));
  };
  if (user.demand.size() != problem.resources.size()) {
    return base::refuse(fmt::format("user {}: demand names {} resources, capacity {}",
                                    base::quote(user.name), user.demand.size(),
                                    problem.resources.size()));
  }
  for (std::size_t r = 0; r < user.demand.size(); ++r) {
    if (user.demand[r].sign() < 0) {
      return bad(fmt::format("demand of {}", base::quote(problem.resources[r].name)),
                 user.demand[r].to_decimal());
    }
  }
  if (user.weight.sign() < 0) return bad("weight", user.weight.to_decimal());
  for (const auto& [what, count] : {std::pair{"tasks", user.tasks.value_or(0)},
                                    std::pair{"last_served", user.last_served.value_or(0)},
                                    std::pair{"past grants", user.past_grants}}) {
    if (count < 0) return bad(what, fmt::to_string(count));
    if (count > kDrfCountMax) {
      return base::refuse(fmt::format("user {}: {} is {}; at most {}", base::quote(user.name), what,
                                      count, kDrfCountMax));
    }
  }
  return {};
}

}  // namespace

base::Result<void> check_problem(const DrfProblem& problem) {
  if (auto size = check_size("resource", problem.resources.size(), kDrfResourcesMax); !size) {
    return size;
  }
  if (auto size = check_size("user", problem.users.size(), kDrfUsersMax); !size) return size;
  std::vector<std::string_view> resource_names;
  for (const DrfResource& resource : problem.resources) {
    resource_names.push_back(resource.name);
    if (resource.capacity.sign() < 0) {
      return base::refuse(fmt::format("capacity of {} is {}; it must not be negative",
                                      base::quote(resource.name), resource.capacity.to_decimal()));
    }
  }
  if (auto names = check_names("resource", std::move(resource_names)); !names) return names;
  std::vector<std::string_view> user_names;
  for (const DrfUser& user : problem.users) {
    user_names.push_back(user.name);
    if (auto checked = check_user(problem, user); !checked) return checked;
  }
  return check_names("user", std::move(user_names));
}

std::optional<std::size_t> dominant_resource(const DrfProblem& problem, std::size_t user) {
  std::optional<std::size_t> best;
  Rational best_share;
  for (std::size_t r = 0; r < problem.resources.size(); ++r) {
    if (problem.resources[r].capacity.is_zero()) continue;
    const Rational share = problem.users[user].demand[r] / problem.resources[r].capacity;
    if (share > best_share) {
      best_share = share;
      best = r;
    }
  }
  return best;
}

Rational share_of_one_task(const DrfProblem& problem, std::size_t user) {
  const std::optional<std::size_t> r = dominant_resource(problem, user);
  return r ? problem.users[user].demand[*r] / problem.resources[*r].capacity : Rational();
}

bool is_infeasible(const DrfProblem& problem, std::size_t user) {
  for (std::size_t r = 0; r < problem.resources.size(); ++r) {
    if (problem.resources[r].capacity.is_zero() && problem.users[user].demand[r].sign() > 0)
      return true;
  }
  return false;
}

bool asks_for_nothing(const DrfProblem& problem, std::size_t user) {
  return std::ranges::all_of(problem.users[user].demand,
                             [](const Rational& amount) { return amount.is_zero(); });
}

Rational equivalents(const DrfProblem& problem, std::size_t user, std::size_t resource) {
  STINT_ASSERT(resource < problem.resources.size());
  STINT_ASSERT(problem.resources[resource].capacity.sign() > 0);
  return share_of_one_task(problem, user) * problem.resources[resource].capacity;
}

}  // namespace stint::sim
