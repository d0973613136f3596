#include "codec/scenario/dependencies.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "codec/scenario/read_jobs.h"

namespace stint::codec {

namespace {

// Entries that wait for each other. All jobs of an entry wait for the same, so a circle of entries
// is one of jobs and the other way round.
using Graph = std::vector<std::vector<std::size_t>>;

// Index of the entry that a job belongs to; entries lie in order of their jobs.
std::size_t entry_of(std::span<const JobEntry> entries, std::size_t job) {
  const auto above =
      std::upper_bound(entries.begin(), entries.end(), job,
                       [](std::size_t j, const JobEntry& entry) { return j < entry.range.first; });
  return static_cast<std::size_t>(above - entries.begin()) - 1;
}

Graph reversed(const Graph& graph) {
  Graph result(graph.size());
  for (std::size_t e = 0; e < graph.size(); ++e) {
    for (const std::size_t other : graph[e]) result[other].push_back(e);
  }
  return result;
}

// Takes away from `left` whatever has no edge to something left, again and again.
void peel(const Graph& graph, std::vector<bool>& left) {
  const Graph into = reversed(graph);
  std::vector<std::size_t> edges(graph.size(), 0);
  std::vector<std::size_t> free;
  for (std::size_t e = 0; e < graph.size(); ++e) {
    for (const std::size_t other : graph[e]) edges[e] += left[other] ? 1U : 0U;
    if (left[e] && edges[e] == 0) free.push_back(e);
  }
  while (!free.empty()) {
    const std::size_t e = free.back();
    free.pop_back();
    left[e] = false;
    for (const std::size_t waiter : into[e]) {
      if (left[waiter] && --edges[waiter] == 0) free.push_back(waiter);
    }
  }
}

// Entries on a circle, or on a path from one circle to another.
std::vector<bool> on_or_between_circles(const Graph& graph) {
  std::vector<bool> left(graph.size(), true);
  peel(graph, left);
  peel(reversed(graph), left);
  return left;
}

// The shortest circle through `start`, starting with it; empty if there is none.
std::vector<std::size_t> circle_through(const Graph& graph, std::size_t start,
                                        const std::vector<bool>& left) {
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::vector<std::size_t> from(graph.size(), kNone);
  std::vector<std::size_t> queue = {start};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const std::size_t next : graph[queue[i]]) {
      if (next == start) {
        std::vector<std::size_t> circle;
        for (std::size_t e = queue[i]; e != start; e = from[e]) circle.push_back(e);
        circle.push_back(start);
        std::reverse(circle.begin(), circle.end());
        return circle;
      }
      if (!left[next] || from[next] != kNone) continue;
      from[next] = queue[i];
      queue.push_back(next);
    }
  }
  return {};
}

void report_circles(std::span<const JobEntry> entries, const Graph& graph, Complaints& complaints) {
  std::vector<bool> left = on_or_between_circles(graph);
  for (std::size_t e = 0; e < graph.size() && !complaints.is_full(); ++e) {
    if (!left[e]) continue;
    const std::vector<std::size_t> circle = circle_through(graph, e, left);
    if (circle.empty()) {
      left[e] = false;  // it only waits for a circle
      continue;
    }
    std::string text = entries[circle.front()].name;
    for (std::size_t i = 1; i < circle.size(); ++i)
      text += fmt::format(" after {}", entries[circle[i]].name);
    complaints.error(
        entries[e].after->mark,
        fmt::format("a cycle: {} after {}: none of them could ever start", text, entries[e].name));
    // One report per circle: its members are settled.
    for (const std::size_t member : circle) left[member] = false;
  }
}

}  // namespace

void link_dependencies(std::span<const JobEntry> entries, const JobNames& names, Scenario& scenario,
                       Complaints& complaints) {
  Graph graph(entries.size());
  std::size_t links = 0;
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const JobEntry& entry = entries[e];
    if (entry.after == nullptr) continue;
    std::vector<JobId> after;
    for (const Node& name : entry.after->children) {
      if (!name.is_scalar() || name.text.empty() || complaints.is_full()) continue;
      const auto range = names.find(name.text);
      if (!range) {
        complaints.error(name.mark, fmt::format("after: {}", range.error().message));
        continue;
      }
      links += range->count * entry.range.count;
      if (links > kNamedJobsMax) {
        complaints.error(name.mark,
                         fmt::format("after: more than {} dependencies in all", kNamedJobsMax));
        return;
      }
      for (std::size_t i = 0; i < range->count; ++i) after.emplace_back(range->first + i);
      graph[e].push_back(entry_of(entries, range->first));
    }
    std::sort(after.begin(), after.end());
    after.erase(std::unique(after.begin(), after.end()), after.end());
    for (std::size_t i = 0; i < entry.range.count; ++i)
      scenario.jobs[entry.range.first + i].after = after;
  }
  report_circles(entries, graph, complaints);
}

}  // namespace stint::codec
