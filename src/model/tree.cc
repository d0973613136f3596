#include "model/tree.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace stint::model {

namespace {

Amounts all_unlimited(std::size_t resources) {
  Amounts amounts(resources);
  for (std::size_t r = 0; r < resources; ++r) amounts[r] = kUnlimited;
  return amounts;
}

}  // namespace

const UserRule* Queue::rule_for(std::string_view user) const {
  const UserRule* fallback = nullptr;
  for (const UserRule& rule : users) {
    if (rule.name == user) return &rule;
    if (rule.name.empty()) fallback = &rule;
  }
  return fallback;
}

QueueId Tree::find(std::string_view path) const {
  if (path.empty()) return {};
  for (std::size_t q = 1; q < queues.size(); ++q) {
    if (queues[q].path == path) return QueueId(q);
  }
  return {};
}

std::vector<QueueId> Tree::path_to_root(QueueId id) const {
  std::vector<QueueId> path;
  for (QueueId q = id; !(*this)[q].is_root(); q = (*this)[q].parent) path.push_back(q);
  return path;
}

bool Tree::is_ancestor_or_self(QueueId above, QueueId below) const {
  for (QueueId q = below; q.valid(); q = (*this)[q].parent) {
    if (q == above) return true;
  }
  return false;
}

Tree empty_tree(std::size_t resources) {
  Tree tree;
  Queue root;
  root.guarantee = Amounts(resources);
  root.counts.assign(resources, true);
  root.limit = all_unlimited(resources);
  root.lend = all_unlimited(resources);
  tree.queues.push_back(std::move(root));
  return tree;
}

QueueId add_queue(Tree& tree, QueueId parent, std::string_view name, std::size_t resources) {
  Queue queue;
  queue.name = name;
  queue.path =
      tree[parent].is_root() ? std::string(name) : fmt::format("{}/{}", tree[parent].path, name);
  queue.parent = parent;
  queue.guarantee = Amounts(resources);
  queue.counts.assign(resources, true);
  queue.limit = all_unlimited(resources);
  queue.lend = all_unlimited(resources);
  const QueueId id(tree.queues.size());
  tree.queues.push_back(std::move(queue));
  tree[parent].children.push_back(id);
  return id;
}

void finish_tree(Tree& tree) {
  std::vector<QueueId> order(tree.queues.size());
  for (std::size_t q = 0; q < order.size(); ++q) order[q] = QueueId(q);
  std::sort(order.begin(), order.end(),
            [&](QueueId a, QueueId b) { return tree[a].path < tree[b].path; });
  for (std::size_t i = 0; i < order.size(); ++i) {
    tree[order[i]].path_rank = static_cast<std::uint32_t>(i);
  }
  for (Queue& queue : tree.queues) {
    std::sort(queue.children.begin(), queue.children.end(),
              [&](QueueId a, QueueId b) { return tree[a].path_rank < tree[b].path_rank; });
  }
  tree.keeps_back = tree.is_nested = false;
  for (const Queue& queue : tree.queues) {
    for (const Amount lend : queue.lend) tree.keeps_back = tree.keeps_back || lend < kUnlimited;
    tree.is_nested = tree.is_nested || (!queue.is_root() && !queue.is_leaf());
  }
}

}  // namespace stint::model
