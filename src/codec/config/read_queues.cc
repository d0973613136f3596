#include "codec/config/read_queues.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/quote.h"
#include "base/suggest.h"
#include "codec/config/read_cluster.h"
#include "codec/name_map.h"
#include "codec/schema/tables.h"
#include "codec/schema/values.h"
#include "model/guarantees.h"

namespace stint::codec {

namespace {

using base::QueueId;
using base::ResourceId;
using model::Amounts;
using model::GuaranteeEntry;
using model::GuaranteeFault;
using model::GuaranteeProblem;
using model::Queue;
using model::Resources;

std::string amount_text(std::string_view resource, Amount amount) {
  return Resources::is_memory(resource) ? base::format_memory(amount) : base::format_count(amount);
}

// 25'000 as "25%".
std::string percent_text(std::int64_t value) {
  return fmt::format("{}%", base::format_decimal(value, 3));
}

class QueueReader {
 public:
  QueueReader(const QueueSource& source, Complaints& complaints)
      : source_(source),
        complaints_(complaints),
        resources_(source.cluster.resources),
        capacity_(source.capacity),
        tree_(model::empty_tree(capacity_.size())) {
    STINT_ASSERT(capacity_.size() == resources_.size());
  }

  model::Tree run() {
    places_.resize(1);
    if (source_.before != nullptr) copy_ids(*source_.before);
    add_children(source_.queues, model::Tree::root(), 1);
    requests_.resize(tree_.queues.size());
    for (std::size_t q = 1; q < tree_.queues.size(); ++q) read_queue(QueueId(q));
    resolve();
    for (std::size_t q = 1; q < tree_.queues.size(); ++q) finish(QueueId(q));
    model::finish_tree(tree_);
    return std::move(tree_);
  }

 private:
  // Where a queue is written.
  struct Place {
    const Node* node = nullptr;
    Mark key;
  };

  void copy_ids(const model::Tree& before) {
    for (std::size_t q = 1; q < before.queues.size(); ++q) {
      const Queue& queue = before.queues[q];
      add(queue.parent, queue.name);
    }
  }

  QueueId add(QueueId parent, const std::string& name) {
    const QueueId id = model::add_queue(tree_, parent, name, capacity_.size());
    ids_.insert(tree_[id].path, id);
    places_.resize(tree_.queues.size());
    return id;
  }

  void add_children(const Node& map, QueueId parent, std::size_t depth) {
    for (std::size_t i = 0; i < map.keys.size(); ++i) {
      const Key& key = map.keys[i];
      if (!map.children[i].is_map() || key.text.empty()) continue;
      if (depth > model::kTreeDepthMax || tree_.queues.size() > model::kQueuesMax) {
        complaints_.error(
            key.mark, fmt::format("{} is one queue too many (at most {} in {} levels)",
                                  base::quote(key.text), model::kQueuesMax, model::kTreeDepthMax));
        return;
      }
      const std::string path =
          tree_[parent].is_root() ? key.text : fmt::format("{}/{}", tree_[parent].path, key.text);
      const QueueId* known = ids_.find(path);
      const QueueId id = known ? *known : add(parent, key.text);
      places_[id.index()] = {&map.children[i], key.mark};
      if (const Node* below = find(map.children[i], "queues", NodeKind::Map)) {
        add_children(*below, id, depth + 1);
      }
    }
  }

  [[nodiscard]] const Node& node_of(QueueId id) const {
    const Node* node = places_[id.index()].node;
    return node != nullptr ? *node : nothing_;
  }

  void read_queue(QueueId id) {
    const Node& node = node_of(id);
    Queue& queue = tree_[id];
    if (const Node* guarantee = find(node, "guarantee", NodeKind::Map))
      read_guarantee(*guarantee, id);
    if (const Node* limit = find(node, "limit")) {
      read_limit(*limit, [&](std::size_t r) { return limit_above(queue.parent, r); }, queue.limit);
    }
    if (const Node* weight = find(node, "weight", NodeKind::Scalar)) {
      if (const auto value = decimal_of(*weight, *find_key(kQueue, "weight")))
        queue.weight = *value;
    }
    if (const Node* priority = find(node, "priority", NodeKind::Scalar)) {
      if (const auto value = integer_of(*priority, *find_key(kQueue, "priority"))) {
        queue.priority = static_cast<std::int32_t>(*value);
      }
    }
    const Node* scope = find(node, "priority_scope", NodeKind::Scalar);
    if (scope != nullptr && scope->is_word("queue"))
      queue.priority_scope = model::PriorityScope::Queue;
    if (const Node* users = find(node, "users", NodeKind::Map)) read_users(*users, id);
  }

  // Guarantees.

