// The discrete DRF loop: give one task to the smallest share / weight, until nothing fits.
//
// What happens on ties and when the smallest user does not fit is not in the definition of DRF, and
// is where implementations break. The right answers are the defaults; the famous wrong ones are
// here by name, so that `stint drf` can show them and tests can see them fail (oracles.md 1.4, F1
// F4 F5 F9 F11).
//
// Invariants  1. with the defaults every comparison is exact, and the result does not depend on the
//                order in which users are listed: the chain is key, last served, name (bytes).
//             2. weight 0 sorts behind every other user; two such compare by raw share.
// Threads     pure.
//
//   const GreedyResult right = greedy_drf(problem, {});
//   const GreedyResult bug = greedy_drf(problem, {.ties = Ties::Name, .rounds = 100});
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sim/theory/drf_problem.h"
#include "sim/theory/rational.h"

namespace stint::sim {

// Who goes first among equal keys; the name decides last in every mode.
enum class Ties {
  LastServed,  // right: whoever waits longest since its last grant
  Name,        // F1: name or creation order; one user wins every tie
  Count,       // F11: fewest grants in a lifetime; a newcomer wins until it has caught up
};

enum class Misfit {
  Skip,  // right: go on with the next user
  Stop,  // F9: the loop ends although others would fit
};

// How a share becomes a key.
enum class ShareForm {
  Exact,         // right
  Percent,       // F4: whole percents, cut off
  PerMille,      // F4: whole thousandths, cut off
  SummedDouble,  // F5: a double that each grant adds to
};

struct GreedyOptions {
  Ties ties = Ties::LastServed;
  Misfit misfit = Misfit::Skip;
  ShareForm share_form = ShareForm::Exact;
  // A round fills the cluster; then all tasks end at once and come back, and the next round begins:
  // a user has `tasks` tasks in each. Stamps and lifetime counts live on. A round without a grant
  // is the last.
  std::int64_t rounds = 1;
  std::size_t steps_max = 20'000;  // grants after which the loop gives up
};

// One grant.
struct GreedyStep {
  std::int64_t round = 1;  // from 1
  std::size_t user = 0;    // served
  Rational share_before;   // dominant share of the served user, exact in every form
  Rational share_after;
  std::vector<Rational> used;     // per resource, after the grant
  std::vector<std::size_t> tied;  // all users whose key was the smallest, the served one among them
  std::vector<std::size_t> misfits;  // users that were smaller but did not fit, in the order tried
};

enum class GreedyEnd {
  NothingFits,  // nobody who wants a task fits
  AllMet,       // everybody has all tasks
  Misfit,       // Misfit::Stop: the smallest user did not fit
  StepLimit,    // steps_max was reached
};

struct GreedyResult {
  std::vector<std::int64_t> tasks;    // per user, in use at the end of the last round
  std::vector<std::int64_t> granted;  // per user, over all rounds
  std::vector<Rational> shares;       // dominant shares of `tasks`
  std::vector<Rational> used;         // per resource, at the end of the last round
  std::vector<GreedyStep> steps;
  GreedyEnd end = GreedyEnd::NothingFits;
  std::optional<std::size_t> misfit;  // who ended the loop, with GreedyEnd::Misfit
};

// Runs the loop.
//   Requires  check_problem(problem), options.rounds >= 1.
//   Source    DRF NSDI'11, algorithm 1; ties and misfits: DESIGN 5.3, oracles.md 1.3 to 1.5.
[[nodiscard]] GreedyResult greedy_drf(const DrfProblem& problem, const GreedyOptions& options);

// `last-served`, `name`, `count`, as the command line writes them.
[[nodiscard]] std::string_view to_string(Ties ties);
//   Errors  any other word; the known ones are named.
[[nodiscard]] base::Result<Ties> parse_ties(std::string_view text);

}  // namespace stint::sim
