#include <optional>
#include <utility>
#include <vector>

#include "codec/config/load.h"
#include "codec/config/resolve.h"
#include "codec/scenario/names.h"
#include "codec/scenario/read_events.h"
#include "codec/scenario/read_expect.h"
#include "codec/scenario/read_jobs.h"
#include "codec/scenario/scenario.h"
#include "codec/schema/check.h"
#include "codec/schema/tables.h"
#include "codec/schema/values.h"

namespace stint::codec {

namespace {

Scenario resolve_scenario(const Node& root, Complaints& complaints) {
  Scenario scenario;
  scenario.config = resolve_config(root, complaints);
  const QueueNames queues(scenario.config.tree);
  const Node none;
  const Node* jobs = find(root, "jobs", NodeKind::Sequence);
  const JobNames names = read_jobs(jobs != nullptr ? *jobs : none, queues, scenario, complaints);
  read_events(root, names, scenario, complaints);
  if (const Node* expect = find(root, "expect", NodeKind::Sequence)) {
    read_expectations(*expect, names, queues, scenario, complaints);
  }
  if (const Node* until = find(root, "until", NodeKind::Scalar)) {
    const auto time = duration_of(*until, *find_key(kScenarioFile, "until"));
    if (time) scenario.until = *time;
  }
  return scenario;
}

}  // namespace

ReadResult<Scenario> read_scenario(SourceFile file, const IncludeLoader& loader) {
  Complaints complaints;
  std::vector<SourceFile> files;
  files.push_back(std::move(file));
  LoadedFiles loaded = load_files(std::move(files), loader, kScenarioFile, complaints);
  ReadResult<Scenario> result;
  if (loaded.complete) {
    check_required(loaded.root, kScenarioFile, complaints);
    Scenario scenario = resolve_scenario(loaded.root, complaints);
    if (!complaints.has_errors()) result.value = std::move(scenario);
  }
  result.diagnostics = complaints.in_order(loaded.names);
  return result;
}

}  // namespace stint::codec
