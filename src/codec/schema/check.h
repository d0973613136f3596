// A tree against the tables: everything that can be said without knowing the cluster.
//
// Two passes, because several files may make one configuration: what each file wrote is checked
// before they are merged, what is missing only afterwards.
#pragma once

#include "codec/schema/key_spec.h"
#include "codec/yaml/complaints.h"
#include "codec/yaml/node.h"

namespace stint::codec {

// Reports unknown keys (with a suggestion), wrong kinds and wrong values at or below `node`.
//   Shape   host lists and names that need the cluster are left to the readers.
void check_values(const Node& node, const Block& block, Complaints& complaints);

// Reports the required keys that a merged tree lacks, each at the map that lacks it.
void check_required(const Node& node, const Block& block, Complaints& complaints);

}  // namespace stint::codec
