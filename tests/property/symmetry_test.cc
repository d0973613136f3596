// What must not matter: names, as long as their order stays; the order in which queues, users and
// shapes are declared; the order of simultaneous submissions to different queues (F2); and which
// run of the program it is (F3).
#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "claims.h"
#include "world.h"

namespace stint::property {
namespace {

using base::JobId;
using base::QueueId;
using base::Rng;
using codec::Scenario;

// Another name in the same order of bytes: every byte becomes two.
std::string renamed(const std::string& name) {
  std::string text;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    text += static_cast<char>('C' + byte / 16);
    text += static_cast<char>('m' + byte % 16);
  }
  return text;
}

std::vector<std::uint32_t> in_order(std::size_t count) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  return order;
}

std::vector<std::uint32_t> shuffled(std::size_t count, Rng& rng) {
  std::vector<std::uint32_t> order = in_order(count);
  rng.shuffle(std::span<std::uint32_t>(order));
  return order;
}

// A new number for every queue, parents before children.
std::vector<std::uint32_t> shuffled_queues(const model::Tree& tree, Rng& rng) {
  std::vector<std::uint32_t> number(tree.queues.size(), 0);
  std::vector<QueueId> ready = tree[model::Tree::root()].children;
  for (std::uint32_t next = 1; !ready.empty(); ++next) {
    const std::size_t chosen = rng.below(ready.size());
    const QueueId queue = ready[chosen];
    ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(chosen));
    number[queue.index()] = next;
    ready.insert(ready.end(), tree[queue].children.begin(), tree[queue].children.end());
  }
  return number;
}

void rename_tree(model::Tree& tree) {
  for (std::size_t q = 1; q < tree.queues.size(); ++q) {
    model::Queue& queue = tree.queues[q];
    queue.name = renamed(queue.name);
    const std::string& above = tree[queue.parent].path;
    queue.path = above.empty() ? queue.name : fmt::format("{}/{}", above, queue.name);
    for (model::UserRule& rule : queue.users) rule.name = renamed(rule.name);
  }
  model::finish_tree(tree);
}

model::Tree renumbered(const model::Tree& tree, const std::vector<std::uint32_t>& number) {
  model::Tree other = tree;
  for (std::size_t q = 0; q < number.size(); ++q) {
    model::Queue queue = tree.queues[q];
    if (queue.parent.valid()) queue.parent = QueueId(number[queue.parent.index()]);
    for (QueueId& child : queue.children) child = QueueId(number[child.index()]);
    other.queues[number[q]] = std::move(queue);
  }
  return other;
}

World with_other_names(const World& world) {
  World other = world;
  Scenario& scenario = other.scenario;
  rename_tree(scenario.config.tree);
  for (auto& config : scenario.configs) rename_tree(config.first);
  scenario.users = base::StringIndex();
  for (const std::string& name : world.scenario.users.names()) scenario.users.intern(renamed(name));
  for (model::Node& node : scenario.config.cluster.nodes) node.name = renamed(node.name);
  for (model::JobSpec& job : scenario.jobs) job.name = renamed(job.name);
  return other;
}

// The same world, its queues, users and shapes declared in another order.
World with_other_ids(const World& world, Rng& rng) {
  World other = world;
  Scenario& scenario = other.scenario;
  const auto queue = shuffled_queues(scenario.config.tree, rng);
  const auto user_order = shuffled(scenario.users.size(), rng);
  const auto shape = shuffled(scenario.shapes.size(), rng);
  scenario.config.tree = renumbered(scenario.config.tree, queue);
  for (auto& config : scenario.configs) config.first = renumbered(config.first, queue);
  scenario.users = base::StringIndex();
  for (const std::uint32_t user : user_order)
    scenario.users.intern(world.scenario.users.name(user));
  for (std::size_t s = 0; s < shape.size(); ++s)
    scenario.shapes[shape[s]] = world.scenario.shapes[s];
  for (model::JobSpec& job : scenario.jobs) {
    job.queue = QueueId(queue[job.queue.index()]);
    job.user = base::UserId(*scenario.users.find(world.scenario.users.name(job.user.value)));
    job.shape = base::ShapeId(shape[job.shape.index()]);
  }
  return other;
}

// A permutation of the jobs that keeps those of one queue in their order: at[k] is the k-th job's
// old index.
std::vector<std::uint32_t> interleaved(const Scenario& scenario, Rng& rng) {
  std::vector<std::uint32_t> slots = shuffled(scenario.jobs.size(), rng);
  std::vector<std::uint32_t> at(slots.size());
  for (std::size_t q = 0; q < scenario.config.tree.queues.size(); ++q) {
    std::vector<std::uint32_t> mine;
    std::vector<std::uint32_t> places;
    for (std::uint32_t j = 0; j < slots.size(); ++j) {
      if (scenario.jobs[j].queue != QueueId(q)) continue;
      mine.push_back(j);
      places.push_back(slots[j]);
    }
    std::sort(places.begin(), places.end());
    for (std::size_t i = 0; i < mine.size(); ++i) at[places[i]] = mine[i];
  }
  return at;
}

