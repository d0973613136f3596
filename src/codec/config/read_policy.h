// `policy:` to model::Policy, with the checks between its knobs.
#pragma once

#include "codec/yaml/complaints.h"
#include "codec/yaml/node.h"
#include "model/policy.h"

namespace stint::codec {

// Reads the map (nullptr: all defaults); what is wrong in itself was reported when the file was
// checked.
[[nodiscard]] model::Policy read_policy(const Node* policy, Complaints& complaints);

}  // namespace stint::codec
