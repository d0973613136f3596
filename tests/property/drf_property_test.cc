// What DRF promises, on random small worlds (oracles.md 1.2), and what it does not: the claims that
// must be refuted are also the canaries of this file.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "claims.h"
#include "sim/theory/drf_problem.h"
#include "sim/theory/entitlement.h"
#include "sim/theory/fluid_drf.h"
#include "sim/theory/greedy_drf.h"
#include "sim/theory/hierarchical.h"
#include "sim/theory/webster.h"

namespace stint::sim {
namespace {

using property::counterexample;
using property::holds;

enum class Demands { AllPositive, SomeZero };

std::vector<Rational> some_demand(std::size_t resources, Demands kind) {
  std::vector<Rational> demand;
  bool is_empty = true;
  for (std::size_t r = 0; r < resources; ++r) {
    const bool is_zero = kind == Demands::SomeZero && *rc::gen::inRange(0, 3) == 0;
    demand.emplace_back(is_zero ? 0 : *rc::gen::inRange(1, 20));
    is_empty = is_empty && is_zero;
  }
  if (is_empty) demand[0] = 1;  // a user that asks for nothing is no user
  return demand;
}

// 1 to 3 resources and 1 to 5 users, nobody limited.
DrfProblem some_problem(Demands kind) {
  DrfProblem problem;
  const int resources = *rc::gen::inRange(1, 4);
  for (int r = 0; r < resources; ++r) {
    problem.resources.push_back({std::to_string(r), *rc::gen::inRange(1, 60)});
  }
  const int users = *rc::gen::inRange(1, 6);
  for (int i = 0; i < users; ++i) {
    DrfUser user{.name = std::to_string(i)};
    user.demand = some_demand(problem.resources.size(), kind);
    user.weight = *rc::gen::inRange(1, 5);
    problem.users.push_back(std::move(user));
  }
  return problem;
}

DrfProblem without_weights(DrfProblem problem) {
  for (DrfUser& user : problem.users) user.weight = 1;
  return problem;
}

// The world in the log of a failing property.
void show(const DrfProblem& problem) {
  for (const DrfResource& resource : problem.resources)
    RC_LOG() << resource.capacity.to_string() << ' ';
  for (const DrfUser& user : problem.users) {
    RC_LOG() << "| w" << user.weight.to_string();
    for (const Rational& demand : user.demand) RC_LOG() << ' ' << demand.to_string();
  }
  RC_LOG() << '\n';
}

// How many tasks fit into a bundle of resources.
Rational tasks_on(const std::vector<Rational>& bundle, const std::vector<Rational>& demand) {
  std::optional<Rational> most;
  for (std::size_t r = 0; r < bundle.size(); ++r) {
    if (demand[r].is_zero()) continue;
    const Rational fit = bundle[r] / demand[r];
    if (!most || fit < *most) most = fit;
  }
  return *most;
}

std::vector<Rational> scaled(std::vector<Rational> bundle, const Rational& factor) {
  for (Rational& amount : bundle) amount *= factor;
  return bundle;
}

TEST(FluidDrfProperty, NobodyGetsLessThanAPrivateSliceWouldRun) {
  holds("sharing incentive", [] {
    const DrfProblem problem = some_problem(Demands::SomeZero);
    show(problem);
    const FluidResult fluid = fluid_drf(problem);
    Rational weights;
    std::vector<Rational> cluster;
    for (const DrfUser& user : problem.users) weights += user.weight;
    for (const DrfResource& resource : problem.resources) cluster.push_back(resource.capacity);
    for (std::size_t i = 0; i < problem.users.size(); ++i) {
      const DrfUser& user = problem.users[i];
      RC_ASSERT(fluid.tasks[i] >= tasks_on(scaled(cluster, user.weight / weights), user.demand));
    }
  });
}

TEST(FluidDrfProperty, NobodyWouldRunMoreOnTheBundleOfAnother) {
  holds("envy-freeness", [] {
    const DrfProblem problem = some_problem(Demands::SomeZero);
    show(problem);
    const FluidResult fluid = fluid_drf(problem);
    for (std::size_t i = 0; i < problem.users.size(); ++i) {
      for (std::size_t j = 0; j < problem.users.size(); ++j) {
        const DrfUser& self = problem.users[i];
        const DrfUser& other = problem.users[j];
        const Rational size = fluid.tasks[j] * self.weight / other.weight;
        RC_ASSERT(fluid.tasks[i] >= tasks_on(scaled(other.demand, size), self.demand));
      }
    }
  });
}

TEST(FluidDrfProperty, EveryUserTouchesAFullResourceAndNothingIsOverfull) {
  holds("Pareto efficiency", [] {
    const DrfProblem problem = some_problem(Demands::SomeZero);
    show(problem);
    const FluidResult fluid = fluid_drf(problem);
    for (std::size_t r = 0; r < problem.resources.size(); ++r) {
      Rational used;
      for (std::size_t i = 0; i < problem.users.size(); ++i) {
        used += fluid.tasks[i] * problem.users[i].demand[r];
      }
      RC_ASSERT(used == fluid.used[r]);
      RC_ASSERT(used <= problem.resources[r].capacity);
    }
    for (const DrfUser& user : problem.users) {
      RC_ASSERT(std::ranges::any_of(fluid.saturated,
                                    [&](std::size_t r) { return user.demand[r].sign() > 0; }));
    }
  });
}

TEST(FluidDrfProperty, ALieAboutDemandNeverRunsMoreTrueTasks) {
  holds("strategy-proofness", [] {
    const DrfProblem truth = some_problem(Demands::SomeZero);
    show(truth);
    DrfProblem lie = truth;
    const std::size_t liar = *rc::gen::inRange<std::size_t>(0, truth.users.size());
    lie.users[liar].demand = some_demand(truth.resources.size(), Demands::SomeZero);
    show(lie);
    const Rational honest = fluid_drf(truth).tasks[liar];
    const Rational claimed = fluid_drf(lie).tasks[liar];
    RC_ASSERT(tasks_on(scaled(lie.users[liar].demand, claimed), truth.users[liar].demand) <=
              honest);
  });
}

// Whether nobody who stays has fewer tasks after one user left.
bool nobody_loses_when_one_leaves(const DrfProblem& problem) {
  const FluidResult before = fluid_drf(problem);
  DrfProblem fewer = problem;
  const auto leaver = *rc::gen::inRange<std::size_t>(0, problem.users.size());
  fewer.users.erase(fewer.users.begin() + static_cast<std::ptrdiff_t>(leaver));
  const FluidResult after = fluid_drf(fewer);
  for (std::size_t i = 0; i < fewer.users.size(); ++i) {
    if (after.tasks[i] < before.tasks[i < leaver ? i : i + 1]) return false;
  }
  return true;
}

TEST(FluidDrfProperty, NobodyLosesWhenAUserLeavesIfAllDemandsArePositive) {
  holds("population monotonicity", [] {
    const DrfProblem problem = some_problem(Demands::AllPositive);
    show(problem);
    RC_ASSERT(nobody_loses_when_one_leaves(problem));
  });
}

// Required negatives, and the canaries of this harness: it must find worlds that break these
// claims.

TEST(FluidDrfProperty, SomebodyMayLoseWhenAUserLeavesIfSomeDemandsAreZero_O12) {
  EXPECT_TRUE(counterexample("population monotonicity with zeros", [] {
    RC_ASSERT(nobody_loses_when_one_leaves(some_problem(Demands::SomeZero)));
  }));
}

TEST(FluidDrfProperty, SomebodyMayLoseWhenCapacityGrows_O11) {
  EXPECT_TRUE(counterexample("resource monotonicity", [] {
    const DrfProblem problem = some_problem(Demands::AllPositive);
    DrfProblem larger = problem;
    larger.resources[0].capacity += *rc::gen::inRange(1, 60);
    const FluidResult before = fluid_drf(problem);
    const FluidResult after = fluid_drf(larger);
    for (std::size_t i = 0; i < problem.users.size(); ++i) {
      RC_ASSERT(after.tasks[i] >= before.tasks[i]);
    }
  }));
}

// Largest gap of shares ever seen while the loop runs up to its first misfit.
Rational widest_gap(const DrfProblem& problem, const GreedyResult& run) {
  std::vector<Rational> shares(problem.users.size());
  Rational widest;
  for (const GreedyStep& step : run.steps) {
    shares[step.user] = step.share_after;
    const auto [least, most] = std::ranges::minmax_element(shares);
    widest = std::max(widest, *most - *least);
  }
  return widest;
}

Rational largest_task(const DrfProblem& problem) {
  Rational largest;
  for (std::size_t i = 0; i < problem.users.size(); ++i) {
    largest = std::max(largest, share_of_one_task(problem, i));
  }
  return largest;
}

TEST(GreedyDrfProperty, SharesStayWithinTheLargestTaskUpToTheFirstMisfit) {
  holds("greedy bound", [] {
    const DrfProblem problem = without_weights(some_problem(Demands::SomeZero));
    show(problem);
    const Ties ties = *rc::gen::element(Ties::LastServed, Ties::Name, Ties::Count);
    const GreedyResult run = greedy_drf(problem, {.ties = ties, .misfit = Misfit::Stop});
    RC_ASSERT(run.end == GreedyEnd::Misfit);
    RC_ASSERT(widest_gap(problem, run) <= largest_task(problem));
  });
}

TEST(GreedyDrfProperty, CutOffSharesBreakTheGreedyBound_F4) {
  EXPECT_TRUE(counterexample("greedy bound of truncated shares", [] {
    DrfProblem problem = without_weights(some_problem(Demands::SomeZero));
    for (DrfResource& resource : problem.resources) resource.capacity *= 100;
    const GreedyResult run = greedy_drf(
        problem, {.ties = Ties::Name, .misfit = Misfit::Stop, .share_form = ShareForm::Percent});
    RC_ASSERT(widest_gap(problem, run) <= largest_task(problem));
  }));
}

TEST(GreedyDrfProperty, LeavesNobodyOutWhoStillFitsAndNothingOverfull) {
  holds("work conservation", [] {
    const DrfProblem problem = some_problem(Demands::SomeZero);
    show(problem);
    const GreedyResult run = greedy_drf(problem, {});
    for (std::size_t r = 0; r < problem.resources.size(); ++r) {
      RC_ASSERT(run.used[r] <= problem.resources[r].capacity);
    }
    for (const DrfUser& user : problem.users) {
      bool is_fitting = true;
      for (std::size_t r = 0; r < problem.resources.size(); ++r) {
        is_fitting = is_fitting && run.used[r] + user.demand[r] <= problem.resources[r].capacity;
      }
      RC_ASSERT_FALSE(is_fitting);
    }
  });
}

TEST(GreedyDrfProperty, DoesNotDependOnTheOrderInWhichUsersAreListed) {
  holds("order independence", [] {
    DrfProblem problem = some_problem(Demands::SomeZero);
    show(problem);
    const auto names = [](const DrfProblem& p) {
      std::vector<std::string> served;
      for (const GreedyStep& step : greedy_drf(p, {.rounds = 3}).steps) {
        served.push_back(p.users[step.user].name);
      }
      return served;
    };
    DrfProblem turned = problem;
    const auto pivot = *rc::gen::inRange<std::ptrdiff_t>(0, std::ssize(turned.users));
    std::ranges::rotate(turned.users, turned.users.begin() + pivot);
    RC_ASSERT(names(problem) == names(turned));
  });
}

TEST(HierarchicalProperty, IsThePlainLoopOnAFlatTree) {
  holds("flat H-DRF", [] {
    const DrfProblem problem = some_problem(Demands::AllPositive);
    show(problem);
    std::vector<Rational> capacity;
    for (const DrfResource& resource : problem.resources) capacity.push_back(resource.capacity);
    std::vector<HdrfNode> nodes = {{.name = "root"}};
    for (const DrfUser& user : problem.users) {
      nodes.push_back(
          {.name = user.name, .parent = 0, .weight = user.weight, .demand = user.demand});
    }
    std::vector<std::size_t> plain;
    for (const GreedyStep& step : greedy_drf(problem, {}).steps) plain.push_back(step.user + 1);
    // While no resource is exhausted both see the same shares; later H-DRF leaves full ones out,
    // but then nobody fits, since here everybody needs everything.
    RC_ASSERT(HdrfReference(capacity, nodes).fill() == plain);
  });
}

TEST(EntitlementProperty, DoesNotDependOnTheOrderOfSiblingsAndWastesNothing) {
  holds("entitlement", [] {
    std::vector<EntitlementNode> queues;
    const int count = *rc::gen::inRange(1, 6);
    Rational wanted;
    for (int i = 0; i < count; ++i) {
      EntitlementNode queue{.name = std::to_string(i)};
      queue.guarantee = *rc::gen::inRange(0, 30);
      queue.weight = *rc::gen::inRange(0, 4);
      queue.demand = *rc::gen::inRange(0, 60);
      wanted += *queue.demand;
      queues.push_back(std::move(queue));
    }
    const Rational total = *rc::gen::inRange(0, 200);
    const std::vector<Entitlement> straight = entitle(queues, total);
    Rational sum;
    for (std::size_t i = 0; i < queues.size(); ++i) {
      sum += straight[i].amount;
      RC_ASSERT(straight[i].amount <= *queues[i].demand);
    }
    RC_ASSERT(sum == std::min(total, wanted));
    std::vector<EntitlementNode> turned = queues;
    std::ranges::reverse(turned);
    const std::vector<Entitlement> backward = entitle(turned, total);
    for (std::size_t i = 0; i < queues.size(); ++i) {
      RC_ASSERT(straight[i].amount == backward[queues.size() - 1 - i].amount);
    }
  });
}

TEST(WebsterProperty, OneMoreUnitNeverTakesAUnitFromAnybody) {
  holds("house monotonicity", [] {
    std::vector<Rational> weights;
    const int count = *rc::gen::inRange(1, 7);
    for (int i = 0; i < count; ++i) {
      weights.push_back(Rational::ratio(*rc::gen::inRange(1, 100), *rc::gen::inRange(1, 10)));
    }
    const std::int64_t house = *rc::gen::inRange(0, 300);
    const std::vector<std::int64_t> before = webster_round(weights, house);
    const std::vector<std::int64_t> after = webster_round(weights, house + 1);
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      RC_ASSERT(after[i] >= before[i]);
      sum += before[i];
    }
    RC_ASSERT(sum == house);
  });
}

}  // namespace
}  // namespace stint::sim
