#include "codec/scenario/read_events.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/hostlist.h"
#include "base/quote.h"
#include "codec/config/read_cluster.h"
#include "codec/config/resolve.h"
#include "codec/name_map.h"
#include "codec/scenario/read_jobs.h"
#include "codec/schema/tables.h"
#include "codec/schema/values.h"

namespace stint::codec {

namespace {

// Every patch keeps a whole tree.
constexpr std::size_t kPatchedQueuesMax = std::size_t{1} << 18U;

struct Action {
  std::string_view key;
  EventKind kind;
};
constexpr std::array<Action, 9> kActions = {{
    {"fail", EventKind::Fail},
    {"return", EventKind::Return},
    {"drain", EventKind::Drain},
    {"resume", EventKind::Resume},
    {"cancel", EventKind::Cancel},
    {"hold", EventKind::Hold},
    {"release", EventKind::Release},
    {"apply", EventKind::Apply},
    {"restart", EventKind::RestartController},
}};

bool names_nodes(EventKind kind) {
  return kind == EventKind::Fail || kind == EventKind::Return || kind == EventKind::Drain ||
         kind == EventKind::Resume;
}

// Only what a patch may change is copied along: queues and policy.
Node patchable(const Node& root) {
  Node part;
  part.kind = NodeKind::Map;
  part.mark = root.mark;
  for (std::size_t i = 0; i < root.keys.size(); ++i) {
    if (root.keys[i].text != "queues" && root.keys[i].text != "policy") continue;
    part.keys.push_back(root.keys[i]);
    part.children.push_back(root.children[i]);
  }
  return part;
}

class EventReader {
 public:
  EventReader(const Node& root, const JobNames& jobs, Scenario& scenario, Complaints& complaints)
      : root_(root), jobs_(jobs), scenario_(scenario), complaints_(complaints) {}

  void run() {
    const Node* events = find(root_, "events", NodeKind::Sequence);
    if (events == nullptr) return;
    for (const Node& event : events->children) {
      if (event.is_map()) read_event(event);
    }
    apply_patches();
  }

 private:
  struct Patch {
    std::size_t event = 0;
    const Node* node = nullptr;
  };

  void read_event(const Node& node) {
    ScenarioEvent event;
    if (const Node* at = find(node, "at", NodeKind::Scalar)) {
      event.at = duration_of(*at, *find_key(kEvent, "at")).value_or(0);
    }
    const Node* value = action_of(node, event.kind);
    if (value == nullptr) return;
    if (event.kind == EventKind::Apply) {
      if (value->is_map()) patches_.push_back({scenario_.events.size(), value});
    } else if (value->is_scalar() && !value->text.empty()) {
      if (names_nodes(event.kind)) read_nodes(*value, event);
      if (!names_nodes(event.kind) && event.kind != EventKind::RestartController)
        read_jobs(*value, event);
    }
    scenario_.events.push_back(std::move(event));
  }

  // The value of the event's only action.
  const Node* action_of(const Node& node, EventKind& kind) {
    const Node* value = nullptr;
    for (std::size_t i = 0; i < node.keys.size(); ++i) {
      const auto action =
          std::ranges::find(kActions, std::string_view(node.keys[i].text), &Action::key);
      if (action == kActions.end()) continue;
      if (value != nullptr) {
        complaints_.error(node.keys[i].mark,
                          fmt::format("{}: an event is one thing that happens (write a second "
                                      "event)",
                                      node.keys[i].text));
        continue;
      }
      kind = action->kind;
      value = &node.children[i];
    }
    if (value == nullptr) {
      std::vector<std::string_view> keys;
      for (const Action& action : kActions) keys.push_back(action.key);
      complaints_.error(node.mark, fmt::format("an event needs one of: {}", fmt::join(keys, ", ")));
    }
    return value;
  }

  // Only a file that names nodes pays for finding them by name.
  void index_nodes() {
    if (!node_names_.empty()) return;
    for (const model::Node& node : scenario_.config.cluster.nodes) {
      node_ids_.insert(node.name, NodeId(node_names_.size()));
      node_names_.push_back(node.name);
    }
  }

