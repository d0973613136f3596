#include "codec/scenario/read_events.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/hostlist.h"
#include "base/quote.h"
#include "codec/config/read_cluster.h"
#include "codec/config/resolve.h"
#include "codec/scenario/read_jobs.h"
#include "codec/schema/tables.h"
#include "codec/schema/values.h"

namespace stint::codec {

namespace {

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
      : root_(root), jobs_(jobs), scenario_(scenario), complaints_(complaints) {
    const auto& nodes = scenario.config.cluster.nodes;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      node_ids_.emplace(nodes[n].name, NodeId(n));
      node_names_.push_back(nodes[n].name);
    }
  }

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

  void read_nodes(const Node& value, ScenarioEvent& event) {
    const auto names = base::expand_host_list(value.text);
    if (!names) return complaints_.error(value.mark, names.error().message);
    if (!may_name(names->size(), value)) return;
    for (const std::string& name : *names) {
      const auto found = node_ids_.find(name);
      if (found != node_ids_.end()) {
        event.nodes.push_back(found->second);
      } else if (!complaints_.is_full()) {
        complaints_.error(value.mark, unknown_text("node", name, node_names_));
      }
    }
  }

  void read_jobs(const Node& value, ScenarioEvent& event) {
    if (complaints_.is_full()) return;
    auto ids = jobs_.match(value.text);
    if (!ids) return complaints_.error(value.mark, ids.error().message);
    if (may_name(ids->size(), value)) event.jobs = std::move(*ids);
  }

  bool may_name(std::size_t count, const Node& value) {
    named_ += count;
    if (named_ <= kNamedJobsMax) return true;
    complaints_.error(value.mark,
                      fmt::format("the events name more than {} nodes and jobs", kNamedJobsMax));
    return false;
  }

  void apply_patches() {
    std::stable_sort(patches_.begin(), patches_.end(), [&](const Patch& a, const Patch& b) {
      return scenario_.events[a.event].at < scenario_.events[b.event].at;
    });
    Node current = patches_.empty() ? Node() : patchable(root_);
    const model::Tree* before = &scenario_.config.tree;
    for (const Patch& patch : patches_) {
      current = merged(std::move(current), *patch.node);
      scenario_.events[patch.event].config = scenario_.configs.size();
      scenario_.configs.push_back(
          resolve_patched(current, scenario_.config.cluster, *before, complaints_));
      before = &scenario_.configs.back().first;
      check_leaves(*before, *patch.node);
    }
  }

  // A queue that holds jobs must not get children.
  void check_leaves(const model::Tree& tree, const Node& patch) {
    std::vector<bool> is_reported(tree.queues.size(), false);
    for (const model::JobSpec& job : scenario_.jobs) {
      if (!job.queue.valid() || tree[job.queue].is_leaf() || is_reported[job.queue.index()])
        continue;
      is_reported[job.queue.index()] = true;
      if (!scenario_.config.tree[job.queue].is_leaf()) continue;  // reported at the job
      complaints_.error(
          key_mark(patch, "queues"),
          fmt::format("queue {} holds jobs and cannot get children (only a leaf holds jobs)",
                      tree[job.queue].path));
    }
  }

  const Node& root_;
  const JobNames& jobs_;
  Scenario& scenario_;
  Complaints& complaints_;
  std::unordered_map<std::string, NodeId> node_ids_;  // looked up, never iterated
  std::vector<std::string> node_names_;
  std::vector<Patch> patches_;
  std::size_t named_ = 0;
};

}  // namespace

void read_events(const Node& root, const JobNames& jobs, Scenario& scenario,
                 Complaints& complaints) {
  EventReader(root, jobs, scenario, complaints).run();
}

}  // namespace stint::codec
