// The tables of every key (DESIGN §6): one Block per kind of map.
//
// To add a key: add its row here, read it where its block is read; help, reference and JSON Schema
// follow.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "codec/schema/key_spec.h"

namespace stint::codec {

extern const Block kConfigFile;    // a whole configuration
extern const Block kScenarioFile;  // a configuration with jobs, events, expectations
extern const Block kApplyPatch;    // what an `apply:` event may hold
extern const Block kCluster;
extern const Block kNodeGroup;
extern const Block kQueue;
extern const Block kUserRule;
extern const Block kPolicy;
extern const Block kFairShare;
extern const Block kPreemption;
extern const Block kBetweenBorrowers;
extern const Block kBackfill;
extern const Block kTimeLimits;
extern const Block kFailures;
extern const Block kJob;
extern const Block kCheckpoint;
extern const Block kElastic;
extern const Block kEvent;
extern const Block kExpectation;
extern const Block kGpuHours;

// What the design names but this version does not do yet: legal keys that are refused with a plain
// text. Delete a row when its feature arrives.
struct Unavailable {
  std::string_view block;
  std::string_view key;  // empty: the feature is not a key of its own
  std::string_view what;
  bool needs_cluster = false;  // its value is checked against the cluster first, by the reader
};
inline constexpr std::array<Unavailable, 2> kUnavailable = {{
    {"job", "elastic", "`elastic`"},
    {"queue", "", "a level of the topology as a guarantee", true},
}};

// The row of a key that is not available, or nullptr.
[[nodiscard]] const Unavailable* unavailable(std::string_view block, std::string_view key);
// "`elastic` is not available in this version".
[[nodiscard]] std::string unavailable_text(const Unavailable& row);

}  // namespace stint::codec
