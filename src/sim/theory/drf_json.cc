#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "sim/theory/drf_text.h"

namespace stint::sim {

namespace {

using Json = nlohmann::ordered_json;

template <class Named>
Json names_json(const std::vector<Named>& things, const std::vector<std::size_t>& which) {
  Json names = Json::array();
  for (const std::size_t i : which) names.push_back(things[i].name);
  return names;
}

// {"cpu": "9", "memory": "18"}, exact.
Json amounts_json(const DrfProblem& problem, const std::vector<Rational>& amounts) {
  Json object = Json::object();
  for (std::size_t r = 0; r < amounts.size(); ++r) {
    object[problem.resources[r].name] = amounts[r].to_string();
  }
  return object;
}

Json problem_json(const DrfProblem& problem) {
  Json capacity = Json::object();
  for (const DrfResource& resource : problem.resources) {
    capacity[resource.name] = {{"amount", resource.capacity.to_string()}, {"unit", resource.unit}};
  }
  Json users = Json::array();
  for (std::size_t i = 0; i < problem.users.size(); ++i) {
    const DrfUser& user = problem.users[i];
    const std::optional<std::size_t> dominant = dominant_resource(problem, i);
    Json entry = {{"name", user.name},
                  {"demand", amounts_json(problem, user.demand)},
                  {"share_per_task", share_of_one_task(problem, i).to_string()},
                  {"dominant", nullptr},
                  {"weight", user.weight.to_string()},
                  {"tasks", nullptr},
                  {"last_served", nullptr},
                  {"past_grants", user.past_grants}};
    if (dominant) entry["dominant"] = problem.resources[*dominant].name;
    if (user.tasks) entry["tasks"] = *user.tasks;
    if (user.last_served) entry["last_served"] = *user.last_served;
    users.push_back(std::move(entry));
  }
  return {{"capacity", std::move(capacity)}, {"users", std::move(users)}};
}

const char* form_word(ShareForm form) {
  switch (form) {
    case ShareForm::Exact:
      return "exact";
    case ShareForm::Percent:
      return "percent";
    case ShareForm::PerMille:
      return "per-mille";
    case ShareForm::SummedDouble:
      return "summed-double";
  }
  return "";
}

const char* end_word(GreedyEnd end) {
  switch (end) {
    case GreedyEnd::NothingFits:
      return "nothing-fits";
    case GreedyEnd::AllMet:
      return "all-met";
    case GreedyEnd::Misfit:
      return "misfit";
    case GreedyEnd::StepLimit:
      return "step-limit";
  }
  return "";
}

const char* cause_word(FreezeCause cause) {
  switch (cause) {
    case FreezeCause::Saturated:
      return "saturated";
    case FreezeCause::DemandMet:
      return "demand-met";
    case FreezeCause::Infeasible:
      return "infeasible";
    case FreezeCause::NoDemand:
      return "no-demand";
  }
  return "";
}

Json steps_json(const DrfProblem& problem, const GreedyResult& greedy, std::size_t shown) {
  Json steps = Json::array();
  for (std::size_t s = 0; s < std::min(shown, greedy.steps.size()); ++s) {
    const GreedyStep& step = greedy.steps[s];
    steps.push_back({{"step", s + 1},
                     {"round", step.round},
                     {"served", problem.users[step.user].name},
                     {"share_before", step.share_before.to_string()},
                     {"share_after", step.share_after.to_string()},
                     {"used", amounts_json(problem, step.used)},
                     {"tied", names_json(problem.users, step.tied)},
                     {"did_not_fit", names_json(problem.users, step.misfits)}});
  }
  return steps;
}

Json greedy_json(const DrfProblem& problem, const GreedyResult& greedy,
                 const DrfReportOptions& options) {
  Json users = Json::array();
  for (std::size_t i = 0; i < problem.users.size(); ++i) {
    users.push_back({{"name", problem.users[i].name},
                     {"tasks", greedy.tasks[i]},
                     {"granted", greedy.granted[i]},
                     {"share", greedy.shares[i].to_string()}});
  }
  return {{"ties", std::string(to_string(options.greedy.ties))},
          {"misfit", options.greedy.misfit == Misfit::Skip ? "skip" : "stop"},
          {"shares", form_word(options.greedy.share_form)},
          {"rounds", options.greedy.rounds},
          {"steps_total", greedy.steps.size()},
          {"steps", steps_json(problem, greedy, options.steps_shown)},
          {"end", end_word(greedy.end)},
          {"users", std::move(users)},
          {"used", amounts_json(problem, greedy.used)}};
}

Json fluid_json(const DrfProblem& problem, const FluidResult& fluid) {
  Json steps = Json::array();
  for (const FluidStep& step : fluid.steps) {
    steps.push_back({{"level", step.level.to_string()},
                     {"leftovers", step.is_leftover},
                     {"saturated", names_json(problem.resources, step.saturated)},
                     {"stopped", names_json(problem.users, step.frozen)},
                     {"met", names_json(problem.users, step.met)}});
  }
  Json users = Json::array();
  for (std::size_t i = 0; i < problem.users.size(); ++i) {
    users.push_back({{"name", problem.users[i].name},
                     {"tasks", fluid.tasks[i].to_string()},
                     {"approx", fluid.tasks[i].to_double()},
                     {"share", fluid.shares[i].to_string()},
                     {"cause", cause_word(fluid.causes[i])}});
  }
  return {{"steps", std::move(steps)},
          {"users", std::move(users)},
          {"used", amounts_json(problem, fluid.used)},
          {"saturated", names_json(problem.resources, fluid.saturated)}};
}

Json record_json(const TieRecord& record) {
  return {{"granted", record.granted},
          {"ties_in", record.ties_in},
          {"ties_won", record.ties_won},
          {"in_a_row", record.in_a_row}};
}

Json comparison_json(const DrfProblem& problem, const TieComparison& comparison) {
  Json users = Json::array();
  for (std::size_t i = 0; i < problem.users.size(); ++i) {
    users.push_back({{"name", problem.users[i].name},
                     {std::string(to_string(comparison.ties)), record_json(comparison.faulty[i])},
                     {std::string(to_string(Ties::LastServed)), record_json(comparison.right[i])}});
  }
  return {{"rounds", comparison.rounds},
          {"tied_decisions", comparison.tied},
          {"differs", comparison.differs},
          {"users", std::move(users)},
          {"sentence", comparison.sentence}};
}

}  // namespace

std::string drf_json(const DrfProblem& problem, const DrfReportOptions& options) {
  const DrfReport report = drf_report(problem, options);
  Json root = {{"schema", 1},
               {"problem", problem_json(problem)},
               {"discrete", greedy_json(problem, report.greedy, options)},
               {"fluid", fluid_json(problem, report.fluid)},
               {"comparison", nullptr}};
  if (report.comparison) root["comparison"] = comparison_json(problem, *report.comparison);
  // A name that is no UTF-8 must not throw; its bad bytes become U+FFFD.
  std::string text = root.dump(2, ' ', false, Json::error_handler_t::replace);
  text += '\n';
  return text;
}

}  // namespace stint::sim
