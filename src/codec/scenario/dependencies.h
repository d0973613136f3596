// `after:` of jobs: names to ids, and the circles in which nobody could ever start.
#pragma once

#include <span>
#include <string>

#include "codec/scenario/names.h"
#include "codec/scenario/scenario.h"
#include "codec/yaml/complaints.h"
#include "codec/yaml/node.h"

namespace stint::codec {

// One entry of `jobs:`, which stands for `range.count` jobs.
struct JobEntry {
  std::string name;
  JobRange range;
  const Node* after = nullptr;  // the list, or none
};

// Sets `after` of every job. A name stands for all jobs of its entry.
//   Errors  an unknown name at the name; a circle at the `after` of its first entry in the file,
//   with the
//           names on it in order.
void link_dependencies(std::span<const JobEntry> entries, const JobNames& names, Scenario& scenario,
                       Complaints& complaints);

}  // namespace stint::codec