World with_jobs_at(const World& world, const std::vector<std::uint32_t>& at) {
  World other = world;
  std::vector<std::uint32_t> place(at.size());
  for (std::uint32_t k = 0; k < at.size(); ++k) place[at[k]] = k;
  const auto move = [&](JobId& id) { id = JobId(place[id.index()]); };
  for (std::size_t k = 0; k < at.size(); ++k) {
    model::JobSpec& job = other.scenario.jobs[k];
    job = world.scenario.jobs[at[k]];
    std::for_each(job.after.begin(), job.after.end(), move);
  }
  for (codec::ScenarioEvent& event : other.scenario.events) {
    std::for_each(event.jobs.begin(), event.jobs.end(), move);
  }
  return other;
}

std::string decisions_named(const World& world, const std::vector<std::uint32_t>& original) {
  DecisionLog log(original);
  sim::Simulator sim = simulator_of(world);
  sim.watch(&log);
  sim.run_until(kHorizon);
  return log.with_jobs(sim.engine());
}

std::uint64_t digest_of_run(const World& world) {
  sim::Simulator sim = simulator_of(world);
  sim.run_until(kHorizon);
  return model::digest_of(sim.engine().state()).value();
}

void assert_same(const std::string& one, const std::string& other) {
  if (one != other) RC_LOG() << "one:\n" << one << "other:\n" << other;
  RC_ASSERT(one == other);
}

TEST(Symmetry, OtherNamesInTheSameOrderChangeNothing) {
  holds("renaming", [] {
    const World world = make_world(*some_seed());
    show(world);
    const World other = with_other_names(world);
    assert_same(decisions_of(world), decisions_of(other));
    RC_ASSERT(digest_of_run(world) == digest_of_run(other));
  });
}

TEST(Symmetry, TheOrderOfDeclarationChangesNothing) {  // F3
  holds("declaration order", [] {
    const World world = make_world(*some_seed());
    show(world);
    Rng rng(*rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>()));
    assert_same(decisions_of(world), decisions_of(with_other_ids(world, rng)));
  });
}

TEST(Symmetry, SimultaneousSubmissionsToDifferentQueuesMayComeInAnyOrder) {  // F2
  std::size_t moved = 0;
  holds("permuted submissions", [&] {
    WorldSeed seed = *some_seed();
    // The listed orders go by submission, across queues.
    seed.uses[static_cast<std::size_t>(Part::OtherOrder)] = false;
    const World world = make_world(seed);
    show(world);
    Rng rng(*rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>()));
    const std::vector<std::uint32_t> at = interleaved(world.scenario, rng);
    if (at != in_order(at.size())) ++moved;
    for (const std::uint32_t j : at) RC_LOG() << 'j' << j << ' ';
    RC_LOG() << '\n';
    assert_same(decisions_of(world), decisions_named(with_jobs_at(world, at), at));
  });
  EXPECT_GT(moved, std::size_t{kWorlds} / 2);
}

// A full world: 40 jobs, 16 events, everything switched on.
WorldSeed full_seed(std::uint64_t number) {
  Rng rng(number);
  WorldSeed seed;
  seed.rest = rng.next();
  seed.nodes = 6;
  seed.queues = 8;
  seed.uses.fill(true);
  for (int j = 0; j < 40; ++j)
    seed.jobs.push_back(static_cast<std::uint32_t>(rng.below(1U << 30U)));
  for (int e = 0; e < 16; ++e)
    seed.events.push_back(static_cast<std::uint32_t>(rng.below(1U << 30U)));
  return seed;
}

TEST(Symmetry, AHundredRunsOfOneWorldGiveTheSameBytes) {  // F3
  for (std::uint64_t number = 1; number <= 10; ++number) {
    const World world = make_world(full_seed(number));
    const std::string first = decisions_of(world);
    EXPECT_GT(first.size(), 2000U) << text_of(world);
    for (int i = 1; i < 100; ++i) ASSERT_EQ(decisions_of(world), first) << "run " << i;
  }
}

TEST(Symmetry, EveryWorldRunTwiceGivesTheSameBytes) {
  holds("re-runs", [] {
    const World world = make_world(*some_seed());
    assert_same(decisions_of(world), decisions_of(world));
  });
}

}  // namespace
}  // namespace stint::property
