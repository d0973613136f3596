#include "sim/theory/drf_text.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace stint::sim {

namespace {

// The head of a column: texts stand left, numbers right.
struct Column {
  std::string head;
  bool is_left = false;
};

Column left(std::string head) { return {std::move(head), true}; }
Column right(std::string head) { return {std::move(head), false}; }

// Columns as wide as their widest cell.
class Table {
 public:
  explicit Table(std::vector<Column> columns) {
    std::vector<std::string> heads;
    for (Column& column : columns) {
      is_left_.push_back(column.is_left);
      heads.push_back(std::move(column.head));
    }
    widths_.resize(heads.size(), 0);
    add(std::move(heads));
  }

  // Requires one cell per column.
  void add(std::vector<std::string> cells) {
    for (std::size_t c = 0; c < cells.size(); ++c) {
      widths_[c] = std::max(widths_[c], letters(cells[c]));
    }
    rows_.push_back(std::move(cells));
  }

  [[nodiscard]] std::string text() const {
    std::string all;
    for (const auto& row : rows_) {
      std::string line;
      for (std::size_t c = 0; c < row.size(); ++c) {
        const std::string gap(widths_[c] - letters(row[c]), ' ');
        line += "  ";
        line += is_left_[c] ? row[c] : gap;
        line += is_left_[c] ? gap : row[c];
      }
      line.erase(line.find_last_not_of(' ') + 1);
      all += line;
      all += '\n';
    }
    return all;
  }

 private:
  // UTF-8 characters, counted by their first bytes.
  static std::size_t letters(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
  }

