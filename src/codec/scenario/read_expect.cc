#include "codec/scenario/read_expect.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/quote.h"
#include "codec/config/read_cluster.h"
#include "codec/scenario/read_jobs.h"
#include "codec/schema/tables.h"
#include "codec/schema/values.h"

namespace stint::codec {

namespace {

// One kind of expectation: the key that names its subject, and what may be said about it.
struct ExpectKind {
  std::string_view subject;
  std::span<const std::string_view> says;
  bool subject_says_enough = false;
};

constexpr std::array<std::string_view, 1> kPendingToo = {"pending"};
constexpr std::array<std::string_view, 4> kOfQueues = {"jobs", "holds", "borrows", "charged"};
constexpr std::array<std::string_view, 6> kOfJobs = {"starts",    "ends", "runs",
                                                     "evictions", "lost", "why"};
constexpr std::array<ExpectKind, 6> kKinds = {{
    {"running", kPendingToo, true},
    {"pending", {}, true},
    {"order", {}, true},
    {"queue", kOfQueues, false},
    {"job", kOfJobs, false},
    {"evictions", {}, true},
}};

class ExpectReader {
 public:
  ExpectReader(const JobNames& jobs, const QueueNames& queues, Scenario& scenario,
               Complaints& complaints)
      : jobs_(jobs), queues_(queues), scenario_(scenario), complaints_(complaints) {}

  void read(const Node& node) {
    if (!check_kind(node)) return;
    Expectation expectation;
    expectation.line = node.mark.line;
    expectation.at = range(node, "at");
    expectation.running = job_list(node, "running");
    expectation.pending = job_list(node, "pending");
    expectation.order = job_list(node, "order");
    read_queue(node, expectation);
    read_job(node, expectation);
    expectation.evictions = integer(node, "evictions");
    scenario_.expect.push_back(std::move(expectation));
  }

 private:
  // Finds the subject, and refuses what does not go with it.
  bool check_kind(const Node& node) {
    const auto kind = std::ranges::find_if(
        kKinds, [&](const ExpectKind& k) { return find(node, k.subject) != nullptr; });
    if (kind == kKinds.end()) return report_no_subject(node);
    bool says_something = kind->subject_says_enough;
    bool is_pure = true;
    for (const Key& key : node.keys) {
      if (key.text == kind->subject || key.text == "at" ||
          find_key(kExpectation, key.text) == nullptr)
        continue;
      if (std::ranges::find(kind->says, key.text) != kind->says.end()) {
        says_something = true;
      } else {
        complaints_.error(key.mark, fmt::format("{} does not go with {} (write two expectations)",
                                                key.text, kind->subject));
        is_pure = false;
      }
    }
    if (!says_something && is_pure) {
      complaints_.error(node.mark, fmt::format("this expects nothing of the {} (add one of: {})",
                                               kind->subject, fmt::join(kind->says, ", ")));
    }
    if (kind->subject == "order" && find(node, "at") != nullptr) {
      complaints_.error(key_mark(node, "at"), "at does not go with order (leave it out)");
    }
    return says_something && is_pure;
  }

  bool report_no_subject(const Node& node) {
    for (const ExpectKind& kind : kKinds) {
      for (const Key& key : node.keys) {
        if (std::ranges::find(kind.says, key.text) == kind.says.end()) continue;
        complaints_.error(key.mark,
                          fmt::format("{} of what? (add {}: NAME)", key.text, kind.subject));
        return false;
      }
    }
    std::vector<std::string_view> subjects;
    for (const ExpectKind& kind : kKinds) subjects.push_back(kind.subject);
    complaints_.error(node.mark,
                      fmt::format("there is nothing to check here (an expectation has one of: {})",
                                  fmt::join(subjects, ", ")));
    return false;
  }

  std::vector<JobId> job_list(const Node& node, std::string_view key) {
    std::vector<JobId> all;
    const Node* list = find(node, key, NodeKind::Sequence);
    if (list == nullptr) return all;
    if (list->children.empty()) {
      complaints_.error(list->mark,
                        fmt::format("{}: the list is empty, so there is nothing to check", key));
    }
    for (const Node& name : list->children) {
      const bool is_enough = complaints_.is_full() || named_ > kNamedJobsMax;
      if (!name.is_scalar() || name.text.empty() || is_enough) continue;
      const auto ids = jobs_.match(name.text);
      if (!ids) {
        complaints_.error(name.mark, ids.error().message);
        continue;
      }
      named_ += ids->size() + jobs_.cost(name.text);
      if (named_ > kNamedJobsMax) {
        complaints_.error(name.mark,
                          fmt::format("the expectations name more than {} jobs", kNamedJobsMax));
        return all;
      }
      all.insert(all.end(), ids->begin(), ids->end());
    }
    return all;
  }

