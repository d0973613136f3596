#include "codec/config/read_cluster.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/hostlist.h"
#include "base/quote.h"
#include "base/suggest.h"
#include "codec/name_map.h"
#include "codec/schema/values.h"

namespace stint::codec {

namespace {

using base::LabelId;
using base::quote;
using base::ResourceId;
using model::Amounts;
using model::Cluster;
using model::Resources;

std::string format_amount(std::string_view resource, Amount amount) {
  return Resources::is_memory(resource) ? base::format_memory(amount) : base::format_count(amount);
}

constexpr std::size_t kExpandedMax = std::size_t{1} << 21U;

class ClusterReader {
 public:
  explicit ClusterReader(Complaints& complaints) : complaints_(complaints) {}

  Cluster run(const Node& node) {
    if (const Node* topology = find(node, "topology", NodeKind::Sequence)) read_levels(*topology);
    const Node* groups = find(node, "nodes", NodeKind::Sequence);
    if (groups == nullptr) return std::move(cluster_);
    if (groups->children.empty())
      complaints_.error(groups->mark, "nodes: a cluster needs at least one node");
    for (const Node& group : groups->children) name_resources(group);
    refuse_levels_that_are_resources(node);
    totals_ = Amounts(cluster_.resources.size());
    for (const Node& group : groups->children) read_group(group);
    return std::move(cluster_);
  }

 private:
  void read_levels(const Node& topology) {
    for (const Node& level : topology.children) {
      if (!level.is_scalar()) continue;
      const auto name = name_of(level, "*/[],");
      if (!name) {
        complaints_.error(level.mark, fmt::format("topology: {}", name.error().message));
      } else if (*name == kNodeLevel) {
        complaints_.error(level.mark,
                          "topology: \"node\" is always the innermost level (leave it out)");
      } else if (std::ranges::find(cluster_.levels, *name) != cluster_.levels.end()) {
        complaints_.error(level.mark,
                          fmt::format("topology: the level {} stands twice", quote(*name)));
      } else if (cluster_.levels.size() >= kLevelsMax) {
        complaints_.error(level.mark, fmt::format("topology: more than {} levels", kLevelsMax));
      } else {
        cluster_.levels.emplace_back(*name);
      }
    }
  }

  // `guarantee: {rack: 2}` must mean one thing.
  void refuse_levels_that_are_resources(const Node& node) {
    const Node* topology = find(node, "topology", NodeKind::Sequence);
    if (topology == nullptr) return;
    for (const Node& level : topology->children) {
      if (!cluster_.resources.find(level.text)) continue;
      complaints_.error(
          level.mark,
          fmt::format("topology: {} is also a resource (rename one of them)", quote(level.text)));
    }
  }

  // Gives every resource its id before any vector of amounts is made.
  void name_resources(const Node& group) {
    const Node* has = find(group, "has", NodeKind::Map);
    if (has == nullptr) return;
    for (const Key& key : has->keys) {
      if (Resources::is_model(key.text)) {
        complaints_.error(key.mark,
                          fmt::format("{} follows from the label `model` (write gpu here and "
                                      "labels: {{model: {}}})",
                                      quote(key.text), key.text.substr(4)));
      } else {
        intern(key.text, key.mark);
      }
    }
    const Node* label = model_label(group);
    const Node* gpus = find(*has, "gpu", NodeKind::Scalar);
    if (label == nullptr || gpus == nullptr || amount_or_zero(*gpus, "gpu") == 0) return;
    intern(fmt::format("gpu/{}", label->text), label->mark);
  }

  void intern(const std::string& name, Mark at) {
    if (cluster_.resources.find(name) || name.empty() || name.size() > kNameMax + 4) return;
    if (cluster_.resources.size() >= model::kResourcesMax) {
      complaints_.error(at,
                        fmt::format("{} is one resource too many (at most {}, GPU models included)",
                                    quote(name), model::kResourcesMax));
      return;
    }
    cluster_.resources.intern(name);
  }

  static const Node* model_label(const Node& group) {
    const Node* labels = find(group, "labels", NodeKind::Map);
    const Node* label = labels == nullptr ? nullptr : find(*labels, kModelLabel, NodeKind::Scalar);
    return label != nullptr && name_of(*label, "") ? label : nullptr;
  }

  // What is wrong with the amount has been reported when the file was checked.
  static Amount amount_or_zero(const Node& node, std::string_view resource) {
    if (!node.is_scalar()) return 0;
    const auto amount = amount_of(node, resource, false, {});
    return amount ? amount->value : 0;
  }

  void read_group(const Node& group) {
    const Node* name = find(group, "name", NodeKind::Scalar);
    if (name == nullptr) return;
    auto names = expand(name->text);
    if (!names) {
      complaints_.error(name->mark, names.error().message);
      names.emplace();
    }
    model::Node prototype;
    prototype.has = Amounts(cluster_.resources.size());
    prototype.domains.assign(cluster_.levels.size(), "");
    read_has(group, names->size(), prototype);
    read_labels(group, prototype);
    if (cluster_.nodes.size() + names->size() > kClusterNodesMax) {
      complaints_.error(name->mark, fmt::format("more than {} nodes", kClusterNodesMax));
      return;
    }
    const std::size_t first = cluster_.nodes.size();
    for (std::string& one : *names) add_node(prototype, std::move(one), name->mark);
    if (const Node* at = find(group, "at", NodeKind::Map)) deal_out(*at, first);
  }

