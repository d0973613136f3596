// A small world for unit tests: one resource vector, one node, queues by path.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "model/state.h"

namespace stint::engine {

class TestWorld {
 public:
  // Nodes `n1`, `n2` … all with the same amounts (base units), in the order of `resources`.
  TestWorld(std::vector<std::string> resources, std::vector<model::Amount> has,
            std::size_t nodes = 1) {
    model::Cluster cluster;
    for (const std::string& name : resources) cluster.resources.intern(name);
    for (std::size_t n = 0; n < nodes; ++n) {
      model::Node node;
      node.name = "n" + std::to_string(n + 1);
      node.has = amounts(has, resources.size());
      cluster.nodes.push_back(node);
    }
    tree = model::empty_tree(resources.size());
    state = model::make_state(cluster, tree, policy);
    policy.history = 0;
  }

  static model::Amounts amounts(const std::vector<model::Amount>& values, std::size_t size) {
    model::Amounts result(size);
    for (std::size_t r = 0; r < values.size(); ++r) result[r] = values[r];
    return result;
  }
  [[nodiscard]] model::Amounts amounts(const std::vector<model::Amount>& values) const {
    return amounts(values, state.cluster.resources.size());
  }

  // A queue below `parent` (the root if none); configure it through `tree` before engine().
  model::QueueId queue(const std::string& name, model::QueueId parent = model::Tree::root()) {
    return model::add_queue(tree, parent, name, state.cluster.resources.size());
  }

  // State with the tree and policy as they stand.
  State& finish() {
    model::finish_tree(tree);
    state = model::make_state(std::move(state.cluster), tree, policy);
    return state;
  }

  // An engine of that State, without jobs.
  Engine engine() { return Engine(finish()); }

  model::Policy policy;
  model::Tree tree;
  State state;
};

// What a test says of a job; the rest is default.
struct TestJob {
  std::string name;
  model::QueueId queue;
  std::string user = "u";
  std::vector<model::Amount> each{};
  std::uint32_t tasks = 1;
  Millis limit = base::kNever;
  bool preemptible = true;
  std::int32_t priority = 0;
};

// Adds and submits the job at the engine's present time; returns its id.
inline JobId submit(Engine& engine, const TestJob& job) {
  model::Shape shape;
  shape.tasks = job.tasks;
  shape.each = TestWorld::amounts(job.each, engine.state().cluster.resources.size());
  model::JobSpec spec;
  spec.name = job.name;
  spec.queue = job.queue;
  spec.user = engine.user_id(job.user);
  spec.shape = engine.shape_id(shape);
  spec.submit = engine.state().now;
  spec.limit = job.limit;
  spec.preemptible = job.preemptible;
  spec.priority = job.priority;
  const JobId id(engine.state().jobs.size());
  engine.apply(engine.state().now, JobAdded{spec, id});
  engine.apply(engine.state().now, JobSubmitted{id});
  return id;
}

// Names of the jobs that start now, in order.
inline std::vector<std::string> starts(Engine& engine, Millis now) {
  std::vector<std::string> names;
  for (const Decision& decision : engine.decide(now)) {
    if (const auto* start = std::get_if<Start>(&decision)) {
      names.push_back(model::job_name(engine.state(), start->job));
    }
  }
  return names;
}

}  // namespace stint::engine
