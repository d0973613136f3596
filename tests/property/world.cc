#include "world.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/rng.h"
#include "sim/scenario/runner.h"

namespace stint::property {

namespace {

using base::Amount;
using base::JobId;
using base::kMinute;
using base::kUnit;
using base::NodeId;
using base::QueueId;
using base::ResourceId;
using base::Rng;
using codec::EventKind;
using codec::Scenario;
using model::GuaranteeEntry;
using model::GuaranteeRequest;

constexpr std::array<const char*, 5> kUsers = {"dan", "ann", "eve", "bob", "cat"};
constexpr std::array<const char*, 2> kModels = {"h100", "a100"};

template <class T>
T pick(Rng& rng, std::initializer_list<T> from) {
  return *(from.begin() + rng.below(from.size()));
}

bool chance(Rng& rng, std::uint64_t in, std::uint64_t of) { return rng.below(of) < in; }

class Maker {
 public:
  explicit Maker(const WorldSeed& seed) : seed_(seed) {}

  World make() {
    make_cluster();
    make_users();
    const model::Tree bare = bare_tree();
    make_policy();
    scenario().config.tree = with_numbers(bare, stream(4));
    for (std::size_t j = 0; j < seed_.jobs.size(); ++j) make_job(Rng(seed_.jobs[j] * 2 + 1));
    for (const std::uint32_t event : seed_.events) make_event(Rng(event * 2), bare);
    return std::move(world_);
  }

 private:
  Scenario& scenario() { return world_.scenario; }
  model::Cluster& cluster() { return scenario().config.cluster; }
  [[nodiscard]] bool has(Part part) const { return seed_.has(part); }
  [[nodiscard]] bool uses(Part part, Rng& rng, std::uint64_t in, std::uint64_t of) const {
    const bool yes =
        chance(rng, in, of);  // drawn in any case, so that a switch changes nothing else
    return has(part) && yes;
  }
  [[nodiscard]] Rng stream(std::uint64_t part) const {
    return Rng(seed_.rest + part * 0x5851f42d4c957f2dU);
  }

  void make_cluster() {
    Rng rng = stream(1);
    const ResourceId gpu = cluster().resources.intern("gpu");
    if (has(Part::CpuMemory)) {
      cluster().resources.intern("cpu");
      cluster().resources.intern("memory");
    }
    if (has(Part::Models)) {
      for (const char* name : kModels) cluster().resources.intern(fmt::format("gpu/{}", name));
    }
    for (std::uint32_t n = 0; n < seed_.nodes; ++n) {
      model::Node node;
      node.name = fmt::format("n{}", n + 1);
      node.has = model::Amounts(cluster().resources.size());
      const bool has_gpus = n == 0 || !chance(rng, 1, 6) || !has(Part::CpuMemory);
      const Amount gpus = pick<Amount>(rng, {1, 2, 4, 4, 8}) * kUnit;
      const Amount cpus = pick<Amount>(rng, {2, 4, 8, 12}) * kUnit;
      const Amount memory = pick<Amount>(rng, {16, 32, 48}) * 1024;
      if (has_gpus) node.has[gpu] = gpus;
      if (has(Part::CpuMemory)) {
        node.has[1] = cpus;
        node.has[2] = memory;
      }
      make_labels(node, gpu, rng);
      cluster().nodes.push_back(std::move(node));
    }
  }

  void make_labels(model::Node& node, ResourceId gpu, Rng& rng) {
    const char* name = pick(rng, {kModels[0], kModels[1]});
    if (uses(Part::Models, rng, 3, 4) && node.has[gpu] > 0) {
      node.labels.emplace_back(cluster().labels.intern(model::label_text("model", name)));
      node.model = *cluster().resources.find(fmt::format("gpu/{}", name));
      node.has[node.model] = node.has[gpu];
    }
    const char* zone = pick(rng, {"x", "y"});
    if (has(Part::Labels))
      node.labels.emplace_back(cluster().labels.intern(model::label_text("zone", zone)));
    std::sort(node.labels.begin(), node.labels.end());
  }

