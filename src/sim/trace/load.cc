#include "sim/trace/load.h"

#include <algorithm>
#include <numeric>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/quote.h"
#include "base/suggest.h"

namespace stint::sim {

namespace {

using base::QueueId;
using engine::State;

constexpr std::size_t kErrorsShown = 10;

// What the trace asks for, by name, as amounts of this cluster. A resource that no node has is
// added with no capacity, so that the job is impossible and says so.
class ShapeMaker {
 public:
  ShapeMaker(const codec::Trace& trace, State& state) : trace_(trace), state_(state) {}

  model::Shape make(const codec::TraceRow& row) const {
    const codec::TraceShape& asks = trace_.shapes[row.shape];
    model::Shape shape;
    shape.tasks = row.tasks;
    shape.each = model::Amounts(state_.cluster.resources.size());
    set(shape.each, "gpu", asks.gpu);
    set(shape.each, "cpu", asks.cpu);
    set(shape.each, "memory", asks.memory_mib);
    for (const codec::TraceLabel& label : trace_.traits[row.traits].where) {
      shape.where.push_back(
          base::LabelId(state_.cluster.labels.intern(model::label_text(label.label, label.value))));
      const auto model = state_.cluster.resources.find(fmt::format("gpu/{}", label.value));
      if (label.label == "model" && model) shape.each[*model] = asks.gpu;
    }
    std::sort(shape.where.begin(), shape.where.end());
    const std::string& together = trace_.traits[row.traits].together;
    if (!together.empty()) {
      shape.wish = {*model::Topology::find_level(state_.cluster, together), true};
    }
    return shape;
  }

 private:
  void set(model::Amounts& each, const char* name, base::Amount amount) const {
    if (amount == 0) return;
    each[*state_.cluster.resources.find(name)] = amount;
  }

