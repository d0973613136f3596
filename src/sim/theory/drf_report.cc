#include "sim/theory/drf_report.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/quote.h"
#include "sim/theory/fluid_drf.h"

namespace stint::sim {

namespace {

std::vector<TieRecord> records(const DrfProblem& problem, const GreedyResult& run) {
  std::vector<TieRecord> all(problem.users.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i].granted = run.granted[i];
  std::size_t winner = all.size();
  std::int64_t row = 0;
  for (const GreedyStep& step : run.steps) {
    if (step.tied.size() < 2) continue;
    for (const std::size_t i : step.tied) ++all[i].ties_in;
    row = step.user == winner ? row + 1 : 1;
    winner = step.user;
    ++all[winner].ties_won;
    all[winner].in_a_row = std::max(all[winner].in_a_row, row);
  }
  return all;
}

std::string why_it_won(Ties ties) {
  if (ties == Ties::Name) {
    return "its name sorts first, and a name never changes, so whoever sorts first wins every tie";
  }
  return "it had the fewest grants in its lifetime, and a count that only grows lets a "
         "newcomer win every tie until it has caught up";
}

std::string sentence(const DrfProblem& problem, const TieComparison& comparison) {
  const std::string_view rule = to_string(comparison.ties);
  if (comparison.tied == 0) {
    return fmt::format("No decision was a tie here, so the tie rule {} had nothing to decide.",
                       rule);
  }
  if (!comparison.differs) {
    return fmt::format("All tied decisions ({}) fall alike under {} and last-served here.",
                       comparison.tied, rule);
  }
  const auto longest = std::ranges::max_element(comparison.faulty, {}, &TieRecord::in_a_row);
  const auto user = static_cast<std::size_t>(longest - comparison.faulty.begin());
  const TieRecord& right = comparison.right[user];
  const bool same_totals = std::ranges::equal(comparison.faulty, comparison.right, {},
                                              &TieRecord::granted, &TieRecord::granted);
  const std::string name = shown_name(problem.users[user].name);
  const std::string facts =
      fmt::format("{} won {} of its {} ties, {} in a row, because {}", name, longest->ties_won,
                  longest->ties_in, longest->in_a_row, why_it_won(comparison.ties));
  if (same_totals) {
    return fmt::format(
        "All get as much under both rules here, in another order: by {} {}; with "
        "last-served it wins {} of {}.",
        rule, facts, right.ties_won, right.ties_in);
  }
  return fmt::format(
      "What went wrong: by {} {}; with last-served it wins {} of {} and gets {} grants "
      "instead of {}.",
      rule, facts, right.ties_won, right.ties_in, right.granted, longest->granted);
}

TieComparison compare_ties(const DrfProblem& problem, const DrfReportOptions& options) {
  GreedyOptions faulty = options.greedy;
  faulty.rounds = std::max(options.greedy.rounds, options.comparison_rounds);
  GreedyOptions right = faulty;
  right.ties = Ties::LastServed;
  const GreedyResult wrong_run = greedy_drf(problem, faulty);
  const GreedyResult right_run = greedy_drf(problem, right);
  TieComparison comparison;
  comparison.ties = options.greedy.ties;
  comparison.rounds = wrong_run.steps.empty() ? 0 : wrong_run.steps.back().round;
  comparison.faulty = records(problem, wrong_run);
  comparison.right = records(problem, right_run);
  comparison.tied = std::ranges::count_if(
      wrong_run.steps, [](const GreedyStep& step) { return step.tied.size() > 1; });
  comparison.differs = !std::ranges::equal(wrong_run.steps, right_run.steps, {}, &GreedyStep::user,
                                           &GreedyStep::user);
  comparison.sentence = sentence(problem, comparison);
  return comparison;
}

}  // namespace

DrfReport drf_report(const DrfProblem& problem, const DrfReportOptions& options) {
  DrfReport report{greedy_drf(problem, options.greedy), fluid_drf(problem), std::nullopt};
  if (options.greedy.ties != Ties::LastServed) report.comparison = compare_ties(problem, options);
  return report;
}

std::string shown_name(const std::string& name) {
  std::string quoted = base::quote(name);
  return quoted == fmt::format("\"{}\"", name) ? name : quoted;
}

}  // namespace stint::sim
