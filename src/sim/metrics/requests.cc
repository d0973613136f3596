#include "sim/metrics/requests.h"

#include <algorithm>

#include "engine/turn/share.h"
#include "sim/metrics/formulas.h"

namespace stint::sim {

using engine::State;

Millis Latencies::percentile(double percent) const {
  std::vector<Millis> sorted = others;
  std::sort(sorted.begin(), sorted.end());
  return nearest_rank_after(zeros, sorted, percent);
}

// The nearest queue with a guarantee; none if there is none.
QueueId Requests::owner_of(const State& state, QueueId leaf) const {
  for (QueueId q = leaf; q.valid() && q != model::Tree::root(); q = state.tree[q].parent) {
    if (state.guarantees[q.index()][main_] > 0) return q;
  }
  return {};
}

void Requests::telling(const engine::Engine& engine, const engine::Event& fact) {
  if (const auto* submitted = std::get_if<engine::JobSubmitted>(&fact)) {
    const QueueId leaf = engine.state().jobs[submitted->job].spec.queue;
    waiting_before_ = engine.waiting()[leaf.index()].jobs;
  } else if (const auto* held = std::get_if<engine::JobHeld>(&fact)) {
    drop(engine, held->job);
  }
}

void Requests::submitted(const engine::Engine& engine, JobId job) {
  const State& state = engine.state();
  const model::JobAsk& ask = state.jobs[job].spec;
  // Held, waiting for others, or never to start: no request.
  if (engine.waiting()[ask.queue.index()].jobs == waiting_before_) return;
  const QueueId id = owner_of(state, ask.queue);
  if (!id.valid()) return;
  Owner& owner = owners_[id];
  if (owner.asked.size() == 0) owner.asked = model::Amounts(state.cluster.resources.size());
  const model::Amounts total = state.shapes[ask.shape.index()].total();
  model::Amounts asked = total;
  for (std::size_t r = 0; r < total.size(); ++r) asked[r] += total[r] > 0 ? owner.asked[r] : 0;
  if (total[main_] == 0 || !engine::is_within(state, id, asked)) return;
  const auto before =
      owner.waiting.empty() ? std::nullopt : std::optional(owner.waiting.begin()->first);
  owner.asked += total;
  owner.waiting.emplace(state.now, job);
  open_.emplace(job, Open{id, state.now});
  move_oldest(id, owner, before);
}

// The owner's oldest request is another than `before`, perhaps.
void Requests::move_oldest(QueueId owner, const Owner& of, std::optional<Millis> before) {
  const auto now = of.waiting.empty() ? std::nullopt : std::optional(of.waiting.begin()->first);
  if (now == before) return;
  if (before) oldest_.erase({*before, owner});
  if (now) oldest_.emplace(*now, owner);
}

void Requests::drop(const engine::Engine& engine, JobId job) {
  const auto open = open_.find(job);
  if (open == open_.end()) return;
  const State& state = engine.state();
  Owner& owner = owners_[open->second.owner];
  const Millis before = owner.waiting.begin()->first;
  owner.asked -= state.shapes[state.jobs[job].spec.shape.index()].total();
  owner.waiting.erase({open->second.since, job});
  move_oldest(open->second.owner, owner, before);
  open_.erase(open);
}

void Requests::started(const engine::Engine& engine, JobId job) {
  const State& state = engine.state();
  if (const auto open = open_.find(job); open != open_.end()) {
    owners_[open->second.owner].latencies.add(state.now - open->second.since);
    drop(engine, job);
    return;
  }
  if (oldest_.empty()) return;
  const QueueId leaf = state.jobs[job].spec.queue;
  const QueueId owner = owner_of(state, leaf);
  const bool borrows = !owner.valid() || state.queues[owner.index()].now[main_] >
                                             state.guarantees[owner.index()][main_];
  if (borrows) borrowers_.push_back(owner.valid() ? owner : leaf);
}

// Requests that start at the same instant as a borrower were not passed over.
void Requests::instant_ends(const engine::Engine& engine) {
  const State& state = engine.state();
  for (const QueueId borrower : borrowers_) {
    for (const auto& [since, owner] : oldest_) {
      // Whose turn it is inside one queue is its own business.
      if (state.tree.is_ancestor_or_self(owner, borrower)) continue;
      if (state.tree.is_ancestor_or_self(borrower, owner)) continue;
      starvation_ = std::max(starvation_, state.now - since);
      break;
    }
  }
  borrowers_.clear();
}

std::map<QueueId, Latencies> Requests::latencies(const engine::Engine& engine) const {
  std::map<QueueId, Latencies> all;
  for (const auto& [id, owner] : owners_) {
    all[id] = owner.latencies;
    for (const auto& [since, job] : owner.waiting) all[id].add(engine.state().now - since);
  }
  return all;
}

}  // namespace stint::sim
