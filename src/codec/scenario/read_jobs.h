// `jobs:` of a scenario: names, shapes, users and dependencies resolved to ids.
#pragma once

#include <cstddef>

#include "codec/scenario/names.h"
#include "codec/scenario/scenario.h"
#include "codec/yaml/complaints.h"
#include "codec/yaml/node.h"

namespace stint::codec {

// Larger workloads come as traces.
inline constexpr std::size_t kScenarioJobsMax = std::size_t{1} << 17U;
// Names that a file may mean in all its lists together, counted in jobs.
inline constexpr std::size_t kNamedJobsMax = std::size_t{1} << 22U;

// Fills users, shapes, jobs and the labels that jobs ask for; returns the jobs' names.
[[nodiscard]] JobNames read_jobs(const Node& jobs, const QueueNames& queues, Scenario& scenario,
                                 Complaints& complaints);

}  // namespace stint::codec
