#include "codec/scenario/read_jobs.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/int128.h"
#include "base/quote.h"
#include "codec/config/read_cluster.h"
#include "codec/name_map.h"
#include "codec/scenario/dependencies.h"
#include "codec/schema/tables.h"
#include "codec/schema/values.h"

namespace stint::codec {

namespace {

using base::quote;
using base::ResourceId;
using base::ShapeId;
using base::UserId;
using model::Amounts;
using model::JobSpec;
using model::Resources;
using model::Shape;

std::string amount_text(std::string_view resource, Amount amount) {
  return Resources::is_memory(resource) ? base::format_memory(amount) : base::format_count(amount);
}

// `late.12` is a job of `late`.
std::string_view without_number(std::string_view name) {
  const std::size_t end = name.find_last_not_of("0123456789");
  const bool has_number =
      end != std::string_view::npos && end + 1 < name.size() && end > 0 && name[end] == '.';
  return has_number ? name.substr(0, end) : name;
}

class JobReader {
 public:
  JobReader(const QueueNames& queues, Scenario& scenario, Complaints& complaints)
      : queues_(queues), scenario_(scenario), complaints_(complaints) {}

  JobNames run(const Node& jobs) {
    for (const Node& entry : jobs.children) {
      if (entry.is_map()) read_entry(entry);
    }
    link_dependencies(entries_, names_, scenario_, complaints_);
    return std::move(names_);
  }

 private:
  void read_entry(const Node& node) {
    const Node* name = find(node, "name", NodeKind::Scalar);
    if (name == nullptr) return;
    const auto valid = name_of(*name, "*[],?\"'");
    if (!valid) complaints_.error(name->mark, fmt::format("name: {}", valid.error().message));
    const Node* counted = find(node, "count", NodeKind::Scalar);
    const std::size_t count = static_cast<std::size_t>(integer(node, "count", 1));
    const JobRange range{scenario_.jobs.size(), count};
    if (count > kScenarioJobsMax - range.first) {
      complaints_.error(
          name->mark,
          fmt::format("more than {} jobs in a scenario (a trace may hold more)", kScenarioJobsMax));
      return;
    }
    if (!names_.add(name->text, range, counted != nullptr)) {
      complaints_.error(name->mark, fmt::format("duplicate job {}", quote(name->text)));
      return;
    }
    JobSpec job = read_job(node);
    for (std::size_t i = 1; i <= count; ++i) {
      job.name = counted != nullptr ? fmt::format("{}.{}", name->text, i) : name->text;
      job.user = user_of(node, job.name);
      scenario_.jobs.push_back(job);
    }
    entries_.push_back({name->text, range, find(node, "after", NodeKind::Sequence)});
  }

  JobSpec read_job(const Node& node) {
    JobSpec job;
    job.queue = queue_of(node);
    job.shape = shape_of(node);
    job.submit = duration(node, "at", 0);
    job.work = duration(node, "run", base::kNever);
    const model::Policy& policy = scenario_.config.policy;
    job.limit = duration(node, "limit", policy.default_time);
    job.impossible = job.limit != base::kNever && job.limit > policy.max_time;
    job.priority = static_cast<std::int32_t>(integer(node, "priority", 0));
    job.preemptible = flag(node, "preemptible", true);
    job.stops_in = duration(node, "stops_in", 0);
    if (const Node* checkpoint = find(node, "checkpoint", NodeKind::Map)) {
      block_ = &kCheckpoint;
      job.checkpoint.every = duration(*checkpoint, "every", 0);
      job.checkpoint.takes = duration(*checkpoint, "takes", 0);
      job.checkpoint.restart = duration(*checkpoint, "restart", 0);
      job.checkpoint.on_notice = flag(*checkpoint, "on_notice", false);
      block_ = &kJob;
    }
    return job;
  }

  QueueId queue_of(const Node& node) {
    const Node* value = find(node, "queue", NodeKind::Scalar);
    if (value == nullptr || value->text.empty()) return {};
    if (complaints_.is_full()) return {};
    const auto id = queues_.find(value->text);
    if (!id) {
      complaints_.error(value->mark, id.error().message);
      return {};
    }
    const model::Queue& queue = scenario_.config.tree[*id];
    if (!queue.is_leaf()) {
      const model::Queue& child = scenario_.config.tree[queue.children.front()];
      complaints_.error(
          value->mark, fmt::format("queue {} has children, and only a leaf holds jobs (such as {})",
                                   quote(value->text), child.path));
    }
    return *id;
  }

  UserId user_of(const Node& node, std::string_view job_name) {
    const Node* user = find(node, "user", NodeKind::Scalar);
    if (user == nullptr) return UserId(scenario_.users.intern(without_number(job_name)));
    const auto name = name_of(*user, "*");
    if (!name) complaints_.error(user->mark, fmt::format("user: {}", name.error().message));
    return UserId(scenario_.users.intern(user->text));
  }

  void read_wish(const Node& node, model::Wish& wish) {
    const std::optional<model::Level> together = level_of(node, "together");
    const std::optional<model::Level> prefer = level_of(node, "prefer");
    if (together && prefer) {
      complaints_.error(key_mark(node, "prefer"),
                        "`prefer` beside `together`: a gang has one wish; leave one of them out");
      return;
    }
    if (together) wish = {*together, true};
    if (prefer) wish = {*prefer, false};
  }

