#include "app/console.h"
#include "app/sources.h"
#include "app/verbs.h"
#include "codec/drf/drf_file.h"
#include "sim/theory/drf_text.h"

namespace stint::app {

namespace {

sim::Rational exact(base::Amount amount, bool is_memory) {
  // Memory is read in MiB and shown in GiB.
  return sim::Rational(amount) / sim::Rational(is_memory ? 1024 : 1000);
}

sim::DrfProblem problem_of(const codec::DrfFile& file) {
  sim::DrfProblem problem;
  for (const auto& [name, amount] : file.capacity) {
    const bool memory = name == "memory";
    problem.resources.push_back({name, exact(amount, memory), memory ? "Gi" : ""});
  }
  for (const codec::DrfFileUser& user : file.users) {
    sim::DrfUser out;
    out.name = user.name;
    for (std::size_t r = 0; r < file.capacity.size(); ++r) {
      out.demand.push_back(exact(user.demand[r], file.capacity[r].first == "memory"));
    }
    out.weight = sim::Rational(user.weight) / sim::Rational(1000);
    out.tasks = user.tasks;
    out.last_served = user.last_served;
    problem.users.push_back(std::move(out));
  }
  return problem;
}

}  // namespace

int run_drf(const DrfOptions& options) {
  auto source = read_source(options.file);
  if (!source) return complain(source.error());
  const auto read = codec::read_drf_file(std::move(*source));
  if (print_diagnostics(read.diagnostics) || !read.ok()) return kRefused;
  const sim::DrfProblem problem = problem_of(*read.value);
  if (auto ok = sim::check_problem(problem); !ok) {
    return complain(std::move(ok.error()).in(options.file));
  }
  sim::DrfReportOptions report;
  report.greedy.ties = options.ties == "name"    ? sim::Ties::Name
                       : options.ties == "count" ? sim::Ties::Count
                                                 : sim::Ties::LastServed;
  print(options.output == "json" ? sim::drf_json(problem, report) : sim::drf_text(problem, report));
  return kOk;
}

}  // namespace stint::app
