#include "sim/metrics/collector.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/turn/account.h"
#include "engine/turn/share.h"
#include "sim/metrics/formulas.h"

namespace stint::sim {

namespace {

using engine::State;
using model::Amount;
using model::Amounts;
using model::QueueId;

double number(base::Fraction f) { return static_cast<double>(f.num) / static_cast<double>(f.den); }

// Entitlements of the leaves, level by level from the root.
void entitle(const engine::Engine& engine, base::ResourceId main, QueueId queue, double total,
             std::vector<double>& entitled) {
  const State& state = engine.state();
  const auto& children = state.tree[queue].children;
  std::vector<Claimant> claimants;
  for (const QueueId child : children) {
    const double held = static_cast<double>(state.queues[child.index()].now[main]);
    const double waits = static_cast<double>(engine.waiting()[child.index()].asks[main]);
    claimants.push_back({static_cast<double>(state.guarantees[child.index()][main]),
                         static_cast<double>(state.tree[child].weight), held + waits,
                         static_cast<double>(state.tree[child].limit[main])});
  }
  const std::vector<double> given = entitlements(total, claimants);
  for (std::size_t i = 0; i < children.size(); ++i) {
    entitled[children[i].index()] = given[i];
    if (!state.tree[children[i]].is_leaf()) entitle(engine, main, children[i], given[i], entitled);
  }
}

struct Waits {
  std::vector<Millis> waits;
  double slowdown = 0;
  std::uint64_t jobs = 0;
};

void fill_waits(QueueSummary& out, Waits& waits) {
  std::sort(waits.waits.begin(), waits.waits.end());
  const auto seconds = [&](double percent) {
    return static_cast<double>(nearest_rank(waits.waits, percent)) / 1000.0;
  };
  out.jobs = waits.jobs;
  out.started = waits.waits.size();
  out.wait_mean_s = mean(waits.waits) / 1000.0;
  out.wait_p50_s = seconds(50);
  out.wait_p95_s = seconds(95);
  out.wait_p99_s = seconds(99);
  if (!waits.waits.empty())
    out.slowdown_mean = waits.slowdown / static_cast<double>(waits.waits.size());
}

// True length of what the job did: its work, cut at its limit; time held if it is still running.
Millis run_length(const State& state, const model::Job& job) {
  if (job.end != base::kNever) return job.end - job.first_start;
  return state.now - job.first_start;
}

}  // namespace

base::ResourceId main_resource(const model::Cluster& cluster) {
  const Amounts capacity = cluster.capacity();
  for (const char* name : {"gpu", "cpu"}) {
    const auto id = cluster.resources.find(name);
    if (id && capacity[*id] > 0) return *id;
  }
  return base::ResourceId(0U);
}

Collector::Collector(const State& state)
    : main_(main_resource(state.cluster)), sums_(state.queues.size()) {}

void Collector::write_timeline(TextSink sink, Millis step) {
  timeline_ = std::move(sink);
  step_ = step;
  timeline_("t_s,queue,holds_gpu,borrows_gpu,waiting_jobs,waiting_gpu,share,past\n");
}

void Collector::time_passes(const engine::Engine& engine, Millis next) {
  const State& state = engine.state();
  for (; timeline_ && next_sample_ < next; next_sample_ += step_) {
    if (next_sample_ >= state.now) write_rows(engine, next_sample_);
  }
  if (!first_) return;  // nothing was submitted yet
  const Millis span = next - state.now;
  sums_.resize(state.queues.size());
  for (std::size_t q = 0; q < sums_.size(); ++q) {
    const Amount held = state.queues[q].now[main_];
    const Amount guarantee = state.guarantees[q][main_];
    const Amount demand = held + engine.waiting()[q].asks[main_];
    sums_[q].held += base::i128{held} * span;
    sums_[q].borrowed += base::i128{std::max<Amount>(0, held - guarantee)} * span;
    sums_[q].violation += base::i128{violation(guarantee, demand, held)} * span;
    if (q > 0 && held > 0) {
      sums_[q].share += number(engine::queue_share(state, QueueId(q))) * static_cast<double>(span);
    }
  }
  available_ += base::i128{state.healthy[main_]} * span;
  span_ += static_cast<double>(span);
  add_lent(state, static_cast<double>(span));
  add_jain(engine, static_cast<double>(span));
}

// What is borrowed beyond the capacity that nobody is guaranteed is lent by those whose guarantee
// is idle, in proportion to it.
void Collector::add_lent(const State& state, double span) {
  double promised = 0;
  double borrowed = 0;
  double idle = 0;
  const auto& roots = state.tree[model::Tree::root()].children;
  for (const QueueId q : roots) {
    const Amount guarantee = state.guarantees[q.index()][main_];
    const Amount held = state.queues[q.index()].now[main_];
    promised += static_cast<double>(guarantee);
    borrowed += static_cast<double>(std::max<Amount>(0, held - guarantee));
    idle += static_cast<double>(std::max<Amount>(0, guarantee - held));
  }
  const double lent = borrowed - (static_cast<double>(state.healthy[main_]) - promised);
  if (lent <= 0 || idle <= 0) return;
  for (const QueueId q : roots) {
    const Amount unused = state.guarantees[q.index()][main_] - state.queues[q.index()].now[main_];
    if (unused > 0)
      sums_[q.index()].lent += span * std::min(lent, idle) * static_cast<double>(unused) / idle;
  }
}

void Collector::add_jain(const engine::Engine& engine, double span) {
  const State& state = engine.state();
  std::vector<QueueId> backlogged;
  for (std::size_t q = 1; q < state.queues.size(); ++q) {
    if (state.tree.queues[q].is_leaf() && engine.waiting()[q].asks[main_] > 0) {
      backlogged.push_back(QueueId(q));
    }
  }
  if (backlogged.size() < 2) return;
  std::vector<double> entitled(state.queues.size());
  entitle(engine, main_, model::Tree::root(), static_cast<double>(state.healthy[main_]), entitled);
  std::vector<double> ratios;
  for (const QueueId q : backlogged) {
    if (entitled[q.index()] <= 0) continue;
    ratios.push_back(static_cast<double>(state.queues[q.index()].now[main_]) / entitled[q.index()]);
  }
  if (ratios.size() < 2) return;
  jain_sum_ += span * jain_index(ratios);
  jain_span_ += span;
}

void Collector::instant_ends(const engine::Engine& engine) {
  const State& state = engine.state();
  if (!first_) {
    first_ = state.now;
    next_sample_ = step_ > 0 ? (state.now + step_ - 1) / step_ * step_ : 0;
  }
}

void Collector::write_rows(const engine::Engine& engine, Millis t) const {
  const State& state = engine.state();
  for (std::size_t q = 1; q < state.queues.size(); ++q) {
    const Amount held = state.queues[q].now[main_];
    const Amount over = std::max<Amount>(0, held - state.guarantees[q][main_]);
    const double past =
        static_cast<double>(engine::queue_past_q32(state, QueueId(q), t)) / 4294967296.0;
    timeline_(fmt::format("{},{},{},{},{},{},{:.6f},{:.6f}\n", base::format_decimal(t, 3),
                          state.tree.queues[q].path, base::format_count(held),
                          base::format_count(over), engine.waiting()[q].jobs,
                          base::format_count(engine.waiting()[q].asks[main_]),
                          number(engine::queue_share(state, QueueId(q))), past));
  }
}

Summary Collector::summary(const engine::Engine& engine) const {
  const State& state = engine.state();
  Summary summary;
  summary.main = state.cluster.resources.size() > 0 ? state.cluster.resources.name(main_) : "gpu";
  summary.capacity = state.cluster.capacity()[main_];
  std::vector<Waits> waits(state.queues.size());
  Millis last_end = 0;
  Millis first_submit = base::kNever;
  for (const model::Job& job : state.jobs) {
    if (job.state == model::JobState::Future) continue;
    ++summary.jobs;
    first_submit = std::min(first_submit, job.spec.submit);
    if (job.state == model::JobState::Timeout) ++summary.timed_out;
    const bool over = job.end != base::kNever;
    if (over) last_end = std::max(last_end, job.end);
    const bool is_running = job.state == model::JobState::Running;
    const bool waits_still = job.state == model::JobState::Waiting;
    const bool impossible =
        waits_still && (job.spec.impossible || !engine.fits_machine(job.spec.shape));
    if (impossible) ++summary.impossible;
    if (is_running || (waits_still && !impossible)) ++summary.unfinished;
    const bool started = job.first_start != base::kNever;
    const Millis wait = started ? job.first_start - job.spec.submit : 0;
    if (started && wait > 0) ++summary.waited;
    for (QueueId q = job.spec.queue; q.valid(); q = state.tree[q].parent) {
      Waits& at = waits[q.index()];
      ++at.jobs;
      if (!started) continue;
      at.waits.push_back(wait);
      at.slowdown += bounded_slowdown(wait, run_length(state, job));
    }
  }
  summary.first_submit = first_submit == base::kNever ? 0 : first_submit;
  summary.end = state.now;
  summary.makespan = std::max<Millis>(0, last_end - summary.first_submit);
  const auto hours = [](base::i128 sum) { return static_cast<double>(sum) / 1000.0 / 3.6e6; };
  for (std::size_t q = 0; q < state.queues.size(); ++q) {
    QueueSummary out;
    out.path = state.tree.queues[q].path;
    out.is_leaf = state.tree.queues[q].is_leaf();
    out.depth = static_cast<std::uint32_t>(state.tree.path_to_root(QueueId(q)).size());
    out.guarantee = state.tree.queues[q].guarantee[main_];
    const Sums sums = q < sums_.size() ? sums_[q] : Sums{};
    out.held_hours = hours(sums.held);
    out.borrowed_hours = hours(sums.borrowed);
    out.violation_hours = hours(sums.violation);
    out.lent_hours = sums.lent / 1000.0 / 3.6e6;
    out.share_mean = span_ > 0 ? sums.share / span_ : 0;
    fill_waits(out, waits[q]);
    if (q == 0) {
      out.path = "all";
      out.guarantee = 0;
      out.borrowed_hours = out.violation_hours = 0;
      summary.total = out;
    } else {
      summary.queues.push_back(out);
      if (out.depth == 1) {
        summary.total.guarantee += out.guarantee;
        summary.total.borrowed_hours += out.borrowed_hours;
        summary.total.violation_hours += out.violation_hours;
      }
      summary.total.lent_hours += out.lent_hours;
    }
  }
  std::sort(summary.queues.begin(), summary.queues.end(),
            [](const QueueSummary& a, const QueueSummary& b) { return a.path < b.path; });
  summary.utilisation =
      available_ > 0 ? static_cast<double>(sums_[0].held) / static_cast<double>(available_) : 0;
  summary.jain = jain_span_ > 0 ? jain_sum_ / jain_span_ : 1;
  summary.jain_hours = jain_span_ / 3.6e6;
  summary.digest = model::digest_of(state).hex();
  return summary;
}

}  // namespace stint::sim