  std::optional<model::Level> level_of(const Node& node, std::string_view key) {
    const Node* value = find(node, key, NodeKind::Scalar);
    if (value == nullptr || value->text.empty()) return std::nullopt;
    const auto level = model::Topology::find_level(scenario_.config.cluster, value->text);
    if (!level) {
      std::vector<std::string> levels = scenario_.config.cluster.levels;
      levels.emplace_back(kNodeLevel);
      complaints_.error(value->mark, unknown_text("level", value->text, levels));
    }
    return level;
  }

  // Shapes.

  ShapeId shape_of(const Node& node) {
    Shape shape;
    shape.tasks = static_cast<std::uint32_t>(integer(node, "tasks", 1));
    shape.each = Amounts(scenario_.config.cluster.resources.size());
    if (const Node* each = find(node, "each", NodeKind::Map)) read_each(*each, shape);
    if (const Node* where = find(node, "where", NodeKind::Map)) read_where(*where, shape);
    read_wish(node, shape.wish);
    return intern(std::move(shape));
  }

  void read_each(const Node& each, Shape& shape) {
    const Resources& resources = scenario_.config.cluster.resources;
    for (std::size_t i = 0; i < each.keys.size(); ++i) {
      const Key& key = each.keys[i];
      const Node& value = each.children[i];
      if (Resources::is_model(key.text)) {
        complaints_.error(key.mark, fmt::format("{} is asked for as gpu with where: {{model: {}}}",
                                                quote(key.text), key.text.substr(4)));
        continue;
      }
      const auto resource = resources.find(key.text);
      if (!resource) {
        complaints_.error(key.mark, unknown_text("resource", key.text, resources.names()));
        continue;
      }
      if (!value.is_scalar()) continue;
      const auto amount = amount_of(value, key.text, false, {});
      if (!amount) continue;
      shape.each[*resource] = amount->value;
      check_total(value, key.text, amount->value, shape.tasks);
    }
  }

  void check_total(const Node& value, const std::string& resource, Amount each,
                   std::uint32_t tasks) {
    if (static_cast<base::i128>(each) * tasks <= base::kAmountMax) return;
    complaints_.error(value.mark,
                      fmt::format("{}: absurd: {} tasks of {} are more than {}", resource, tasks,
                                  value.text, amount_text(resource, base::kAmountMax)));
  }

  // A label that no node has is no error: the job is impossible, and says so.
  void read_where(const Node& where, Shape& shape) {
    model::Cluster& cluster = scenario_.config.cluster;
    for (std::size_t i = 0; i < where.keys.size(); ++i) {
      if (!where.children[i].is_scalar()) continue;
      const std::string& value = where.children[i].text;
      shape.where.emplace_back(cluster.labels.intern(model::label_text(where.keys[i].text, value)));
      if (where.keys[i].text != kModelLabel) continue;
      const auto model = cluster.resources.find(fmt::format("gpu/{}", value));
      const auto gpu = cluster.resources.gpu();
      if (model && gpu) shape.each[*model] = shape.each[*gpu];
    }
    std::ranges::sort(shape.where);
  }

  ShapeId intern(Shape shape) {
    std::string key = fmt::format("{}:{}:", shape.tasks, fmt::join(shape.each, ","));
    for (const base::LabelId label : shape.where) key += fmt::format("{},", label.value);
    key += fmt::format(":{}:{}", shape.wish.level, shape.wish.must);
    if (shape_ids_.insert(key, ShapeId(scenario_.shapes.size()))) {
      scenario_.shapes.push_back(std::move(shape));
    }
    return *shape_ids_.find(key);
  }

  // Values that were checked with the file: what was wrong reads as the default.

  [[nodiscard]] const KeySpec& spec(std::string_view key) const { return *find_key(*block_, key); }

  [[nodiscard]] std::int64_t integer(const Node& node, std::string_view key,
                                     std::int64_t fallback) const {
    const Node* value = find(node, key, NodeKind::Scalar);
    return value == nullptr ? fallback : integer_of(*value, spec(key)).value_or(fallback);
  }
  [[nodiscard]] bool flag(const Node& node, std::string_view key, bool fallback) const {
    const Node* value = find(node, key, NodeKind::Scalar);
    return value == nullptr ? fallback : flag_of(*value).value_or(fallback);
  }
  [[nodiscard]] Millis duration(const Node& node, std::string_view key, Millis fallback) const {
    const Node* value = find(node, key, NodeKind::Scalar);
    if (value == nullptr) return fallback;
    for (const std::string_view word : spec(key).words) {
      if (value->is_word(word)) return base::kNever;  // forever, none
    }
    return duration_of(*value, spec(key)).value_or(fallback);
  }

  const QueueNames& queues_;
  Scenario& scenario_;
  Complaints& complaints_;
  JobNames names_;
  std::vector<JobEntry> entries_;
  NameMap<ShapeId> shape_ids_;
  const Block* block_ = &kJob;
};

}  // namespace

JobNames read_jobs(const Node& jobs, const QueueNames& queues, Scenario& scenario,
                   Complaints& complaints) {
  return JobReader(queues, scenario, complaints).run(jobs);
}

}  // namespace stint::codec
