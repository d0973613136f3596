// One moment of a decision: who holds what, counted from the runs; whose turn it is; where it fits.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/fraction.h"
#include "model/state.h"

namespace stint::differential {

using base::Fraction;
using base::JobId;
using base::Millis;
using base::QueueId;
using base::UserId;
using model::Account;
using model::Amount;
using model::Amounts;

struct Scene {
  Scene(const model::State& before, Millis at);
  void start(JobId job, model::Placement placement);

  [[nodiscard]] const model::JobAsk& spec(JobId job) const { return state.jobs[job.index()].spec; }
  [[nodiscard]] const model::Shape& shape(JobId job) const {
    return state.shapes[spec(job).shape.index()];
  }
  // The larger reading (DESIGN §5.1).
  [[nodiscard]] static Amount usage(const Account& of, std::size_t r) {
    return std::max(of.now[r], of.after[r]);
  }
  // The plain share, of who is guaranteed that much at that queue.
  [[nodiscard]] Fraction share(const Account& of, const Amounts& guarantee, QueueId q) const;
  [[nodiscard]] Fraction share(QueueId q) const {
    return share(queues[q.index()], guarantees[q.index()], q);
  }
  [[nodiscard]] Amounts all_of_it() const;  // no bound

  const model::State& state;
  Millis now;
  std::vector<model::Run> runs;
  std::vector<JobId> waiting;  // what could be tried: neither held nor hopeless, dependencies met
  std::vector<Account> queues;
  std::map<std::pair<QueueId, UserId>, Account> users;  // in the subtree of the queue
  std::vector<model::NodeState> nodes;
  std::vector<Amounts> guarantees;
  Amounts healthy;
  Amounts free;
  std::uint64_t serial;

 private:
  void scale_guarantees();
  void recount();
};

// The job of `untried` that is offered capacity next; none if none is left.
[[nodiscard]] JobId next_in_turn(const Scene& scene, const std::vector<JobId>& untried);

// Where the job would go; of each gpu model no more than `room`.
[[nodiscard]] std::optional<model::Placement> place(const Scene& scene, const model::Shape& shape,
                                                    Amounts room);

// `each` as it counts on the node: GPUs also as its model.
[[nodiscard]] Amounts each_on(const model::State& state, const model::Shape& shape, base::NodeId n);

}  // namespace stint::differential