  std::vector<bool> is_left_;
  std::vector<std::size_t> widths_;
  std::vector<std::vector<std::string>> rows_;
};

std::string amount_text(const DrfResource& resource, const Rational& amount) {
  return fmt::format("{}{}", amount.to_decimal(), resource.unit);
}

// Names of users or resources, `-` for nobody.
template <class Named>
std::string names_of(const std::vector<Named>& things, const std::vector<std::size_t>& which) {
  std::string text;
  for (const std::size_t i : which) {
    if (!text.empty()) text += ", ";
    text += shown_name(things[i].name);
  }
  return text.empty() ? "-" : text;
}

template <class Number>
std::string or_dash(const std::optional<Number>& value) {
  return value ? fmt::to_string(*value) : "-";
}

std::string problem_text(const DrfProblem& problem) {
  Table resources({left("resource"), right("capacity")});
  for (const DrfResource& resource : problem.resources) {
    resources.add({shown_name(resource.name), amount_text(resource, resource.capacity)});
  }
  std::vector<Column> columns = {left("user")};
  for (const DrfResource& resource : problem.resources) {
    columns.push_back(right(fmt::format("{}/task", shown_name(resource.name))));
  }
  columns.insert(columns.end(), {right("share/task"), left("dominant"), right("weight"),
                                 right("tasks"), right("last served")});
  const bool has_past =
      std::ranges::any_of(problem.users, [](const DrfUser& user) { return user.past_grants != 0; });
  if (has_past) columns.push_back(right("past grants"));
  Table users(std::move(columns));
  for (std::size_t i = 0; i < problem.users.size(); ++i) {
    const DrfUser& user = problem.users[i];
    std::vector<std::string> row = {shown_name(user.name)};
    for (std::size_t r = 0; r < user.demand.size(); ++r) {
      row.push_back(amount_text(problem.resources[r], user.demand[r]));
    }
    const std::optional<std::size_t> dominant = dominant_resource(problem, i);
    row.push_back(share_of_one_task(problem, i).to_string());
    row.push_back(dominant ? shown_name(problem.resources[*dominant].name) : "-");
    row.push_back(user.weight.to_decimal());
    row.push_back(or_dash(user.tasks));
    row.push_back(or_dash(user.last_served));
    if (has_past) row.push_back(fmt::to_string(user.past_grants));
    users.add(std::move(row));
  }
  return fmt::format("Problem\n{}\n{}", resources.text(), users.text());
}

std::string mode_text(const GreedyOptions& options) {
  std::string text = fmt::format("ties: {}", to_string(options.ties));
  if (options.misfit == Misfit::Stop) text += "; a misfit ends the loop";
  switch (options.share_form) {
    case ShareForm::Exact:
      break;
    case ShareForm::Percent:
      text += "; shares cut to whole percents";
      break;
    case ShareForm::PerMille:
      text += "; shares cut to whole thousandths";
      break;
    case ShareForm::SummedDouble:
      text += "; shares summed as doubles";
      break;
  }
  if (options.rounds > 1) text += fmt::format("; {} rounds", options.rounds);
  return text;
}

// The table of grants has a column for rounds and one for misfits only where there are any.
struct StepParts {
  bool has_rounds = false;
  bool has_misfits = false;
};

std::vector<Column> step_columns(const DrfProblem& problem, StepParts parts) {
  std::vector<Column> columns = {right("step")};
  if (parts.has_rounds) columns.push_back(right("round"));
  columns.insert(columns.end(), {left("served"), right("share before"), right("share after")});
  for (const DrfResource& resource : problem.resources) {
    columns.push_back(right(fmt::format("{} used", shown_name(resource.name))));
  }
  columns.push_back(left("tied"));
  if (parts.has_misfits) columns.push_back(left("did not fit"));
  return columns;
}

std::vector<std::string> step_cells(const DrfProblem& problem, const GreedyStep& step,
                                    std::size_t number, StepParts parts) {
  std::vector<std::string> row = {fmt::to_string(number)};
  if (parts.has_rounds) row.push_back(fmt::to_string(step.round));
  row.push_back(shown_name(problem.users[step.user].name));
  row.push_back(step.share_before.to_string());
  row.push_back(step.share_after.to_string());
  for (std::size_t r = 0; r < step.used.size(); ++r) {
    row.push_back(amount_text(problem.resources[r], step.used[r]));
  }
  row.push_back(step.tied.size() > 1 ? names_of(problem.users, step.tied) : "-");
  if (parts.has_misfits) row.push_back(names_of(problem.users, step.misfits));
  return row;
}

std::string steps_text(const DrfProblem& problem, const GreedyResult& greedy,
                       const DrfReportOptions& options) {
  const StepParts parts{options.greedy.rounds > 1,
                        std::ranges::any_of(greedy.steps, [](const GreedyStep& step) {
                          return !step.misfits.empty();
                        })};
  Table table(step_columns(problem, parts));
  const std::size_t shown = std::min(options.steps_shown, greedy.steps.size());
  for (std::size_t s = 0; s < shown; ++s) {
    table.add(step_cells(problem, greedy.steps[s], s + 1, parts));
  }
  std::string text = table.text();
  if (shown < greedy.steps.size()) {
    text += fmt::format("  … {} more grants\n", greedy.steps.size() - shown);
  }
  return text;
}

std::string end_text(const DrfProblem& problem, const GreedyResult& greedy) {
  switch (greedy.end) {
    case GreedyEnd::NothingFits:
      return "Ended because nothing more fits.";
    case GreedyEnd::AllMet:
      return "Ended because everybody has all tasks.";
    case GreedyEnd::StepLimit:
      return fmt::format("Gave up after {} grants; the result is not complete.",
                         greedy.steps.size());
    case GreedyEnd::Misfit:
      return fmt::format(
          "Stopped because {} has the smallest share and does not fit; others were not tried.",
          shown_name(problem.users[greedy.misfit.value_or(0)].name));
  }
  return {};
}

std::string greedy_text(const DrfProblem& problem, const GreedyResult& greedy,
                        const DrfReportOptions& options) {
  const bool has_rounds = options.greedy.rounds > 1;
  std::vector<Column> columns = {left("user"), right("tasks"), right("share")};
  if (has_rounds) columns.push_back(right("granted in all"));
  for (const DrfResource& resource : problem.resources) {
    columns.push_back(right(shown_name(resource.name)));
  }
  Table table(std::move(columns));
  for (std::size_t i = 0; i < problem.users.size(); ++i) {
    std::vector<std::string> row = {shown_name(problem.users[i].name),
                                    fmt::to_string(greedy.tasks[i]), greedy.shares[i].to_string()};
    if (has_rounds) row.push_back(fmt::to_string(greedy.granted[i]));
    for (std::size_t r = 0; r < problem.resources.size(); ++r) {
      row.push_back(
          amount_text(problem.resources[r], problem.users[i].demand[r] * greedy.tasks[i]));
    }
    table.add(std::move(row));
  }
  return fmt::format("Discrete loop ({})\n{}  {}\n\nDiscrete result\n{}", mode_text(options.greedy),
                     steps_text(problem, greedy, options), end_text(problem, greedy), table.text());
}

std::string cause_text(FreezeCause cause) {
  switch (cause) {
    case FreezeCause::Saturated:
      return "a resource is full";
    case FreezeCause::DemandMet:
      return "has all tasks";
    case FreezeCause::Infeasible:
      return "asks for what nobody has";
    case FreezeCause::NoDemand:
      return "asks for nothing";
  }
  return {};
}

std::string fluid_steps_text(const DrfProblem& problem, const FluidResult& fluid) {
  const bool has_leftovers =
      std::ranges::any_of(fluid.steps, [](const FluidStep& step) { return step.is_leftover; });
  std::vector<Column> columns = {right("step"), right("share/weight"), left("full"), left("stops"),
                                 left("has all tasks")};
  if (has_leftovers) columns.push_back(left("for"));
  Table table(std::move(columns));
  for (std::size_t s = 0; s < fluid.steps.size(); ++s) {
    const FluidStep& step = fluid.steps[s];
    std::vector<std::string> row = {
        fmt::to_string(s + 1), step.level.to_string(), names_of(problem.resources, step.saturated),
        names_of(problem.users, step.frozen), names_of(problem.users, step.met)};
    if (has_leftovers) row.emplace_back(step.is_leftover ? "weight 0" : "weights above 0");
    table.add(std::move(row));
  }
  return table.text();
}

std::string fluid_text(const DrfProblem& problem, const FluidResult& fluid) {
  Table users(
      {left("user"), right("tasks"), right("approx"), right("share"), left("ends because")});
  for (std::size_t i = 0; i < problem.users.size(); ++i) {
    users.add({shown_name(problem.users[i].name), fluid.tasks[i].to_string(),
               fluid.tasks[i].rounded(4), fluid.shares[i].to_string(),
               cause_text(fluid.causes[i])});
  }
  Table resources({left("resource"), right("used"), right("left"), left("")});
  for (std::size_t r = 0; r < problem.resources.size(); ++r) {
    const DrfResource& resource = problem.resources[r];
    const bool is_full = std::ranges::find(fluid.saturated, r) != fluid.saturated.end();
    resources.add({shown_name(resource.name), amount_text(resource, fluid.used[r]),
                   amount_text(resource, resource.capacity - fluid.used[r]),
                   is_full ? "full" : ""});
  }
  return fmt::format("Exact fluid division\n{}\n{}\n{}", fluid_steps_text(problem, fluid),
                     users.text(), resources.text());
}

std::string comparison_text(const DrfProblem& problem, const TieComparison& comparison) {
  const std::string_view rule = to_string(comparison.ties);
  Table table({left("user"), right(fmt::format("{}: granted", rule)), right("ties won"),
               right("in a row"), right("last-served: granted"), right("ties won"),
               right("in a row")});
  for (std::size_t i = 0; i < problem.users.size(); ++i) {
    const TieRecord& faulty = comparison.faulty[i];
    const TieRecord& correct = comparison.right[i];
    table.add({shown_name(problem.users[i].name), fmt::to_string(faulty.granted),
               fmt::format("{}/{}", faulty.ties_won, faulty.ties_in),
               fmt::to_string(faulty.in_a_row), fmt::to_string(correct.granted),
               fmt::format("{}/{}", correct.ties_won, correct.ties_in),
               fmt::to_string(correct.in_a_row)});
  }
  return fmt::format(
      "Ties by {} beside last-served ({} rounds; at the end of each all tasks end)\n{}{}\n", rule,
      comparison.rounds, table.text(), comparison.sentence);
}

}  // namespace

std::string drf_text(const DrfProblem& problem, const DrfReportOptions& options) {
  const DrfReport report = drf_report(problem, options);
  std::string text =
      fmt::format("{}\n{}\n{}", problem_text(problem), greedy_text(problem, report.greedy, options),
                  fluid_text(problem, report.fluid));
  if (report.comparison) {
    text += '\n';
    text += comparison_text(problem, *report.comparison);
  }
  return text;
}

}  // namespace stint::sim
