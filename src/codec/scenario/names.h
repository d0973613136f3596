// The names of a scenario: jobs (each of a `count` has its own) and queues, found exactly or by
// pattern.
//
// Threads  one owner while jobs are added, then free for all.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "codec/name_map.h"
#include "model/tree.h"

namespace stint::codec {

using base::JobId;
using base::QueueId;

// Consecutive jobs.
struct JobRange {
  std::size_t first = 0;
  std::size_t count = 0;
};

class JobNames {
 public:
  // Adds an entry of `jobs:`: with `numbered`, its jobs are NAME.1 NAME.2 …, else the only one is
  // NAME.
  //   Shape   false if one of the names is taken; nothing is added then.
  [[nodiscard]] bool add(const std::string& name, JobRange range, bool numbered);

  // The jobs of an entry, or the single job of that name.
  //   Errors  unknown, with a suggestion.
  [[nodiscard]] base::Result<JobRange> find(std::string_view name) const;

  // The same, or all jobs whose name matches a pattern with `*` (any text, also none), in file
  // order.
  //   Errors  unknown; a pattern that matches nothing.
  [[nodiscard]] base::Result<std::vector<JobId>> match(std::string_view pattern) const;

  // What looking for that pattern costs beside its matches, counted in jobs named.
  [[nodiscard]] std::size_t cost(std::string_view pattern) const;

 private:
  NameMap<JobRange> ranges_;
  std::vector<std::string> entries_;  // for suggestions
  std::vector<std::string> jobs_;     // by JobId
};

class QueueNames {
 public:
  explicit QueueNames(const model::Tree& tree);

  //   Errors  unknown, with a suggestion; a last part of a path suggests the whole.
  [[nodiscard]] base::Result<QueueId> find(std::string_view path) const;

 private:
  NameMap<QueueId> ids_;
  std::vector<std::string> paths_;
};

// Whether `text` matches `pattern`, in which every `*` stands for any text.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view text);

}  // namespace stint::codec