  void make_users() {
    Rng rng = stream(2);
    const std::uint64_t count = 2 + rng.below(kUsers.size() - 1);
    for (std::uint64_t u = 0; u < count; ++u) scenario().users.intern(kUsers[u]);
  }

  model::Tree bare_tree() {
    Rng rng = stream(3);
    const std::size_t resources = cluster().resources.size();
    model::Tree tree = model::empty_tree(resources);
    std::vector<int> depth = {0};
    std::string names = "abcdefgh";
    rng.shuffle(std::span<char>(names));
    for (std::uint32_t q = 0; q < seed_.queues; ++q) {
      QueueId parent(rng.below(tree.queues.size()));
      if (!has(Part::Nested) || depth[parent.index()] >= 3) parent = model::Tree::root();
      depth.push_back(depth[parent.index()] + 1);
      model::add_queue(tree, parent, std::string(1, names[q]), resources);
    }
    model::finish_tree(tree);
    return tree;
  }

  void make_policy() {
    Rng rng = stream(5);
    scenario().config.policy = some_policy(rng);
  }

  model::Policy some_policy(Rng& rng) {
    model::Policy policy;
    policy.reservations = 0;
    policy.between_borrowers = false;
    const auto history = pick<std::int32_t>(rng, {500, 0, 900});
    policy.history = has(Part::History) ? history : 0;
    policy.half_life = pick<Millis>(rng, {kMinute, 10 * kMinute, base::kHour, base::kDay});
    policy.grace = pick<Millis>(rng, {0, kMinute, 5 * kMinute});
    const auto order =
        pick(rng, {model::Order::Fifo, model::Order::FifoSkip, model::Order::SjfSkip});
    if (uses(Part::OtherOrder, rng, 1, 4)) policy.order = order;
    // Only drawn where they are used, so that the worlds of the property tests stay as they were.
    if (has(Part::Cycle))
      policy.cycle = pick<Millis>(rng, {7 * base::kSecond, kMinute, 25 * kMinute});
    if (has(Part::SubmitFirst))
      policy.instant = pick(rng, {model::Instant::EndFirst, model::Instant::SubmitFirst});
    if (has(Part::SlowStops)) policy.grace = base::kHour;
    if (has(Part::Reservations)) {
      policy.order = order;
      policy.reservations = 1;
    }
    return policy;
  }

  // --- the numbers of a tree
  // ----------------------------------------------------------------------------

  model::Tree with_numbers(model::Tree tree, Rng rng) {
    const std::size_t resources = cluster().resources.size();
    std::vector<GuaranteeRequest> requests(tree.queues.size());
    std::vector<model::Amounts> left(tree.queues.size(), cluster().capacity());
    for (std::size_t q = 1; q < tree.queues.size(); ++q) {
      requests[q].entries.resize(resources);
      make_guarantee(tree, QueueId(q), left, requests[q], rng);
      make_queue(tree.queues[q], rng);
    }
    while (true) {
      const auto problems =
          model::resolve_guarantees(tree, requests, cluster().resources, cluster().capacity());
      if (problems.empty()) break;
      // What a reader would refuse is left out: the guarantees of that whole subtree.
      const QueueId bad = problems.front().queue;
      for (std::size_t q = 1; q < requests.size(); ++q) {
        if (tree.is_ancestor_or_self(bad, QueueId(q))) requests[q].written = false;
      }
    }
    model::finish_tree(tree);
    world_.guarantees.push_back(std::move(requests));
    return tree;
  }