  // A short text can stand for a million names; not again and again.
  Result<std::vector<std::string>> expand(std::string_view list) {
    if (expanded_ > kExpandedMax) {
      return base::refuse(
          fmt::format("the host lists of the cluster hold more than {} names", kExpandedMax));
    }
    auto names = base::expand_host_list(list);
    if (names) expanded_ += names->size();
    return names;
  }

  void add_node(const model::Node& prototype, std::string name, Mark at) {
    if (!node_marks_.insert(name, at)) {
      const Mark first = *node_marks_.find(name);
      complaints_.error(at,
                        fmt::format("duplicate node {} (it stands already at line {}, column {})",
                                    quote(name), first.line, first.column));
    }
    model::Node node = prototype;
    node.name = std::move(name);
    cluster_.nodes.push_back(std::move(node));
  }

  void read_has(const Node& group, std::size_t count, model::Node& node) {
    const Node* has = find(group, "has", NodeKind::Map);
    if (has == nullptr) return;
    for (std::size_t i = 0; i < has->keys.size(); ++i) {
      const std::string& resource = has->keys[i].text;
      const auto id = cluster_.resources.find(resource);
      if (!id || Resources::is_model(resource)) continue;
      const Amount amount = amount_or_zero(has->children[i], resource);
      if (resource == "gpu") check_devices(has->children[i], amount);
      node.has[*id] = amount;
      add_to_total(*id, amount * static_cast<Amount>(count), has->children[i].mark);
    }
    const Node* label = model_label(group);
    const auto gpu = cluster_.resources.gpu();
    if (label == nullptr || !gpu || node.has[*gpu] == 0) return;
    const auto model = cluster_.resources.find(fmt::format("gpu/{}", label->text));
    if (!model) return;
    node.model = *model;
    node.has[*model] = node.has[*gpu];
  }

  void check_devices(const Node& value, Amount amount) {
    if (amount % base::kUnit != 0) {
      complaints_.error(value.mark,
                        fmt::format("gpu: {} is no whole number of devices (a node has whole "
                                    "ones, tasks may ask for parts)",
                                    quote(value.text)));
    } else if (amount / base::kUnit > kDevicesPerNodeMax) {
      complaints_.error(value.mark,
                        fmt::format("gpu: {} is too large (a node has at most {} devices)",
                                    quote(value.text), kDevicesPerNodeMax));
    }
  }

  // The factors are below 2^44 and 2^18, the total is kept at most 2^44: the sum fits.
  void add_to_total(ResourceId id, Amount amount, Mark at) {
    Amount& total = totals_[id];
    total += amount;
    if (total <= base::kAmountMax) return;
    const std::string& name = cluster_.resources.name(id);
    complaints_.error(at, fmt::format("{}: all nodes together have more than {}", name,
                                      format_amount(name, base::kAmountMax)));
    total = base::kAmountMax;
  }

  void read_labels(const Node& group, model::Node& node) {
    const Node* labels = find(group, "labels", NodeKind::Map);
    if (labels == nullptr) return;
    for (std::size_t i = 0; i < labels->keys.size(); ++i) {
      if (!labels->children[i].is_scalar()) continue;
      const std::string text = model::label_text(labels->keys[i].text, labels->children[i].text);
      node.labels.emplace_back(cluster_.labels.intern(text));
    }
    std::ranges::sort(node.labels);
  }

  // Nodes first .. end stand in the named domains, in equal consecutive runs.
  void deal_out(const Node& at, std::size_t first) {
    const std::size_t count = cluster_.nodes.size() - first;
    for (std::size_t i = 0; i < at.keys.size(); ++i) {
      const Key& key = at.keys[i];
      const auto level = std::ranges::find(cluster_.levels, key.text);
      if (level == cluster_.levels.end()) {
        complaints_.error(key.mark, unknown_text("level", key.text, cluster_.levels));
        continue;
      }
      const Node& value = at.children[i];
      if (!value.is_scalar()) continue;
      const auto domains = expand(value.text);
      if (!domains) {
        complaints_.error(value.mark, fmt::format("{}: {}", key.text, domains.error().message));
        continue;
      }
      if (count % domains->size() != 0) {
        complaints_.error(
            value.mark, fmt::format("{}: {} nodes cannot be dealt out to {} domains in equal runs",
                                    key.text, count, domains->size()));
        continue;
      }
      const std::size_t run = std::max<std::size_t>(1, count / domains->size());
      const auto column = static_cast<std::size_t>(level - cluster_.levels.begin());
      for (std::size_t n = 0; n < count; ++n) {
        cluster_.nodes[first + n].domains[column] = (*domains)[n / run];
      }
    }
  }

  Complaints& complaints_;
  Cluster cluster_;
  Amounts totals_;
  std::size_t expanded_ = 0;
  NameMap<Mark> node_marks_;
};

}  // namespace

model::Cluster read_cluster(const Node& cluster, Complaints& complaints) {
  return ClusterReader(complaints).run(cluster);
}

std::string unknown_text(std::string_view what, std::string_view name,
                         const std::vector<std::string>& candidates) {
  if (const auto near = base::did_you_mean(name, candidates)) {
    return fmt::format("unknown {} {}, did you mean {}?", what, quote(name), quote(*near));
  }
  return fmt::format("unknown {} {}", what, quote(name));
}

}  // namespace stint::codec
