#include "codec/scenario/names.h"

#include <fmt/format.h>

#include "base/quote.h"
#include "codec/config/read_cluster.h"

namespace stint::codec {

namespace {

using base::refuse;
using base::Result;

std::string numbered_name(std::string_view name, std::size_t number) {
  return fmt::format("{}.{}", name, number);
}

}  // namespace

bool JobNames::add(const std::string& name, JobRange range, bool numbered) {
  if (ranges_.find(name)) return false;
  for (std::size_t i = 1; numbered && i <= range.count; ++i) {
    if (ranges_.find(numbered_name(name, i))) return false;
  }
  ranges_.insert(name, range);
  entries_.push_back(name);
  for (std::size_t i = 1; i <= range.count; ++i) {
    jobs_.push_back(numbered ? numbered_name(name, i) : name);
    if (numbered) ranges_.insert(jobs_.back(), JobRange{range.first + i - 1, 1});
  }
  return true;
}

Result<JobRange> JobNames::find(std::string_view name) const {
  if (const JobRange* found = ranges_.find(name)) return *found;
  return refuse(unknown_text("job", name, entries_));
}

Result<std::vector<JobId>> JobNames::match(std::string_view pattern) const {
  std::vector<JobId> ids;
  if (pattern.find('*') == std::string_view::npos) {
    STINT_TRY(const JobRange range, find(pattern));
    for (std::size_t i = 0; i < range.count; ++i) ids.emplace_back(range.first + i);
    return ids;
  }
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    if (matches(pattern, jobs_[j])) ids.emplace_back(j);
  }
  if (ids.empty()) return refuse(fmt::format("no job matches {}", base::quote(pattern)));
  return ids;
}

std::size_t JobNames::cost(std::string_view pattern) const {
  return pattern.find('*') == std::string_view::npos ? 0 : jobs_.size() / 16;
}

QueueNames::QueueNames(const model::Tree& tree) {
  for (std::size_t q = 1; q < tree.queues.size(); ++q) {
    ids_.insert(tree.queues[q].path, QueueId(q));
    paths_.push_back(tree.queues[q].path);
  }
}

Result<QueueId> QueueNames::find(std::string_view path) const {
  if (const QueueId* found = ids_.find(path)) return *found;
  const std::string tail = fmt::format("/{}", path);
  for (const std::string& whole : paths_) {
    if (!whole.ends_with(tail)) continue;
    return refuse(fmt::format("unknown queue {}, did you mean {}? (a path starts at the top)",
                              base::quote(path), base::quote(whole)));
  }
  return refuse(unknown_text("queue", path, paths_));
}

// Greedy with one step back: the last `*` takes one character more whenever the rest does not fit.
bool matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t after_star = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      after_star = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++after_star;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace stint::codec