  void read_nodes(const Node& value, ScenarioEvent& event) {
    if (named_ > kNamedJobsMax) return;
    const auto names = base::expand_host_list(value.text);
    if (!names) return complaints_.error(value.mark, names.error().message);
    if (!may_name(names->size(), value)) return;
    index_nodes();
    for (const std::string& name : *names) {
      const NodeId* found = node_ids_.find(name);
      if (!found) return report_unknown_node(value, name);
      event.nodes.push_back(*found);
    }
  }

  // The first one of a list; looking for a suggestion costs a walk over all names, so not without
  // end.
  void report_unknown_node(const Node& value, const std::string& name) {
    searched_ += node_names_.size();
    const bool is_cheap = searched_ <= kNamedJobsMax;
    complaints_.error(value.mark, unknown_text("node", name, is_cheap ? node_names_ : nobody_));
  }

  void read_jobs(const Node& value, ScenarioEvent& event) {
    if (complaints_.is_full() || named_ > kNamedJobsMax) return;
    auto ids = jobs_.match(value.text);
    if (!ids) return complaints_.error(value.mark, ids.error().message);
    if (may_name(ids->size() + jobs_.cost(value.text), value)) event.jobs = std::move(*ids);
  }

  bool may_name(std::size_t count, const Node& value) {
    named_ += count;
    if (named_ <= kNamedJobsMax) return true;
    complaints_.error(value.mark,
                      fmt::format("the events name more than {} nodes and jobs", kNamedJobsMax));
    return false;
  }

  void apply_patches() {
    std::sort(patches_.begin(), patches_.end(), [&](const Patch& a, const Patch& b) {
      const Millis at_a = scenario_.events[a.event].at;
      const Millis at_b = scenario_.events[b.event].at;
      return at_a != at_b ? at_a < at_b : a.event < b.event;
    });
    Node current = patches_.empty() ? Node() : patchable(root_);
    const model::Amounts capacity = scenario_.config.cluster.capacity();
    const model::Tree* before = &scenario_.config.tree;
    const std::vector<bool> has_jobs = queues_with_jobs();
    std::size_t queues = 0;
    for (const Patch& patch : patches_) {
      queues += before->queues.size();
      if (queues > kPatchedQueuesMax) {
        complaints_.error(patch.node->mark,
                          fmt::format("too many patches for so many queues (at most {} in all)",
                                      kPatchedQueuesMax));
        return;
      }
      current = merged(std::move(current), *patch.node);
      scenario_.events[patch.event].config = scenario_.configs.size();
      scenario_.configs.push_back(
          resolve_patched(current, scenario_.config.cluster, capacity, *before, complaints_));
      before = &scenario_.configs.back().first;
      check_leaves(*before, has_jobs, *patch.node);
    }
  }

  [[nodiscard]] std::vector<bool> queues_with_jobs() const {
    const model::Tree& tree = scenario_.config.tree;
    std::vector<bool> has_jobs(tree.queues.size(), false);
    for (const model::JobSpec& job : scenario_.jobs) {
      // A job in an inner queue was reported where it stands.
      if (job.queue.valid() && tree[job.queue].is_leaf()) has_jobs[job.queue.index()] = true;
    }
    return has_jobs;
  }

  // A queue that holds jobs must not get children.
  void check_leaves(const model::Tree& tree, const std::vector<bool>& has_jobs, const Node& patch) {
    for (std::size_t q = 0; q < has_jobs.size(); ++q) {
      if (!has_jobs[q] || tree.queues[q].is_leaf()) continue;
      complaints_.error(
          key_mark(patch, "queues"),
          fmt::format("queue {} holds jobs and cannot get children (only a leaf holds jobs)",
                      tree.queues[q].path));
    }
  }

  const Node& root_;
  const JobNames& jobs_;
  Scenario& scenario_;
  Complaints& complaints_;
  NameMap<NodeId> node_ids_;
  std::vector<std::string> node_names_;
  std::vector<Patch> patches_;
  std::size_t named_ = 0;
  std::size_t searched_ = 0;
  const std::vector<std::string> nobody_;
};

}  // namespace

void read_events(const Node& root, const JobNames& jobs, Scenario& scenario,
                 Complaints& complaints) {
  EventReader(root, jobs, scenario, complaints).run();
}

}  // namespace stint::codec