  void read_guarantee(const Node& node, QueueId id) {
    model::GuaranteeRequest& request = requests_[id.index()];
    request.written = true;
    request.entries.resize(capacity_.size());
    for (std::size_t i = 0; i < node.keys.size(); ++i) {
      const Key& key = node.keys[i];
      const auto resource = resources_.find(key.text);
      if (!resource) {
        report_unknown_guarantee(key);
        continue;
      }
      const Node& value = node.children[i];
      const auto amount =
          value.is_scalar() ? amount_of(value, key.text, true, {}) : Result<AmountValue>({});
      is_broken_ = is_broken_ || !value.is_scalar() || !amount;
      if (!amount) continue;
      const bool is_percent = amount->kind == AmountKind::Percent;
      request.entries[resource->index()] = {
          is_percent ? GuaranteeEntry::Kind::Percent : GuaranteeEntry::Kind::Absolute,
          amount->value};
    }
  }

  void report_unknown_guarantee(const Key& key) {
    is_broken_ = true;
    const auto& levels = source_.cluster.levels;
    if (key.text == kNodeLevel || std::ranges::find(levels, key.text) != levels.end()) {
      if (const Unavailable* row = unavailable("queue", "")) {
        complaints_.error(key.mark, unavailable_text(*row));
      }
      return;
    }
    complaints_.error(key.mark, unknown_text("resource", key.text, resources_.names()));
  }

  void resolve() {
    std::vector<GuaranteeProblem> problems =
        model::resolve_guarantees(tree_, requests_, resources_, capacity_);
    if (is_broken_ || !source_.cluster_is_sound) return;  // they would only repeat what was said
    for (const GuaranteeProblem& problem : problems) report(problem);
  }

  void report(const GuaranteeProblem& problem) {
    const std::string& resource = resources_.name(problem.resource);
    const std::string& path = tree_[problem.queue].path;
    const std::string asked = amount_text(resource, problem.asked);
    const std::string available = amount_text(resource, problem.available);
    const Mark queue = places_[problem.queue.index()].key;
    switch (problem.fault) {
      case GuaranteeFault::ChildrenAboveParent:
        return complaints_.error(
            queue, fmt::format("queue {}: its children are guaranteed {} {}, more than its own {}",
                               path, asked, resource, available));
      case GuaranteeFault::RootsAboveCluster:
        return complaints_.error(
            source_.key, fmt::format("the queues are guaranteed {} {}, more than the {} of the "
                                     "cluster",
                                     asked, resource, available));
      case GuaranteeFault::PercentOfNothing:
        return complaints_.error(value_mark(problem),
                                 fmt::format("{}: {} is of the guarantee of {}, which names none "
                                             "(give it one, or write an amount)",
                                             resource, percent_text(problem.asked),
                                             tree_[tree_[problem.queue].parent].path));
      case GuaranteeFault::PercentRoundsToZero:
        return complaints_.error(
            value_mark(problem),
            fmt::format("{}: {} of {} is less than the smallest amount (write 0 for nothing)",
                        resource, percent_text(problem.asked), available));
      case GuaranteeFault::ModelsAboveGpu:
        return complaints_.error(
            value_mark(problem),
            fmt::format("gpu: the models named beside it are {}, more than {}", asked, available));
    }
  }

  [[nodiscard]] Mark value_mark(const GuaranteeProblem& problem) const {
    const Node* guarantee = find(node_of(problem.queue), "guarantee", NodeKind::Map);
    const Node* value =
        guarantee == nullptr ? nullptr : find(*guarantee, resources_.name(problem.resource));
    return value != nullptr ? value->mark : places_[problem.queue.index()].key;
  }

  // Limits and lending.

  // The limit that binds `queue` in a resource: its own, else the nearest above, else the cluster.
  [[nodiscard]] Amount limit_above(QueueId queue, std::size_t r) const {
    for (QueueId q = queue; q.valid(); q = tree_[q].parent) {
      if (tree_[q].limit[r] != model::kUnlimited) return tree_[q].limit[r];
    }
    return capacity_[r];
  }

  // Reads `none`, `all` or a map of them into `target`; `whole` gives what a percentage is of.
  template <class Whole>
  void read_limit(const Node& node, const Whole& whole, Amounts& target) {
    for (std::size_t r = 0; node.is_scalar() && r < target.size(); ++r) {
      target[r] = word_amount(node.text);
    }
    if (!node.is_map()) return;
    for (std::size_t i = 0; i < node.keys.size(); ++i) {
      const Node& value = node.children[i];
      const auto resource = resources_.find(node.keys[i].text);
      if (!resource) {
        report_unknown_limit(node.keys[i]);
        continue;
      }
      if (!value.is_scalar()) continue;
      const auto amount = amount_of(value, node.keys[i].text, true, kAllWords);
      if (amount)
        target[*resource] = limit_amount(value, *amount, *resource, whole(resource->index()));
    }
  }

