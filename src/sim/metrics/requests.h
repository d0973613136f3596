// Requests of owners: jobs that their queue's guarantee covers when they are submitted, and how
// long the owner waits for what was promised (oracles §8: reclaim latency, starvation).
//
// The owner is the nearest queue with a guarantee on the job's path. A request is covered if what
// the owner's runs hold, its earlier requests that still wait, and the job fit into the guarantee
// together. Latency is the span until all tasks of the job run (a gang starts whole). A request
// that is cancelled or held, or leaves, is none any more; a job that waits for others to end is
// none.
//
// Costs one step of a small ordered map per request; nothing is walked.
//
// Threads  one owner.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "engine/engine.h"

namespace stint::sim {

using base::JobId;
using base::Millis;
using base::QueueId;

// Spans of which most are 0.
struct Latencies {
  std::uint64_t zeros = 0;
  std::vector<Millis> others;

  void add(Millis span) { span == 0 ? void(++zeros) : others.push_back(span); }
  [[nodiscard]] std::uint64_t count() const { return zeros + others.size(); }
  // Nearest rank; 100 = the longest. 0 where there is none.
  [[nodiscard]] Millis percentile(double percent) const;
};

class Requests {
 public:
  explicit Requests(base::ResourceId main) : main_(main) {}

  // Before the engine is told: it knows then whether a submission makes a candidate.
  void telling(const engine::Engine& engine, const engine::Event& fact);
  void submitted(const engine::Engine& engine, JobId job);
  void started(const engine::Engine& engine, JobId job);
  // The job is over, or wants to start no more.
  void drop(const engine::Engine& engine, JobId job);
  void instant_ends(const engine::Engine& engine);

  // By owner; those that wait still count with their wait so far.
  [[nodiscard]] std::map<QueueId, Latencies> latencies(const engine::Engine& engine) const;
  // The longest that a request had waited when a job that borrows was started elsewhere.
  [[nodiscard]] Millis starvation() const { return starvation_; }

 private:
  struct Open {
    QueueId owner;
    Millis since = 0;
  };
  struct Owner {
    model::Amounts asked;                        // by the requests that wait
    std::set<std::pair<Millis, JobId>> waiting;  // oldest first
    Latencies latencies;
  };

  [[nodiscard]] QueueId owner_of(const engine::State& state, QueueId leaf) const;
  void move_oldest(QueueId owner, const Owner& of, std::optional<Millis> before);

  base::ResourceId main_;
  std::uint32_t waiting_before_ = 0;  // candidates in the leaf of the job that is being submitted
  std::map<JobId, Open> open_;
  std::map<QueueId, Owner> owners_;
  std::set<std::pair<Millis, QueueId>> oldest_;  // of each owner that waits
  std::vector<QueueId> borrowers_;               // owners (or leaves) that borrowed in this instant
  Millis starvation_ = 0;
};

}  // namespace stint::sim
