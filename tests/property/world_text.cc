// Worlds and decisions in words.
#include <fmt/format.h>

#include "base/assert.h"
#include "codec/snapshot/snapshot.h"
#include "sim/scenario/runner.h"
#include "world.h"

namespace stint::property {

namespace {

using base::format_count;
using base::format_duration;
using model::GuaranteeEntry;

std::string amount_text(const model::Resources& resources, std::size_t r, base::Amount value) {
  const bool is_memory = model::Resources::is_memory(resources.names()[r]);
  return is_memory ? base::format_memory(value) : format_count(value);
}

// `{gpu: 8, cpu: 4}`: what `wanted` says is written.
template <class Wanted>
std::string amounts_text(const model::Resources& resources, const model::Amounts& amounts,
                         Wanted wanted) {
  std::string text;
  for (std::size_t r = 0; r < amounts.size(); ++r) {
    if (!wanted(r)) continue;
    if (!text.empty()) text += ", ";
    text += fmt::format("{}: {}", resources.names()[r], amount_text(resources, r, amounts[r]));
  }
  return fmt::format("{{{}}}", text);
}

// Amounts of a task or a node: models follow from labels.
std::string plain_text(const model::Resources& resources, const model::Amounts& amounts) {
  return amounts_text(resources, amounts, [&](std::size_t r) {
    return amounts[r] != 0 && !model::Resources::is_model(resources.names()[r]);
  });
}

std::string limit_text(const model::Resources& resources, const model::Amounts& limit) {
  return amounts_text(resources, limit,
                      [&](std::size_t r) { return limit[r] < model::kUnlimited; });
}

std::string labels_text(const model::Cluster& cluster, const std::vector<base::LabelId>& labels) {
  std::string text;
  for (const base::LabelId id : labels) {
    std::string label = cluster.labels.name(id.value);
    label.replace(label.find('='), 1, ": ");
    text += (text.empty() ? "" : ", ") + label;
  }
  return fmt::format("{{{}}}", text);
}

std::string cluster_text(const model::Cluster& cluster) {
  std::string text = "cluster:\n  nodes:\n";
  for (const model::Node& node : cluster.nodes) {
    text += fmt::format("    - {{name: {}, has: {}, labels: {}}}\n", node.name,
                        plain_text(cluster.resources, node.has), labels_text(cluster, node.labels));
  }
  return text;
}

std::string guarantee_text(const model::Resources& resources,
                           const model::GuaranteeRequest& request) {
  std::string text;
  for (std::size_t r = 0; r < request.entries.size(); ++r) {
    const GuaranteeEntry& entry = request.entries[r];
    if (entry.kind == GuaranteeEntry::Kind::Unnamed) continue;
    const std::string value = entry.kind == GuaranteeEntry::Kind::Percent
                                  ? fmt::format("{}%", base::format_decimal(entry.value, 3))
                                  : amount_text(resources, r, entry.value);
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", resources.names()[r], value);
  }
  return fmt::format("guarantee: {{{}}}, ", text);
}

std::string users_text(const model::Resources& resources,
                       const std::vector<model::UserRule>& users) {
  std::string text;
  for (const model::UserRule& rule : users) {
    const std::string limit = limit_text(resources, rule.limit);
    text += fmt::format("{}{}: {{{}weight: {}}}", text.empty() ? "" : ", ",
                        rule.name.empty() ? "default" : rule.name,
                        limit == "{}" ? "" : fmt::format("limit: {}, ", limit),
                        base::format_decimal(rule.weight, 3));
  }
  return text.empty() ? "" : fmt::format("users: {{{}}}, ", text);
}

std::string queues_text(const model::Resources& resources, const model::Tree& tree,
                        const std::vector<model::GuaranteeRequest>& requests,
                        base::QueueId parent) {
  std::string text;
  for (const base::QueueId id : tree[parent].children) {
    const model::Queue& q = tree[id];
    std::string body =
        requests[id.index()].written ? guarantee_text(resources, requests[id.index()]) : "";
    const std::string limit = limit_text(resources, q.limit);
    const std::string lend = limit_text(resources, q.lend);
    if (limit != "{}") body += fmt::format("limit: {}, ", limit);
    if (lend != "{}") body += fmt::format("lend: {}, ", lend);
    body += fmt::format("weight: {}, ", base::format_decimal(q.weight, 3));
    if (q.priority != 0) body += fmt::format("priority: {}, ", q.priority);
    if (q.priority_scope == model::PriorityScope::Queue) body += "priority_scope: queue, ";
    body += users_text(resources, q.users);
    if (!q.is_leaf())
      body += fmt::format("queues: {}, ", queues_text(resources, tree, requests, id));
    body.resize(body.size() - 2);
    text += fmt::format("{}{}: {{{}}}", text.empty() ? "" : ", ", q.name, body);
  }
  return fmt::format("{{{}}}", text);
}

std::string policy_text(const model::Policy& policy) {
  constexpr std::array<const char*, 4> kOrders = {"fair", "fifo", "fifo_skip", "sjf_skip"};
  const std::string cycle =
      policy.cycle > 0 ? fmt::format("cycle: {}, ", format_duration(policy.cycle)) : "";
  const bool submit_first = policy.instant == model::Instant::SubmitFirst;
  return fmt::format(
      "{{{}{}order: {}, fair_share: {{history: {}, half_life: {}}}, preemption: {{grace: {}, "
      "min_run: "
      "{}, "
      "between_borrowers: off}}, backfill: {{reservations: {}}}, limits: {{max_time: none}}}}",
      cycle, submit_first ? "instant: submit_first, " : "",
      kOrders[static_cast<std::size_t>(policy.order)], base::format_decimal(policy.history, 3),
      format_duration(policy.half_life), format_duration(policy.grace),
      format_duration(policy.min_run), policy.reservations);
}

std::string span_text(Millis span, const char* never) {
  return span == base::kNever ? never : format_duration(span);
}

std::string job_text(const codec::Scenario& scenario, const model::JobSpec& job) {
  const model::Cluster& cluster = scenario.config.cluster;
  const model::Shape& shape = scenario.shapes[job.shape.index()];
  std::string text = fmt::format(
      "  - {{name: {}, queue: {}, user: {}, at: {}, tasks: {}, each: {}, run: {}, limit: {}",
      job.name, scenario.config.tree[job.queue].path, scenario.users.name(job.user.value),
      format_duration(job.submit), shape.tasks, plain_text(cluster.resources, shape.each),
      span_text(job.work, "forever"), span_text(job.limit, "none"));
  if (job.priority != 0) text += fmt::format(", priority: {}", job.priority);
  if (!job.preemptible) text += ", preemptible: false";
  const model::Checkpoint& saves = job.checkpoint;
  if (saves.every > 0) {
    text += fmt::format(", checkpoint: {{every: {}, takes: {}, restart: {}, on_notice: {}}}",
                        format_duration(saves.every), format_duration(saves.takes),
                        format_duration(saves.restart), saves.on_notice);
  }
  if (job.stops_in > 0) text += fmt::format(", stops_in: {}", format_duration(job.stops_in));
  if (!shape.where.empty()) text += fmt::format(", where: {}", labels_text(cluster, shape.where));
  for (const base::JobId id : job.after) {
    text += fmt::format(", after: [{}]", scenario.jobs[id.index()].name);
  }
  return text + "}\n";
}

std::string event_text(const World& world, const codec::ScenarioEvent& event) {
  constexpr std::array<const char*, 9> kWords = {"fail", "return",  "drain", "resume", "cancel",
                                                 "hold", "release", "apply", "restart"};
  const codec::Scenario& scenario = world.scenario;
  std::string what = "controller";
  for (const base::NodeId id : event.nodes) what = scenario.config.cluster.nodes[id.index()].name;
  for (const base::JobId id : event.jobs) what = scenario.jobs[id.index()].name;
  if (event.config) {
    const auto& [tree, policy] = scenario.configs[*event.config];
    what = fmt::format("{{queues: {}, policy: {}}}",
                       queues_text(scenario.config.cluster.resources, tree,
                                   world.guarantees[*event.config + 1], model::Tree::root()),
                       policy_text(policy));
  }
  return fmt::format("  - {{at: {}, {}: {}}}\n", format_duration(event.at),
                     kWords[static_cast<std::size_t>(event.kind)], what);
}

}  // namespace

std::string text_of(const World& world) {
  const codec::Scenario& scenario = world.scenario;
  std::string text = "stint: 1\n" + cluster_text(scenario.config.cluster);
  text += fmt::format("queues: {}\n",
                      queues_text(scenario.config.cluster.resources, scenario.config.tree,
                                  world.guarantees[0], model::Tree::root()));
  text += fmt::format("policy: {}\njobs:\n", policy_text(scenario.config.policy));
  for (const model::JobSpec& job : scenario.jobs) text += job_text(scenario, job);
  if (!scenario.events.empty()) text += "events:\n";
  for (const codec::ScenarioEvent& event : scenario.events) text += event_text(world, event);
  return text + "until: 60d\n";
}

void showValue(const WorldSeed& seed, std::ostream& out) {
  out << fmt::format("world {} with {} nodes, {} queues, {} jobs, {} events", seed.rest, seed.nodes,
                     seed.queues, seed.jobs.size(), seed.events.size());
}

void show(const World& world) { RC_LOG() << text_of(world); }

model::State reloaded(const model::State& state) {
  auto again = codec::decode_state(codec::encode_state(state));
  STINT_ASSERT(again.has_value());
  return std::move(*again);
}

// --- decisions
// --------------------------------------------------------------------------------------------

std::uint32_t DecisionLog::original(base::JobId job) const {
  return original_.empty() ? job.value : original_[job.index()];
}

void DecisionLog::started(const engine::Engine& engine, const engine::Start& start) {
  const model::State& state = engine.state();
  const model::Run& run = state.runs[state.jobs[start.job.index()].run];
  text_ += fmt::format("{} start {}.{}", state.now, original(start.job), start.run);
  for (const model::Slice& slice : run.placement) {
    text_ += fmt::format(" {}:{}", slice.node.value, slice.tasks);
    for (const model::DeviceShare& d : slice.devices)
      text_ += fmt::format("/{}={}", d.device, d.milli);
  }
  text_ += '\n';
}

void DecisionLog::instant_ends(const engine::Engine& engine) {
  instants_.push_back(engine.state().now);
}

std::string DecisionLog::with_jobs(const engine::Engine& engine) const {
  const auto& jobs = engine.state().jobs;
  std::vector<std::string> lines(jobs.size());
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const model::Job& job = jobs[j];
    const std::uint32_t index = original(base::JobId(j));
    lines[index] = fmt::format("job {} state {} runs {} first {} end {} saved {} held {} lost {}\n",
                               index, static_cast<int>(job.state), job.runs, job.first_start,
                               job.end, job.work_saved, static_cast<std::int64_t>(job.held_gpu_ms),
                               static_cast<std::int64_t>(job.lost_gpu_ms));
  }
  std::string text = text_;
  for (const std::string& line : lines) text += line;
  return text;
}

}  // namespace stint::property