  Amount limit_amount(const Node& value, const AmountValue& amount, ResourceId resource,
                      Amount whole) {
    if (amount.kind == AmountKind::Word)
      return lend_ ? word_amount(amount.word) : model::kUnlimited;
    if (amount.kind == AmountKind::Absolute) return amount.value;
    const Amount part = model::percent_of(amount.value, whole);
    if (part == 0 && amount.value > 0 && source_.cluster_is_sound) {
      const std::string& name = resources_.name(resource);
      complaints_.error(
          value.mark,
          fmt::format("{}: {} of {} is less than the smallest amount (write 0 for nothing)", name,
                      value.text, amount_text(name, whole)));
    }
    return part;
  }

  // `limit: none` binds nobody; `lend: none` lends nothing, `lend: all` everything.
  [[nodiscard]] Amount word_amount(std::string_view word) const {
    return lend_ && word == "none" ? 0 : model::kUnlimited;
  }

  // A limit on something that does not exist is odd, not wrong: it binds nobody (C088).
  void report_unknown_limit(const Key& key) {
    if (base::did_you_mean(key.text, resources_.names())) {
      complaints_.error(key.mark, unknown_text("resource", key.text, resources_.names()));
    } else {
      complaints_.lint(key.mark,
                       fmt::format("no node has {}: this binds nobody", base::quote(key.text)));
    }
  }

  // Persons.

  void read_users(const Node& users, QueueId id) {
    Queue& queue = tree_[id];
    const Node* common = find(users, "default", NodeKind::Map);
    model::UserRule rule;
    rule.limit = Amounts(capacity_.size());
    for (std::size_t r = 0; r < capacity_.size(); ++r) rule.limit[r] = model::kUnlimited;
    if (common != nullptr) {
      read_rule(*common, id, rule);
      queue.users.push_back(rule);
    }
    for (std::size_t i = 0; i < users.keys.size(); ++i) {
      if (&users.children[i] == common || !users.children[i].is_map()) continue;
      model::UserRule named = rule;
      named.name = users.keys[i].text;
      read_rule(users.children[i], id, named);
      queue.users.push_back(std::move(named));
    }
  }

  void read_rule(const Node& node, QueueId id, model::UserRule& rule) {
    if (const Node* limit = find(node, "limit")) {
      read_limit(*limit, [&](std::size_t r) { return limit_above(id, r); }, rule.limit);
    }
    const Node* weight = find(node, "weight", NodeKind::Scalar);
    if (weight == nullptr) return;
    if (!tree_[id].is_leaf()) {
      complaints_.error(
          key_mark(node, "weight"),
          fmt::format("weight: a person's weight acts in leaves only, and {} has children (move "
                      "it there)",
                      base::quote(tree_[id].path)));
    }
    if (const auto value = decimal_of(*weight, *find_key(kUserRule, "weight")))
      rule.weight = *value;
  }

  // Once guarantees are known.

  void finish(QueueId id) {
    Queue& queue = tree_[id];
    const Node& node = node_of(id);
    if (const Node* lend = find(node, "lend")) {
      lend_ = true;
      read_limit(*lend, [&](std::size_t r) { return queue.guarantee[r]; }, queue.lend);
      lend_ = false;
    }
    const Node* weight = find(node, "weight", NodeKind::Scalar);
    if (weight != nullptr && queue.weight == 0 && queue.guarantee.is_zero()) {
      complaints_.lint(
          weight->mark,
          fmt::format("queue {} has weight 0 and no guarantee: it gets only what nobody "
                      "else wants",
                      queue.path));
    }
    lint_limit(queue, node);
  }

  void lint_limit(const Queue& queue, const Node& node) {
    const Node* limit = find(node, "limit", NodeKind::Map);
    if (limit == nullptr) return;
    for (std::size_t i = 0; i < limit->keys.size(); ++i) {
      const auto r = resources_.find(limit->keys[i].text);
      if (!r || queue.limit[*r] >= queue.guarantee[*r]) continue;
      complaints_.lint(
          limit->children[i].mark,
          fmt::format("queue {} may hold {} {}, less than its guarantee of {}", queue.path,
                      amount_text(limit->keys[i].text, queue.limit[*r]), limit->keys[i].text,
                      amount_text(limit->keys[i].text, queue.guarantee[*r])));
    }
  }

  static constexpr std::array<std::string_view, 2> kAllWords = {"all", "none"};

  const QueueSource& source_;
  Complaints& complaints_;
  const Resources& resources_;
  const Amounts& capacity_;
  model::Tree tree_;
  std::vector<Place> places_;  // by QueueId
  NameMap<QueueId> ids_;       // by path
  std::vector<model::GuaranteeRequest> requests_;
  bool is_broken_ = false;  // some guarantee could not be read
  bool lend_ = false;       // words are read as those of `lend`
  const Node nothing_;
};

}  // namespace

model::Tree read_queues(const QueueSource& source, Complaints& complaints) {
  return QueueReader(source, complaints).run();
}

}  // namespace stint::codec
