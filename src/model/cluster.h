// The machine: nodes with what they have, their labels, and where they stand in the topology.
//
// Invariants  1. NodeId order is file order.  2. every node has `resources.size()` amounts.
//             3. a node labelled `model: M` with GPUs has the same amount of `gpu` and `gpu/M`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/string_index.h"
#include "model/amounts.h"
#include "model/resources.h"

namespace stint::model {

using base::LabelId;
using base::NodeId;

struct Node {
  std::string name;
  Amounts has;
  std::vector<LabelId> labels;  // sorted
  ResourceId model;             // `gpu/MODEL` if labelled and it has GPUs, else none
  std::vector<std::string>
      domains;  // one per topology level, outermost first; empty text = outside
};

struct Cluster {
  Resources resources;
  base::StringIndex labels;         // "key=value"
  std::vector<std::string> levels;  // outermost first; nodes sit below the last
  std::vector<Node> nodes;

  // Sum over all configured nodes, healthy or not.
  [[nodiscard]] Amounts capacity() const;
  [[nodiscard]] NodeId find_node(std::string_view name) const;  // none if unknown; linear
};

// The interned form of a label.
[[nodiscard]] std::string label_text(std::string_view key, std::string_view value);

}  // namespace stint::model
