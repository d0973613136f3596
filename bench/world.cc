#include "world.h"

#include <variant>

#include "base/amount.h"
#include "base/assert.h"

namespace stint::bench {

namespace {

constexpr std::int64_t kCpusPerGpu = 12;
constexpr std::int64_t kMemoryPerGpu = 120 * 1024;  // MiB

// What `gpus` GPUs and their part of a node's cpu and memory come to.
model::Amounts amounts_of(const model::Resources& resources, std::int64_t gpus) {
  model::Amounts amounts(resources.size());
  amounts[*resources.find("gpu")] = gpus * base::kUnit;
  amounts[*resources.find("cpu")] = gpus * kCpusPerGpu * base::kUnit;
  amounts[*resources.find("memory")] = gpus * kMemoryPerGpu;
  return amounts;
}

model::Cluster make_cluster(const Size& size) {
  model::Cluster cluster;
  for (const char* name : {"cpu", "memory", "gpu"}) cluster.resources.intern(name);
  for (std::int64_t n = 0; n < size.nodes; ++n) {
    model::Node node;
    node.name = "n" + std::to_string(n + 1);
    node.has = amounts_of(cluster.resources, kGpusPerNode);
    cluster.nodes.push_back(std::move(node));
  }
  return cluster;
}

// A queue below the root: guaranteed its part of the machine, limited to twice as much.
void give_quota(model::Queue& queue, const Size& size, const model::Resources& resources,
                std::uint32_t parts) {
  if (!size.guarantees) return;
  queue.guarantee = amounts_of(resources, size.nodes * kGpusPerNode / std::int64_t{parts});
  queue.limit = queue.guarantee * 2;
  queue.counts.assign(resources.size(), true);
}

model::Tree make_tree(const Size& size, const model::Resources& resources) {
  model::Tree tree = model::empty_tree(resources.size());
  std::vector<model::QueueId> parents;
  for (std::uint32_t d = 0; d < size.departments; ++d) {
    parents.push_back(
        model::add_queue(tree, model::Tree::root(), "d" + std::to_string(d + 1), resources.size()));
    give_quota(tree[parents.back()], size, resources, size.departments);
  }
  if (parents.empty()) parents.push_back(model::Tree::root());
  for (std::uint32_t q = 0; q < size.queues; ++q) {
    const auto id = model::add_queue(tree, parents[q % parents.size()], "q" + std::to_string(q + 1),
                                     resources.size());
    tree[id].weight = (1 + std::int64_t{q} % 4) * model::kWeightOne;
    if (size.departments == 0) give_quota(tree[id], size, resources, size.queues);
  }
  model::finish_tree(tree);
  return tree;
}

engine::State make_state(const Size& size) {
  model::Cluster cluster = make_cluster(size);
  model::Tree tree = make_tree(size, cluster.resources);
  return model::make_state(std::move(cluster), std::move(tree), model::Policy{});
}

}  // namespace

World::World(const Size& size) : size_(size), engine_(make_state(size)) {
  const model::Resources& resources = state().cluster.resources;
  gpu_ = *resources.gpu();
  gpus_ = state().healthy[gpu_];
  for (std::size_t q = 1; q < state().tree.queues.size(); ++q) {
    if (state().tree.queues[q].is_leaf()) leaves_.emplace_back(q);
  }
  for (std::uint32_t u = 0; u < size.users * size.queues; ++u) {
    users_.push_back(engine_.user_id("u" + std::to_string(u + 1)));
  }
  for (std::int64_t gpus = 0; gpus <= kGpusPerNode; ++gpus) {
    model::Shape shape;
    shape.each = amounts_of(resources, gpus);
    shapes_.push_back(engine_.shape_id(shape));
  }
}

void World::submit() {
  const std::size_t tenant = rng_.below(users_.size());
  submit(tenant, rng_.between(size_.gpus_least, size_.gpus_most));
}

void World::submit(std::size_t tenant, std::int64_t gpus) {
  const JobId id(state().jobs.size());
  engine_.apply(now_, engine::JobAdded{spec_of(tenant, gpus), id});
  engine_.apply(now_, engine::JobSubmitted{id});
}

model::JobSpec World::spec_of(std::size_t tenant, std::int64_t gpus) const {
  model::JobSpec spec;
  spec.queue = leaves_[tenant % leaves_.size()];
  spec.user = users_[tenant];
  spec.shape = shapes_[static_cast<std::size_t>(gpus)];
  spec.submit = now_;
  spec.work = base::kHour;
  spec.limit = 2 * base::kHour;
  return spec;
}

void World::end_one() {
  const JobId job = state().runs[rng_.below(state().runs.size())].job;
  engine_.apply(now_, engine::RunEnded{job});
  engine_.forget(job);
}

std::size_t World::decide() { return engine_.decide(now_).size(); }

bool World::is_above(std::int64_t milli) const {
  return (gpus_ - state().free[gpu_]) * 1000 > gpus_ * milli;
}

void World::fill(std::int64_t milli) {
  while (!is_above(milli)) {
    submit();
    decide();
    STINT_ASSERT(waiting() == 0);  // below nine tenths there is room for everybody
    let_pass(100);
  }
}

void World::crowd(std::uint32_t jobs) {
  while (waiting() < jobs) {
    while (waiting() < jobs) submit();
    decide();
  }
}

}  // namespace stint::bench