  void read_queue(const Node& node, Expectation& expectation) {
    const Node* queue = find(node, "queue", NodeKind::Scalar);
    if (queue == nullptr || queue->text.empty() || complaints_.is_full()) return;
    const auto id = queues_.find(queue->text);
    if (id) {
      expectation.queue = *id;
    } else {
      complaints_.error(queue->mark, id.error().message);
    }
    expectation.jobs = integer(node, "jobs");
    expectation.holds = amounts(node, "holds");
    expectation.borrows = amounts(node, "borrows");
    expectation.charged_gpu_hours = gpu_hours(node, "charged");
  }

  void read_job(const Node& node, Expectation& expectation) {
    const Node* job = find(node, "job", NodeKind::Scalar);
    if (job == nullptr || job->text.empty() || complaints_.is_full()) return;
    const auto named = jobs_.find(job->text);
    if (!named) {
      complaints_.error(job->mark, named.error().message);
    } else if (named->count != 1) {
      complaints_.error(job->mark, fmt::format("job {} stands for {} jobs (name one, such as {}.1)",
                                               base::quote(job->text), named->count, job->text));
    } else {
      expectation.job = JobId(named->first);
    }
    expectation.starts = range(node, "starts");
    expectation.ends = range(node, "ends");
    expectation.runs = integer(node, "runs");
    expectation.lost_gpu_hours = gpu_hours(node, "lost");
    if (const Node* why = find(node, "why", NodeKind::Scalar)) expectation.why = why->text;
  }

  ResourceAmounts amounts(const Node& node, std::string_view key) {
    ResourceAmounts all;
    const Node* map = find(node, key, NodeKind::Map);
    if (map == nullptr) return all;
    const model::Resources& resources = scenario_.config.cluster.resources;
    if (map->keys.empty()) {
      complaints_.error(map->mark,
                        fmt::format("{}: the map is empty, so there is nothing to check", key));
    }
    for (std::size_t i = 0; i < map->keys.size(); ++i) {
      const std::string& name = map->keys[i].text;
      const auto resource = resources.find(name);
      if (!resource) {
        complaints_.error(map->keys[i].mark, unknown_text("resource", name, resources.names()));
        continue;
      }
      if (!map->children[i].is_scalar()) continue;
      const auto amount = amount_of(map->children[i], name, false, {});
      if (amount) all.emplace_back(*resource, amount->value);
    }
    return all;
  }

  // Values that were checked with the file: what was wrong is left out.

  static std::optional<std::int64_t> integer(const Node& node, std::string_view key) {
    const Node* value = find(node, key, NodeKind::Scalar);
    if (value == nullptr) return std::nullopt;
    const auto number = integer_of(*value, *find_key(kExpectation, key));
    return number ? std::optional(*number) : std::nullopt;
  }

  static std::optional<Amount> gpu_hours(const Node& node, std::string_view key) {
    const Node* map = find(node, key, NodeKind::Map);
    const Node* value = map == nullptr ? nullptr : find(*map, "gpu_hours", NodeKind::Scalar);
    if (value == nullptr) return std::nullopt;
    const auto amount = amount_of(*value, "", false, {});
    return amount ? std::optional(amount->value) : std::nullopt;
  }

  static std::optional<TimeRange> range(const Node& node, std::string_view key) {
    const Node* value = find(node, key);
    if (value == nullptr) return std::nullopt;
    const KeySpec& spec = *find_key(kExpectation, key);
    if (value->is_word("never")) return TimeRange{base::kNever, base::kNever};
    if (value->is_scalar()) {
      const auto time = duration_of(*value, spec);
      return time ? std::optional(TimeRange{*time, *time}) : std::nullopt;
    }
    if (value->children.size() != 2) return std::nullopt;
    const auto low = duration_of(value->children[0], spec);
    const auto high = duration_of(value->children[1], spec);
    return low && high ? std::optional(TimeRange{*low, *high}) : std::nullopt;
  }

  const JobNames& jobs_;
  const QueueNames& queues_;
  Scenario& scenario_;
  Complaints& complaints_;
  std::size_t named_ = 0;
};

}  // namespace

void read_expectations(const Node& expect, const JobNames& jobs, const QueueNames& queues,
                       Scenario& scenario, Complaints& complaints) {
  ExpectReader reader(jobs, queues, scenario, complaints);
  for (const Node& node : expect.children) {
    if (node.is_map()) reader.read(node);
  }
}

}  // namespace stint::codec