  void make_guarantee(const model::Tree& tree, QueueId q, std::vector<model::Amounts>& left,
                      GuaranteeRequest& request, Rng& rng) {
    const QueueId parent = tree[q].parent;
    const bool whole = chance(rng, 3, 4);
    const bool percent = chance(rng, 1, 6);
    request.written = uses(Part::Guarantees, rng, 2, 3);
    for (std::size_t r = 0; r < request.entries.size(); ++r) {
      const Amount most = left[parent.index()][r];
      Amount value = most > 0 ? rng.between(0, most) : 0;
      if (whole) value -= value % kUnit;
      const bool is_gpu = r == 0;
      const bool named = chance(rng, is_gpu ? 5 : 1, 6);
      if (!request.written || !named) continue;
      request.entries[r] = {GuaranteeEntry::Kind::Absolute, value};
      if (percent && is_gpu) request.entries[r] = {GuaranteeEntry::Kind::Percent, 25'000};
      left[parent.index()][r] -= value;
      left[q.index()][r] = value;
    }
    const bool names_any =
        std::any_of(request.entries.begin(), request.entries.end(),
                    [](const auto& e) { return e.kind != GuaranteeEntry::Kind::Unnamed; });
    request.written = request.written && names_any;
  }

  void make_queue(model::Queue& queue, Rng& rng) {
    queue.limit = some_limit(rng, uses(Part::Limits, rng, 1, 2));
    if (uses(Part::Lend, rng, 1, 3)) queue.lend[0] = pick<Amount>(rng, {0, kUnit, 500, 2 * kUnit});
    const auto weight = pick<std::int64_t>(rng, {0, 1, 500, 1000, 2000, 3000, model::kWeightMax});
    if (uses(Part::Weights, rng, 1, 2)) queue.weight = weight;
    const auto priority = pick<std::int32_t>(rng, {-1, 1, 2});
    if (uses(Part::QueuePriority, rng, 1, 3)) queue.priority = priority;
    if (uses(Part::PriorityScope, rng, 1, 2)) queue.priority_scope = model::PriorityScope::Queue;
    if (uses(Part::UserBlocks, rng, 1, 2)) make_rules(queue, rng);
  }

  void make_rules(model::Queue& queue, Rng& rng) {
    const auto add = [&](const char* name) {
      model::UserRule rule;
      rule.name = name;
      rule.limit = some_limit(rng, chance(rng, 2, 3));
      const auto weight = pick<std::int64_t>(rng, {0, 500, 1000, 2000});
      if (has(Part::Weights)) rule.weight = weight;
      queue.users.push_back(std::move(rule));
    };
    if (chance(rng, 1, 2)) add("");
    for (const std::string& user : scenario().users.names()) {
      if (chance(rng, 1, 3)) add(user.c_str());
    }
  }

  model::Amounts some_limit(Rng& rng, bool is_set) {
    model::Amounts limit(cluster().resources.size());
    for (std::size_t r = 0; r < limit.size(); ++r) {
      limit[r] = model::kUnlimited;
      const Amount value = rng.between(0, cluster().capacity()[r]);
      const bool named = chance(rng, r == 0 ? 3 : 1, 4);
      if (is_set && named) limit[r] = r == 2 ? value : value - value % 500;
    }
    return limit;
  }

  // --- jobs and events
  // ----------------------------------------------------------------------------------

  model::Shape some_shape(Rng& rng) {
    model::Shape shape;
    shape.each = model::Amounts(cluster().resources.size());
    const auto tasks = pick<std::uint32_t>(rng, {1, 2, 3, 4, 6});
    if (uses(Part::Gangs, rng, 1, 2)) shape.tasks = tasks;
    const auto gpus = pick<Amount>(rng, {1, 1, 2, 4}) * kUnit;
    const auto fraction = pick<Amount>(rng, {100, 250, 500, 700, 1500});
    const bool without = uses(Part::CpuMemory, rng, 1, 5);
    shape.each[0] = uses(Part::Fractions, rng, 1, 2) ? fraction : gpus;
    if (without) shape.each[0] = 0;
    const auto cpus = pick<Amount>(rng, {0, 500, 1000, 2000, 4000});
    const auto memory = pick<Amount>(rng, {0, 0, 1024, 4096, 16384});
    if (has(Part::CpuMemory)) {
      shape.each[1] = without ? std::max(cpus, kUnit) : cpus;
      shape.each[2] = memory;
    }
    make_where(shape, rng);
    return shape;
  }

  void make_where(model::Shape& shape, Rng& rng) {
    const auto& labels = cluster().labels.names();
    const std::size_t wanted = rng.below(8);  // more often none than one
    if (wanted >= labels.size()) return;
    shape.where.emplace_back(wanted);
    const std::string& label = labels[wanted];
    if (!label.starts_with("model=")) return;
    const auto part = cluster().resources.find(fmt::format("gpu/{}", label.substr(6)));
    if (part) shape.each[*part] = shape.each[0];
  }

  void make_job(Rng rng) {
    model::JobSpec job;
    const std::size_t id = scenario().jobs.size();
    job.name = fmt::format("j{}", id);
    std::vector<QueueId> leaves;
    const model::Tree& tree = scenario().config.tree;
    for (std::size_t q = 1; q < tree.queues.size(); ++q) {
      if (tree.queues[q].is_leaf()) leaves.emplace_back(q);
    }
    job.queue = leaves[rng.below(leaves.size())];
    job.user = base::UserId(rng.below(scenario().users.size()));
    job.shape = shape_id(some_shape(rng));
    const Millis late =
        10 * kMinute * rng.between(0, 18) + (chance(rng, 1, 8) ? rng.between(1, 60'000) : 0);
    if (uses(Part::LateJobs, rng, 2, 3)) job.submit = late;
    job.work = 10 * kMinute * rng.between(1, 12);
    if (chance(rng, 1, 10)) job.work = rng.between(0, 5 * kMinute);
    const bool forever = chance(rng, 1, 12);
    const auto limit = 10 * kMinute * pick<Millis>(rng, {1, 3, 6, 12, 18});
    if (uses(Part::TimeLimits, rng, 3, 4)) job.limit = limit;
    if (forever) job.work = base::kNever;
    const auto priority = pick<std::int32_t>(rng, {-1, 1, 5});
    if (uses(Part::JobPriority, rng, 1, 2)) job.priority = priority;
    if (uses(Part::Protected, rng, 1, 3)) job.preemptible = false;
    make_habits(job, rng);
    if (uses(Part::Dependencies, rng, 1, 5) && id > 0) job.after.emplace_back(rng.below(id));
    scenario().jobs.push_back(std::move(job));
  }

  // How it saves and leaves.
  void make_habits(model::JobSpec& job, Rng& rng) {
    const auto every = pick<Millis>(rng, {7, 10, 30}) * kMinute;
    const auto takes = pick<Millis>(rng, {0, 1, 3}) * kMinute;
    const auto restart = pick<Millis>(rng, {0, 1, 10}) * kMinute;
    const bool on_notice = chance(rng, 1, 2);
    if (uses(Part::Checkpoints, rng, 1, 2)) job.checkpoint = {every, takes, restart, on_notice};
    const auto stops_in = pick<Millis>(rng, {10 * base::kSecond, kMinute, 10 * kMinute});
    if (uses(Part::StopsIn, rng, 1, 2)) job.stops_in = stops_in;
    if (has(Part::SlowStops)) make_slow_stop(job, rng);
  }

  // It takes its time to leave, and may well be told to.
  void make_slow_stop(model::JobSpec& job, Rng& rng) {
    job.stops_in = 10 * kMinute * pick<Millis>(rng, {0, 1, 4, 6});
    if (!chance(rng, 1, 3)) return;
    codec::ScenarioEvent event;
    event.at = job.submit + 10 * kMinute * rng.between(0, 8);
    event.kind = EventKind::Cancel;
    event.jobs.emplace_back(scenario().jobs.size());
    scenario().events.push_back(std::move(event));
  }

  base::ShapeId shape_id(const model::Shape& shape) {
    auto& shapes = scenario().shapes;
    const auto it = std::find(shapes.begin(), shapes.end(), shape);
    const auto index = static_cast<std::size_t>(it - shapes.begin());
    if (it == shapes.end()) shapes.push_back(shape);
    return base::ShapeId(index);
  }

  void make_event(Rng rng, const model::Tree& bare) {
    codec::ScenarioEvent event;
    event.at =
        10 * kMinute * rng.between(0, 24) + (chance(rng, 1, 4) ? rng.between(1, 600'000) : 0);
    static constexpr std::array<std::pair<EventKind, Part>, 9> kKinds = {{
        {EventKind::Fail, Part::Failures},
        {EventKind::Return, Part::Failures},
        {EventKind::Drain, Part::Drains},
        {EventKind::Resume, Part::Drains},
        {EventKind::Cancel, Part::Cancels},
        {EventKind::Hold, Part::Holds},
        {EventKind::Release, Part::Holds},
        {EventKind::Apply, Part::Applies},
        {EventKind::RestartController, Part::Restarts},
    }};
    const auto& [kind, part] = kKinds[rng.below(kKinds.size())];
    const std::uint64_t target = rng.next();
    if (!has(part)) return;
    event.kind = kind;
    if (part == Part::Failures || part == Part::Drains) {
      event.nodes.emplace_back(target % cluster().nodes.size());
    } else if (part == Part::Cancels || part == Part::Holds) {
      if (scenario().jobs.empty()) return;
      event.jobs.emplace_back(target % scenario().jobs.size());
    } else if (part == Part::Applies) {
      event.config = scenario().configs.size();
      scenario().configs.emplace_back(with_numbers(bare, Rng(target)), some_policy(rng));
    }
    scenario().events.push_back(std::move(event));
  }

  const WorldSeed& seed_;
  World world_;
};

}  // namespace

rc::Gen<WorldSeed> some_seed() {
  const auto all_parts = [](const std::array<bool, kPartsDrawn>& drawn) {
    std::array<bool, kParts> uses{};
    std::copy(drawn.begin(), drawn.end(), uses.begin());
    return uses;
  };
  const auto fixed = [](std::uint64_t bound) {
    return rc::gen::noShrink(
        rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint64_t>(0, bound)));
  };
  const auto list = [fixed](int most) {
    const auto one = rc::gen::map(fixed(std::uint64_t{1} << 31U),
                                  [](std::uint64_t v) { return static_cast<std::uint32_t>(v); });
    return rc::gen::resize(most, rc::gen::container<std::vector<std::uint32_t>>(one));
  };
  const auto count = [](std::uint32_t most) {
    return rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint32_t>(1, most + 1));
  };
  return rc::gen::build<WorldSeed>(
      rc::gen::set(&WorldSeed::rest, fixed(std::uint64_t{1} << 62U)),
      rc::gen::set(&WorldSeed::nodes, count(6)), rc::gen::set(&WorldSeed::queues, count(8)),
      rc::gen::set(&WorldSeed::uses,
                   rc::gen::map(rc::gen::arbitrary<std::array<bool, kPartsDrawn>>(), all_parts)),
      rc::gen::set(&WorldSeed::jobs, list(40)), rc::gen::set(&WorldSeed::events, list(16)));
}

World make_world(const WorldSeed& seed) { return Maker(seed).make(); }

// --- running a world
// ------------------------------------------------------------------------------------

sim::Simulator simulator_of(const World& world, std::vector<sim::Outside> outside) {
  return {sim::initial_state(world.scenario), world.scenario.jobs, std::move(outside),
          [](const model::State& state) { return reloaded(state); }};
}

sim::Simulator simulator_of(const World& world) {
  return simulator_of(world, sim::outside_of(world.scenario));
}

std::string decisions_of(const World& world) {
  DecisionLog log;
  sim::Simulator sim = simulator_of(world);
  sim.watch(&log);
  sim.run_until(kHorizon);
  return log.with_jobs(sim.engine());
}

}  // namespace stint::property
