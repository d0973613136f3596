// A scenario: a configuration with jobs, events and what must happen (DESIGN §6).
//
// Everything is resolved: names are ids, patches of the policy are whole trees and policies.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/amount.h"
#include "base/string_index.h"
#include "base/time.h"
#include "codec/config/config.h"
#include "model/job.h"

namespace stint::codec {

using base::Amount;
using base::JobId;
using base::Millis;
using base::NodeId;
using base::QueueId;
using base::ResourceId;

enum class EventKind : std::uint8_t {
  Fail,
  Return,
  Drain,
  Resume,
  Cancel,
  Hold,
  Release,
  Apply,
  RestartController
};

struct ScenarioEvent {
  Millis at = 0;
  EventKind kind = EventKind::Fail;
  std::vector<NodeId> nodes;  // fail return drain resume; a host list names several
  std::vector<JobId> jobs;    // cancel hold release; a name without number means all of its count
  std::optional<std::size_t> config;  // apply: index into Scenario::configs
};

// low..high, both included; a single value has both equal. `never` is kNever..kNever.
struct TimeRange {
  Millis low = 0;
  Millis high = 0;
};

using ResourceAmounts = std::vector<std::pair<ResourceId, Amount>>;

// One entry of `expect`; only what the file names is set.
struct Expectation {
  std::uint32_t line = 0;
  std::optional<TimeRange> at;  // none: judged at the end of the run
  std::vector<JobId> running;
  std::vector<JobId> pending;
  std::vector<JobId> order;
  std::optional<QueueId> queue;
  std::optional<std::int64_t> jobs;
  ResourceAmounts holds;
  ResourceAmounts borrows;
  std::optional<Amount> charged_gpu_hours;  // thousandths
  std::optional<JobId> job;
  std::optional<TimeRange> starts;
  std::optional<TimeRange> ends;
  std::optional<std::int64_t> runs;
  std::optional<std::int64_t> evictions;
  std::optional<Amount> lost_gpu_hours;  // thousandths
  std::optional<std::string> why;
};

struct Scenario {
  Config config;
  std::vector<std::pair<model::Tree, model::Policy>>
      configs;  // of `apply` events, in order of their time
  base::StringIndex users;
  std::vector<model::Shape> shapes;
  std::vector<model::JobSpec> jobs;   // in file order; JobId is the index
  std::vector<ScenarioEvent> events;  // in file order
  std::vector<Expectation> expect;    // in file order
  std::optional<Millis> until;
};

// Reads a scenario file. A `where` label, `after`, `queue`, node or job that does not exist is an
// error at its value, with a suggestion.
[[nodiscard]] ReadResult<Scenario> read_scenario(SourceFile file, const IncludeLoader& loader);

}  // namespace stint::codec
