// Jobs, days, nodes and lengths of a generated world: one of them follows from the others and the
// load. Internal to sim/gen.
#pragma once

#include "base/result.h"
#include "sim/gen/gen_plan.h"

namespace stint::sim {

// The number that is worked out.
enum class GenFollower : std::uint8_t { Jobs, Days, Nodes, Stretch };

// Which number follows: the one that is 0; else the lengths, where all four are the preset's; else
// the first that nobody chose.
//   Errors  two are 0, or a person chose all four.
[[nodiscard]] base::Result<GenFollower> gen_follower(const GenModel& model,
                                                     const GenSettings& settings);

// Puts plan.runs for these lengths in place.
void add_runs(GenPlan& plan, std::int64_t stretch_milli);

// Works `follower` out, for a plan with shapes, runs and gpus; where the nodes follow, with the
// gpus of as many nodes as the pools have weight. Load is the GPU time that lies inside the span if
// nothing waits, as a share of the cluster's.
//   Errors  the number would be out of its range.
[[nodiscard]] base::Result<void> follow(GenPlan& plan, GenFollower follower);

// Expected GPU time of one job inside the span of plan.model, in GPU milliseconds.
[[nodiscard]] base::Millis gpu_time_per_job(const GenPlan& plan);

}  // namespace stint::sim
