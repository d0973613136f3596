// Everything that `stint drf` shows, as data: the discrete loop, the exact fluid division, and, if
// a faulty tie rule was asked for, the fault beside the right answer. drf_text.h renders it.
//
// Threads  pure.
//
//   const DrfReport report = drf_report(problem, {.greedy = {.ties = Ties::Name}});
//   report.comparison->sentence;  // what went wrong, in one sentence
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/theory/drf_problem.h"
#include "sim/theory/filling.h"
#include "sim/theory/greedy_drf.h"

namespace stint::sim {

struct DrfReportOptions {
  GreedyOptions greedy{};
  std::size_t steps_shown = 60;  // grants that the renderers list; the rest is counted
  // Rounds of the comparison of tie rules: one round may hide the fault (whole-cluster jobs), many
  // show it. It takes greedy.rounds if that is more.
  std::int64_t comparison_rounds = 100;
};

// How one user fared under one tie rule.
struct TieRecord {
  std::int64_t granted = 0;
  std::int64_t ties_in = 0;  // tied decisions that the user was part of
  std::int64_t ties_won = 0;
  std::int64_t in_a_row = 0;  // longest run of tied decisions won, one after the other
};

struct TieComparison {
  Ties ties = Ties::Name;
  std::int64_t rounds = 0;        // played by the faulty rule; fewer than asked for if it ended
  std::int64_t tied = 0;          // tied decisions under the faulty rule
  bool differs = false;           // some grant went to somebody else
  std::vector<TieRecord> faulty;  // per user
  std::vector<TieRecord> right;   // per user, under Ties::LastServed
  std::string sentence;           // what went wrong, or that nothing did
};

struct DrfReport {
  GreedyResult greedy;
  FluidResult fluid;
  std::optional<TieComparison> comparison;  // unless the rule is Ties::LastServed
};

// Runs both calculators and, if asked, the comparison.
//   Requires  check_problem(problem), rounds >= 1.
[[nodiscard]] DrfReport drf_report(const DrfProblem& problem, const DrfReportOptions& options);

// A name as it may stand in output: as it is, or quoted if it has control characters or is long.
[[nodiscard]] std::string shown_name(const std::string& name);

}  // namespace stint::sim
