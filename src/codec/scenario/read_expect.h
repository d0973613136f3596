// `expect:` of a scenario: what must be, with all names resolved.
#pragma once

#include "codec/scenario/names.h"
#include "codec/scenario/scenario.h"
#include "codec/yaml/complaints.h"
#include "codec/yaml/node.h"

namespace stint::codec {

// Fills the expectations. Each speaks of one kind of thing (jobs in a state, an order, a queue, a
// job, or all evictions) and says at least one thing about it.
void read_expectations(const Node& expect, const JobNames& jobs, const QueueNames& queues,
                       Scenario& scenario, Complaints& complaints);

}  // namespace stint::codec
