// `events:` of a scenario: facts from outside, and patches of the configuration.
#pragma once

#include "codec/scenario/names.h"
#include "codec/scenario/scenario.h"
#include "codec/yaml/complaints.h"
#include "codec/yaml/node.h"

namespace stint::codec {

// Fills events and configs. `root` is the whole merged file, which patches are laid over, one after
// the other in order of their times.
void read_events(const Node& root, const JobNames& jobs, Scenario& scenario,
                 Complaints& complaints);

}  // namespace stint::codec
