#include <fmt/format.h>

#include "app/console.h"
#include "app/junit.h"
#include "app/sources.h"
#include "app/verbs.h"
#include "app/write_file.h"
#include "codec/scenario/scenario.h"
#include "sim/scenario/runner.h"

namespace stint::app {

namespace {

struct Totals {
  std::uint64_t passed = 0;
  std::uint64_t failed = 0;
  std::uint64_t refused = 0;
};

void run_file(const std::string& path, const TestOptions& options, Totals& totals,
              std::vector<JunitFile>& junit) {
  JunitFile entry{path, 0, {}, {}};
  auto source = read_source(path);
  if (!source) {
    complain(source.error());
    ++totals.refused;
    entry.refused = base::to_string(source.error());
    junit.push_back(std::move(entry));
    return;
  }
  const auto read = codec::read_scenario(std::move(*source), include_loader());
  if (!read.ok()) {
    print_diagnostics(read.diagnostics);
    ++totals.refused;
    for (const codec::Diagnostic& d : read.diagnostics) entry.refused += codec::to_string(d) + "\n";
    junit.push_back(std::move(entry));
    return;
  }
  const sim::ScenarioReport report = sim::run_scenario(*read.value);
  for (const sim::Failure& failure : report.failures) {
    const std::string place = failure.line > 0 ? fmt::format("{}:{}", path, failure.line) : path;
    print(fmt::format("{}: {}\n", place, failure.text));
    entry.failures.push_back(fmt::format("{}: {}", place, failure.text));
  }
  if (options.digest) print(fmt::format("{} {}\n", report.digest.hex(), path));
  entry.passed = report.passed;
  totals.passed += report.passed;
  totals.failed += report.failures.size();
  junit.push_back(std::move(entry));
}

}  // namespace

int run_test(const TestOptions& options) {
  const auto files = scenario_files(options.paths);
  if (!files) return complain(files.error());
  Totals totals;
  std::vector<JunitFile> junit;
  catch_interrupts();
  for (const std::string& path : *files) {
    if (interrupted()) {
      complain("interrupted");
      return kInterrupted;
    }
    run_file(path, options, totals, junit);
  }
  if (!options.junit.empty()) {
    if (auto written = write_file(options.junit, junit_xml(junit)); !written)
      return complain(written.error());
  }
  if (totals.refused > 0) {
    complain(fmt::format("{} of {} files refused", totals.refused, files->size()));
  }
  print(fmt::format("{} passed, {} failed\n", totals.passed, totals.failed));
  if (totals.refused > 0) return kRefused;
  return totals.failed > 0 ? kFailed : kOk;
}

}  // namespace stint::app
