#include "sim/trace/load.h"

#include <algorithm>

#include <fmt/format.h>

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

model::JobSpec make_job(const codec::Trace& trace, const codec::TraceRow& row, QueueId queue) {
  const codec::TraceTraits& traits = trace.traits[row.traits];
  model::JobSpec spec;
  spec.name = trace.name(row);
  spec.queue = queue;
  spec.submit = row.submit;
  spec.work = row.run;
  spec.limit = row.limit;
  spec.priority = row.priority;
  spec.preemptible = traits.preemptible;
  spec.checkpoint.every = traits.ckpt_every == base::kNever ? 0 : traits.ckpt_every;
  spec.checkpoint.takes = traits.ckpt_takes;
  spec.checkpoint.restart = traits.restart;
  return spec;
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

base::Result<std::vector<model::JobSpec>> load_jobs(const codec::Trace& trace,
                                                    const LoadOptions& options, State& state) {
  std::vector<std::string> errors;
  for (const std::string& name : missing_resources(trace, state)) {
    errors.push_back(
        fmt::format("the trace asks for {}, and no node of the cluster has any", name));
  }
  for (const codec::TraceTraits& traits : trace.traits) {
    if (traits.together.empty()) continue;
    errors.emplace_back("column `together` is not available in this version: leave it empty");
    break;
  }
  QueueTable table = map_queues(trace, options, state);
  errors.insert(errors.end(), table.errors.begin(), table.errors.end());
  if (auto result = refuse_all(errors); !result) return tl::unexpected(std::move(result).error());

  const ShapeMaker maker(trace, state);
  // Rows with the same (shape, traits, tasks) ask for the same.
  std::vector<std::pair<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, base::ShapeId>>
      known;
  std::vector<model::JobSpec> jobs;
  jobs.reserve(trace.rows.size());
  for (const codec::TraceRow& row : trace.rows) {
    model::JobSpec spec = make_job(trace, row, table.ids[row.queue]);
    spec.user = base::UserId(state.users.intern(trace.users.name(row.user)));
    const std::tuple key{row.shape, row.traits, row.tasks};
    auto it = std::lower_bound(known.begin(), known.end(), key,
                               [](const auto& entry, const auto& k) { return entry.first < k; });
    if (it == known.end() || it->first != key) {
      const model::Shape shape = maker.make(row);
      const auto same = std::find(state.shapes.begin(), state.shapes.end(), shape);
      const base::ShapeId id(static_cast<std::size_t>(same - state.shapes.begin()));
      if (same == state.shapes.end()) state.shapes.push_back(shape);
      it = known.insert(it, {key, id});
    }
    spec.shape = it->second;
    for (const codec::TraceAfter& after : trace.after_of(static_cast<std::uint32_t>(jobs.size()))) {
      spec.after.push_back(base::JobId(std::size_t{after.on}));
    }
    jobs.push_back(std::move(spec));
  }
  return jobs;
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
