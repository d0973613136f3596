#include <algorithm>

#include <fmt/format.h>

#include "base/amount.h"
#include "base/time.h"
#include "sim/gen/gen_write.h"

namespace stint::sim {

namespace {

// Nodes and racks are numbered through, over all pools.
struct Numbers {
  std::int64_t node = 1;
  std::int64_t rack = 1;
  std::int64_t block = 1;
  int node_digits = 1;
};

// A name as a YAML word: only one would be taken for something else.
std::string word(const std::string& name) {
  std::string lower;
  for (const char c : name) lower.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c);
  return lower == "null" ? fmt::format("\"{}\"", name) : name;
}

std::string range(char prefix, std::int64_t first, std::int64_t count, int digits) {
  const std::int64_t last = first + count - 1;
  if (count == 1) return fmt::format("{}{:0{}}", prefix, first, digits);
  return fmt::format("{}[{:0{}}-{:0{}}]", prefix, first, digits, last, digits);
}

// `racks` racks of `each` nodes in the current block.
void add_entry(const GenPool& pool, std::int64_t racks, std::int64_t each, Numbers& numbers,
               std::string& text) {
  const std::int64_t count = racks * each;
  // Racks are padded as nodes are: a range must not change its width.
  text += fmt::format("    - name: \"{}\"\n", range('n', numbers.node, count, numbers.node_digits));
  text += "      has: {";
  if (pool.gpus > 0) text += fmt::format("gpu: {}, ", pool.gpus);
  text += fmt::format("cpu: {}, memory: {}}}\n", pool.cpus, base::format_memory(pool.memory_mib));
  text += fmt::format("      labels: {{model: {}}}\n", word(pool.model));
  text += fmt::format("      at: {{block: b{}, rack: \"{}\"}}\n", numbers.block,
                      range('r', numbers.rack, racks, numbers.node_digits));
  numbers.node += count;
  numbers.rack += racks;
}

void add_nodes(const GenPlan& plan, std::string& text) {
  Numbers numbers;
  std::int64_t all = 0;
  for (const GenNodes& nodes : plan.nodes) all += nodes.count;
  numbers.node_digits = static_cast<int>(fmt::formatted_size("{}", all));
  const std::int64_t rack = plan.model.rack_nodes;
  const std::int64_t racks = plan.model.block_racks;
  for (const GenNodes& nodes : plan.nodes) {
    std::int64_t left = nodes.count;
    while (left >= rack) {
      const std::int64_t full = std::min(racks, left / rack);
      add_entry(nodes.pool, full, rack, numbers, text);
      left -= full * rack;
      // The last, smaller rack of a pool stands in the block of its last full ones.
      if (full < racks && left > 0) {
        add_entry(nodes.pool, 1, left, numbers, text);
        left = 0;
      }
      ++numbers.block;
    }
    if (left > 0) {
      add_entry(nodes.pool, 1, left, numbers, text);
      ++numbers.block;
    }
  }
}

std::string queue_keys(std::int64_t guarantee, std::int64_t limit) {
  std::string text;
  if (guarantee > 0) text += fmt::format("guarantee: {{gpu: {}}}, ", guarantee);
  if (limit > 0) text += fmt::format("limit: {{gpu: {}}}, ", limit);
  return text;
}

void add_team(const GenTeam& team, std::string_view indent, std::string& text) {
  std::string keys = queue_keys(team.guarantee, team.limit);
  if (team.weight_milli != 1000) {
    keys += fmt::format("weight: {}, ", base::format_decimal(team.weight_milli, 3));
  }
  if (team.user_limit > 0) {
    keys += fmt::format("users: {{default: {{limit: {{gpu: {}}}}}}}, ", team.user_limit);
  }
  if (!keys.empty()) keys.resize(keys.size() - 2);
  text += fmt::format("{}{}: {{{}}}\n", indent, word(team.name), keys);
}

void add_queues(const GenPlan& plan, std::string& text) {
  if (plan.orgs.empty()) {
    for (const GenTeam& team : plan.teams) add_team(team, "  ", text);
    return;
  }
  for (std::size_t i = 0; i < plan.orgs.size(); ++i) {
    const GenOrg& org = plan.orgs[i];
    text += fmt::format("  {}:\n", org.name);
    if (org.guarantee > 0) text += fmt::format("    guarantee: {{gpu: {}}}\n", org.guarantee);
    if (org.limit > 0) text += fmt::format("    limit: {{gpu: {}}}\n", org.limit);
    text += "    queues:\n";
    for (const GenTeam& team : plan.teams) {
      if (team.org == i) add_team(team, "      ", text);
    }
  }
}

}  // namespace

std::string gen_cluster_yaml(const GenPlan& plan, std::string_view made_by) {
  std::string text = fmt::format("# Invented; written by: {}\n", made_by);
  text += fmt::format("# {} GPUs; the jobs of trace.csv ask for {} of their time.\n", plan.gpus,
                      base::format_decimal(plan.model.load_milli, 3));
  text += "stint: 1\ncluster:\n  topology: [block, rack]\n  nodes:\n";
  add_nodes(plan, text);
  text += "queues:\n";
  add_queues(plan, text);
  text += fmt::format("policy:\n  fair_share: {{half_life: {}, history: 0.5}}\n",
                      base::format_duration(plan.model.half_life));
  return text;
}

}  // namespace stint::sim
