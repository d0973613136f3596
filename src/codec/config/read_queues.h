// `queues:` to model::Tree: structure, guarantees, limits, lending, weights and the rules for
// persons.
#pragma once

#include "codec/yaml/complaints.h"
#include "codec/yaml/node.h"
#include "model/cluster.h"
#include "model/tree.h"

namespace stint::codec {

struct QueueSource {
  const Node& queues;  // the map below the key `queues`
  Mark key;            // of that key
  const model::Cluster& cluster;
  const model::Amounts& capacity;  // of the cluster
  bool cluster_is_sound = true;    // false: sums against the cluster would only repeat its errors
  const model::Tree* before = nullptr;  // its queues keep their ids; new ones come behind
};

// Reads the tree; what is wrong in itself was reported when the file was checked, what is wrong
// with regard to the cluster or to other queues is reported here.
//   Source  DESIGN §5.1; a percentage of a limit is of the nearest limit above, else of the
//   cluster; a named
//           person's rule takes from `default` what it leaves out, resource by resource.
[[nodiscard]] model::Tree read_queues(const QueueSource& source, Complaints& complaints);

}  // namespace stint::codec