  const codec::Trace& trace_;
  State& state_;
};

// What is wrong with each level that rows name and the topology lacks.
std::vector<std::string> unknown_levels(const codec::Trace& trace, const model::Cluster& cluster) {
  std::vector<std::string> levels = cluster.levels;
  levels.emplace_back(model::kNodeLevelName);
  std::set<std::string> unknown;
  for (const codec::TraceTraits& traits : trace.traits) {
    if (traits.together.empty() || model::Topology::find_level(cluster, traits.together)) continue;
    const auto near = base::did_you_mean(traits.together, levels);
    unknown.insert(near ? fmt::format("unknown level {}; did you mean {}?",
                                      base::quote(traits.together), base::quote(*near))
                        : fmt::format("unknown level {}; the levels are {}",
                                      base::quote(traits.together), fmt::join(levels, ", ")));
  }
  return {unknown.begin(), unknown.end()};
}

// A resource that rows ask for must be known before State's vectors get their size.
std::vector<std::string> missing_resources(const codec::Trace& trace, const State& state) {
  std::vector<std::string> missing;
  const auto need = [&](const char* name, auto member) {
    const bool asked = std::any_of(trace.shapes.begin(), trace.shapes.end(),
                                   [&](const codec::TraceShape& s) { return s.*member > 0; });
    if (asked && !state.cluster.resources.find(name)) missing.emplace_back(name);
  };
  need("gpu", &codec::TraceShape::gpu);
  need("cpu", &codec::TraceShape::cpu);
  need("memory", &codec::TraceShape::memory_mib);
  return missing;
}

std::string mapped(const std::string& queue, const LoadOptions& options) {
  for (const auto& [from, to] : options.queue_map) {
    if (from == queue) return to;
  }
  return queue;
}

struct QueueTable {
  std::vector<QueueId> ids;  // by queue id of the trace
  std::vector<std::string> errors;
};

void add_queues(const std::vector<std::string>& paths, State& state) {
  const std::size_t resources = state.cluster.resources.size();
  for (const std::string& path : paths)
    model::add_queue(state.tree, model::Tree::root(), path, resources);
  model::finish_tree(state.tree);
  state = [&] {
    State fresh = model::make_state(std::move(state.cluster), std::move(state.tree), state.policy);
    fresh.users = std::move(state.users);
    fresh.shapes = std::move(state.shapes);
    return fresh;
  }();
}

std::string with_suggestion(const std::string& path, const State& state) {
  std::vector<std::string> known;
  for (const model::Queue& queue : state.tree.queues) known.push_back(queue.path);
  const auto near = base::did_you_mean(path, known);
  return near ? fmt::format("{} (did you mean {}?)", path, *near) : path;
}

// One sentence over all of them: a trace may name hundreds.
std::string unknown_queues_text(const std::vector<std::string>& unknown) {
  const std::size_t shown = std::min(unknown.size(), kErrorsShown);
  std::string text = fmt::format(
      "the tree lacks {} queues of the trace: {}", unknown.size(),
      fmt::join(unknown.begin(), unknown.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (unknown.size() > shown) text += ", …";
  return text + "; add them to the configuration, or use --queue-map FILE or --auto-queues";
}

QueueTable map_queues(const codec::Trace& trace, const LoadOptions& options, State& state) {
  QueueTable table;
  std::vector<std::string> lacking;
  std::vector<std::string> unknown;
  for (const std::string& name : trace.queues.names()) {
    const std::string path = mapped(name, options);
    const QueueId id = state.tree.find(path);
    if (id.valid() && !state.tree[id].is_leaf()) {
      table.errors.push_back(
          fmt::format("queue {} is no leaf: map it to one of its children", path));
    } else if (!id.valid()) {
      if (options.auto_queues) {
        if (path.find('/') == std::string::npos) {
          lacking.push_back(path);
          continue;
        }
        table.errors.push_back(
            fmt::format("queue {} cannot be added: --auto-queues adds flat queues", path));
        continue;
      }
      unknown.push_back(with_suggestion(path, state));
    }
  }
  if (!unknown.empty()) table.errors.push_back(unknown_queues_text(unknown));
  std::sort(lacking.begin(), lacking.end());
  lacking.erase(std::unique(lacking.begin(), lacking.end()), lacking.end());
  if (!lacking.empty() && table.errors.empty()) add_queues(lacking, state);
  for (const std::string& name : trace.queues.names()) {
    table.ids.push_back(state.tree.find(mapped(name, options)));
  }
  return table;
}

base::Result<void> refuse_all(const std::vector<std::string>& errors) {
  if (errors.empty()) return {};
  std::string text;
  for (std::size_t i = 0; i < errors.size() && i < kErrorsShown; ++i) {
    fmt::format_to(std::back_inserter(text), "{}{}", i > 0 ? "\n" : "", errors[i]);
  }
  if (errors.size() > kErrorsShown) {
    fmt::format_to(std::back_inserter(text), "\n… and {} more", errors.size() - kErrorsShown);
  }
  return base::refuse(std::move(text));
}

}  // namespace

std::uint64_t TraceJobs::Asks::hash(const codec::TraceRow& row) {
  base::Digest digest;
  digest.add((std::uint64_t{row.traits} << 32U) | row.shape);
  digest.add(row.tasks);
  return digest.value();
}

base::Result<TraceJobs> TraceJobs::make(const codec::Trace& trace, const LoadOptions& options,
                                        State& state) {
  std::vector<std::string> errors;
  for (const std::string& name : missing_resources(trace, state)) {
    errors.push_back(
        fmt::format("the trace asks for {}, and no node of the cluster has any", name));
  }
  for (const std::string& level : unknown_levels(trace, state.cluster)) {
    errors.push_back(fmt::format("column `together`: {}", level));
  }
  QueueTable table = map_queues(trace, options, state);
  errors.insert(errors.end(), table.errors.begin(), table.errors.end());
  if (auto result = refuse_all(errors); !result) return tl::unexpected(std::move(result).error());

  TraceJobs jobs;
  jobs.trace_ = &trace;
  jobs.queues_ = std::move(table.ids);
  for (const std::string& user : trace.users.names()) {
    jobs.users_.push_back(base::UserId(state.users.intern(user)));
  }
  const ShapeMaker maker(trace, state);
  model::ShapeIndex known(state.shapes);
  for (const codec::TraceRow& row : trace.rows) {
    if (!jobs.asks_.empty() && jobs.asks_.back().are_of(row)) continue;
    const auto is_it = [&](std::uint32_t a) { return jobs.asks_[a].are_of(row); };
    const std::uint64_t hash = Asks::hash(row);
    if (jobs.asks_index_.find(hash, is_it) != base::HashIndex::kNone) continue;
    jobs.asks_index_.insert(hash, static_cast<std::uint32_t>(jobs.asks_.size()));
    jobs.asks_.push_back(
        {row.shape, row.traits, row.tasks, known.intern(maker.make(row), state.shapes)});
  }
  return jobs;
}

base::ShapeId TraceJobs::shape(std::size_t index) const {
  const codec::TraceRow& row = trace_->rows[index];
  return asks_[asks_index_.find(Asks::hash(row),
                                [&](std::uint32_t a) { return asks_[a].are_of(row); })]
      .id;
}

model::JobSpec TraceJobs::spec(std::size_t index) const {
  const codec::TraceRow& row = trace_->rows[index];
  const codec::TraceTraits& traits = trace_->traits[row.traits];
  model::JobSpec spec;
  spec.queue = queue(index);
  spec.user = user(index);
  spec.shape = shape(index);
  spec.submit = row.submit;
  spec.work = row.run;
  spec.limit = row.limit;
  spec.priority = row.priority;
  spec.preemptible = traits.preemptible;
  spec.checkpoint.every = traits.ckpt_every == base::kNever ? 0 : traits.ckpt_every;
  spec.checkpoint.takes = traits.ckpt_takes;
  spec.checkpoint.restart = traits.restart;
  if (!trace_->patience.empty()) {
    spec.patience = trace_->patience_of(static_cast<std::uint32_t>(index));
  }
  if (trace_->after.empty()) return spec;
  for (const codec::TraceAfter& after : trace_->after_of(static_cast<std::uint32_t>(index))) {
    spec.after.push_back(base::JobId(std::size_t{after.on}));
  }
  return spec;
}

base::Result<std::vector<model::JobSpec>> load_jobs(const codec::Trace& trace,
                                                    const LoadOptions& options, State& state) {
  STINT_TRY(const TraceJobs jobs, TraceJobs::make(trace, options, state));
  std::vector<model::JobSpec> specs;
  specs.reserve(trace.rows.size());
  for (std::size_t row = 0; row < trace.rows.size(); ++row) {
    specs.push_back(jobs.spec(row));
    specs.back().name = jobs.name(row);
  }
  return specs;
}

TraceSource::TraceSource(const TraceJobs& jobs) : jobs_(jobs) {
  const auto& rows = jobs.trace().rows;
  const auto earlier = [](const codec::TraceRow& a, const codec::TraceRow& b) {
    return a.submit < b.submit;
  };
  if (std::is_sorted(rows.begin(), rows.end(), earlier)) return;
  order_.resize(rows.size());
  std::iota(order_.begin(), order_.end(), 0U);
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return rows[a].submit != rows[b].submit ? rows[a].submit < rows[b].submit : a < b;
  });
}

Millis TraceSource::next_submit() const {
  const auto& rows = jobs_.trace().rows;
  return next_ < rows.size() ? rows[row()].submit : base::kNever;
}

std::pair<JobId, model::JobSpec> TraceSource::take() {
  const std::size_t taken = row();
  ++next_;
  return {JobId(taken), jobs_.spec(taken)};
}

base::Result<std::vector<std::pair<std::string, std::string>>> read_queue_map(
    std::string_view text, std::string_view file) {
  std::vector<std::pair<std::string, std::string>> map;
  std::size_t line_number = 0;
  while (!text.empty()) {
    ++line_number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line = line.substr(0, line.find('#'));
    std::vector<std::string> words;
    std::string word;
    for (const char c : line) {
      const bool separates = c == ' ' || c == '\t' || c == ',' || c == '\r';
      if (!separates) word += c;
      if (separates && !word.empty()) words.push_back(std::exchange(word, {}));
    }
    if (!word.empty()) words.push_back(word);
    if (words.empty()) continue;
    if (words.size() != 2) {
      return base::refuse(
          fmt::format("{}:{}:1: error: a queue map line is `FROM TO`, this has {} words", file,
                      line_number, words.size()));
    }
    map.emplace_back(words[0], words[1]);
  }
  return map;
}

}  // namespace stint::sim
