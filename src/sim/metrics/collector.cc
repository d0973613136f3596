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

bool has_finished(const model::Job& job) {
  return job.state == model::JobState::Done || job.state == model::JobState::Timeout;
}

bool is_over(const model::Job& job) {
  return has_finished(job) || job.state == model::JobState::Cancelled;
}

// True length of what the job did: its work, cut at its limit; time held if it is still running.
Millis run_length(const State& state, const model::Job& job) {
  if (job.end != base::kNever) return job.end - job.first_start;
  return state.now - job.first_start;
}

// How long the job's run takes when nobody stops it: its work and its saves, cut at its limit.
Millis ideal_run(const State& state, const model::Job& job) {
  const model::Checkpoint& saves = state.habits[job.spec.habit].checkpoint;
  engine::Course alone;
  alone.work = job.spec.work;
  alone.every = saves.every;
  alone.takes = saves.takes;
  alone.limit = job.spec.limit;
  return engine::ending(alone).at;
}

double seconds_at(std::vector<Millis>& values, double percent) {
  return static_cast<double>(select_rank(values, percent)) / 1000.0;
}

double ratio(base::i128 part, base::i128 all) {
  return all > 0 ? static_cast<double>(part) / static_cast<double>(all) : 0;
}

double hours(base::i128 sum) { return static_cast<double>(sum) / 1000.0 / 3.6e6; }

}  // namespace

base::ResourceId main_resource(const model::Cluster& cluster) {
  const Amounts capacity = cluster.capacity();
  for (const char* name : {"gpu", "cpu"}) {
    const auto id = cluster.resources.find(name);
    if (id && capacity[*id] > 0) return *id;
  }
  return base::ResourceId(0U);
}

Collector::Collector(const State& state, Millis warmup)
    : main_(main_resource(state.cluster)),
      capacity_(state.cluster.resources.size() > 0 ? state.cluster.capacity()[main_] : 0),
      warmup_(warmup),
      tracks_(state.queues.size()),
      tallies_(state.queues.size()),
      fairness_(main_),
      costs_(main_),
      requests_(main_) {}

void Collector::write_timeline(TextSink sink, Millis step) {
  timeline_ = std::move(sink);
  step_ = step;
  timeline_("t_s,queue,holds_gpu,borrows_gpu,waiting_jobs,waiting_gpu,share,past\n");
}

Millis Collector::counted(Millis since, Millis now) const {
  if (!first_) return 0;  // nothing was submitted yet
  return std::max<Millis>(0, now - std::max(since, begin()));
}

// --- what happens --------------------------------------------------------------------------------

void Collector::mark(const State& state, QueueId queue) {
  for (QueueId q = queue; q.valid(); q = state.tree[q].parent) {
    if (q.index() >= tracks_.size()) tracks_.resize(state.queues.size());
    Track& track = tracks_[q.index()];
    if (track.is_marked) continue;
    track.is_marked = true;
    marked_.push_back(q);
  }
}

void Collector::telling(const engine::Engine& engine, const engine::Event& fact, Millis now) {
  costs_.telling(engine, fact, now, begin());
  requests_.telling(engine, fact);
}

void Collector::submitted(const engine::Engine& engine, JobId job) {
  const State& state = engine.state();
  if (!first_) {
    first_ = state.now;
    next_sample_ = step_ > 0 ? (state.now + step_ - 1) / step_ * step_ : 0;
  }
  mark(state, state.jobs[job].spec.queue);
  if (state.now >= begin()) requests_.submitted(engine, job);
}

void Collector::started(const engine::Engine& engine, const engine::Start& start) {
  requests_.started(engine, start.job);
  mark(engine.state(), engine.state().jobs[start.job].spec.queue);
}

void Collector::ended(const engine::Engine& engine, JobId job) {
  mark(engine.state(), engine.state().jobs[job].spec.queue);
}

void Collector::finished(const engine::Engine& engine, JobId job) {
  mark(engine.state(), engine.state().jobs[job].spec.queue);
  requests_.drop(engine, job);
  tally(engine, job);
}

void Collector::world_changed(const engine::Engine& /*engine*/) { all_changed_ = true; }

void Collector::instant_ends(const engine::Engine& engine) {
  const State& state = engine.state();
  requests_.instant_ends(engine);
  if (all_changed_) {
    available_ += base::i128{healthy_} * counted(healthy_since_, state.now);
    healthy_ = state.healthy[main_];
    healthy_since_ = state.now;
    promised_ = 0;
    tracks_.resize(state.queues.size());
    for (std::size_t q = 0; q < tracks_.size(); ++q) {
      if (q > 0 && state.tree.queues[q].parent == model::Tree::root()) {
        promised_ += state.guarantees[q][main_];
      }
      if (!tracks_[q].is_marked) marked_.push_back(QueueId(q));
    }
    all_changed_ = false;
  }
  if (marked_.empty()) return;
  add_lent_level(state.now);
  for (const QueueId q : marked_) {
    add_span(engine, q.index());
    look(engine, q.index());
  }
  marked_.clear();
}

void Collector::time_passes(const engine::Engine& engine, Millis next) {
  const State& state = engine.state();
  for (; timeline_ && next_sample_ < next; next_sample_ += step_) {
    if (next_sample_ >= state.now) write_rows(engine, next_sample_);
  }
  const Millis span = counted(state.now, next);
  fairness_.add(engine, span);
  if (span > 0) envy_.look(engine, fairness_.backlog(), next);
  const Amount idle = state.free[main_];
  use_.idle += base::i128{idle} * span;
  use_.down += base::i128{capacity_ - idle - state.queues[0].now[main_]} * span;
  use_.all += base::i128{capacity_} * span;
}

// --- sums over time ------------------------------------------------------------------------------

void Collector::add_span(const engine::Engine& engine, std::size_t queue) {
  Track& track = tracks_[queue];
  const Millis now = engine.state().now;
  const Millis span = counted(track.since, now);
  track.since = now;
  const Amount unused = std::max<Amount>(0, track.guarantee - track.held);
  track.lent_sum += static_cast<double>(unused) * (lent_level_ - track.lent_mark);
  track.lent_mark = lent_level_;
  if (span == 0) return;
  track.held_sum += base::i128{track.held} * span;
  track.borrowed_sum += base::i128{std::max<Amount>(0, track.held - track.guarantee)} * span;
  track.violation_sum += base::i128{violation(track.guarantee, track.demand, track.held)} * span;
  track.share_sum += track.share * static_cast<double>(span);
}

void Collector::look(const engine::Engine& engine, std::size_t queue) {
  const State& state = engine.state();
  Track& track = tracks_[queue];
  const bool lends = queue > 0 && state.tree.queues[queue].parent == model::Tree::root();
  if (lends) {
    borrowed_ -= std::max<Amount>(0, track.held - track.guarantee);
    idle_ -= std::max<Amount>(0, track.guarantee - track.held);
  }
  const Amount asks = engine.waiting()[queue].asks[main_];
  track.is_marked = false;
  track.held = state.queues[queue].now[main_];
  track.guarantee = state.guarantees[queue][main_];
  track.demand = track.held + asks;
  track.share = track.held > 0 ? number(engine::queue_share(state, QueueId(queue))) : 0;
  if (lends) {
    borrowed_ += std::max<Amount>(0, track.held - track.guarantee);
    idle_ += std::max<Amount>(0, track.guarantee - track.held);
  }
  fairness_.changed(state, QueueId(queue), asks);
}

// What is borrowed beyond the capacity that nobody is guaranteed is lent by those whose guarantee
// is idle, in proportion to it.
void Collector::add_lent_level(Millis until) {
  const Millis span = counted(lent_since_, until);
  lent_since_ = until;
  const Amount lent = borrowed_ - (healthy_ - promised_);
  if (span == 0 || lent <= 0 || idle_ <= 0) return;
  lent_level_ += static_cast<double>(span) * static_cast<double>(std::min(lent, idle_)) /
                 static_cast<double>(idle_);
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

// --- jobs ----------------------------------------------------------------------------------------

void Collector::tally(const engine::Engine& engine, JobId id) {
  const State& state = engine.state();
  const model::Job& job = state.jobs[id];
  if (job.end != base::kNever) last_end_ = std::max(last_end_, job.end);
  if (first_ && job.spec.submit < base::later(*first_, warmup_)) return;
  ++counts_.jobs;
  if (job.state == model::JobState::Timeout) ++counts_.timed_out;
  const bool is_running = job.state == model::JobState::Running;
  const bool waits_still = job.state == model::JobState::Waiting;
  const bool impossible =
      waits_still && (job.spec.impossible || !engine.fits_machine(job.spec.shape));
  if (impossible) ++counts_.impossible;
  if (is_running || (waits_still && !impossible)) ++counts_.unfinished;
  const bool started = job.first_start != base::kNever;
  if (job.state == model::JobState::Cancelled && !started) ++counts_.left;
  if (job.spec.queue.index() >= tallies_.size()) tallies_.resize(state.queues.size());
  Tally& tally = tallies_[job.spec.queue.index()];
  ++tally.jobs;
  if (!started) return;
  const Millis wait = job.first_start - job.spec.submit;
  if (wait > 0) ++counts_.waited;
  tally.waits.add(wait);
  tally.slowdown += bounded_slowdown(wait, run_length(state, job));
  if (!has_finished(job)) return;
  const Millis jct = job.end - job.spec.submit;
  tally.jcts.add(jct);
  tally.effective_wait += std::max<Millis>(0, jct - ideal_run(state, job));
}

std::vector<const Collector::Tally*> Collector::tallies_below(const State& state,
                                                              QueueId queue) const {
  std::vector<const Tally*> below;
  for (std::size_t leaf = 0; leaf < tallies_.size(); ++leaf) {
    if (state.tree.is_ancestor_or_self(queue, QueueId(leaf))) below.push_back(&tallies_[leaf]);
  }
  return below;
}

std::vector<Millis> Collector::gather(std::span<const Tally* const> below, Spans Tally::* spans) {
  std::size_t count = 0;
  for (const Tally* const tally : below) count += (tally->*spans).size();
  std::vector<Millis> all;
  all.reserve(count);
  for (const Tally* const tally : below) (tally->*spans).append_to(all);
  return all;
}

void Collector::fill_queue(const State& state, std::size_t queue, QueueSummary& out) const {
  const std::vector<const Tally*> below = tallies_below(state, QueueId(queue));
  out.path = state.tree.queues[queue].path;
  out.is_leaf = state.tree.queues[queue].is_leaf();
  out.depth = static_cast<std::uint32_t>(state.tree.path_to_root(QueueId(queue)).size());
  out.guarantee = state.tree.queues[queue].guarantee[main_];
  for (const Tally* const tally : below) out.jobs += tally->jobs;
  fill_waits(below, out);
  fill_completions(below, out);
}

void Collector::fill_waits(std::span<const Tally* const> below, QueueSummary& out) {
  std::vector<Millis> waits = gather(below, &Tally::waits);
  if (waits.empty()) return;
  double slowdown = 0;
  for (const Tally* const tally : below) slowdown += tally->slowdown;
  out.started = waits.size();
  out.wait_mean_s = mean(waits) / 1000.0;
  out.wait_p50_s = seconds_at(waits, 50);
  out.wait_p95_s = seconds_at(waits, 95);
  out.wait_p99_s = seconds_at(waits, 99);
  out.slowdown_mean = slowdown / static_cast<double>(out.started);
}

void Collector::fill_completions(std::span<const Tally* const> below, QueueSummary& out) {
  std::vector<Millis> jcts = gather(below, &Tally::jcts);
  if (jcts.empty()) return;
  base::i128 effective_wait = 0;
  for (const Tally* const tally : below) effective_wait += tally->effective_wait;
  out.finished = jcts.size();
  out.jct_mean_s = mean(jcts) / 1000.0;
  out.jct_p50_s = seconds_at(jcts, 50);
  out.jct_p95_s = seconds_at(jcts, 95);
  out.jct_p99_s = seconds_at(jcts, 99);
  out.effective_wait_mean_s =
      static_cast<double>(effective_wait) / 1000.0 / static_cast<double>(jcts.size());
}

void Collector::fill_use(const engine::Engine& engine, Summary& summary) const {
  const RunCosts::Sums sums = costs_.sums(engine, begin());
  CapacityUse use = use_;
  use.useful = sums.useful;
  use.lost = sums.lost;
  use.overhead = sums.overhead;
  const base::i128 available = use.held() + use.idle;
  summary.allocation = ratio(use.held(), available);
  summary.goodput = ratio(use.useful, available);
  summary.preemption_waste = ratio(sums.preemption, use.held());
  summary.failure_waste = ratio(sums.failure, use.held());
  summary.envy = envy_.most();
  summary.starvation_s = static_cast<double>(requests_.starvation()) / 1000.0;
  summary.capacity_use = use;
}

// Requires that the queues are filled in, in the order of their ids.
void Collector::fill_requests(const engine::Engine& engine, Summary& summary) const {
  const auto fill = [](const Latencies& latencies, QueueSummary& out) {
    out.requests = latencies.count();
    out.reclaim_p99_s = static_cast<double>(latencies.percentile(99)) / 1000.0;
    out.reclaim_max_s = static_cast<double>(latencies.percentile(100)) / 1000.0;
  };
  Latencies all;
  for (const auto& [queue, latencies] : requests_.latencies(engine)) {
    fill(latencies, summary.queues[queue.index() - 1]);
    all.zeros += latencies.zeros;
    all.others.insert(all.others.end(), latencies.others.begin(), latencies.others.end());
  }
  fill(all, summary.total);
}

Summary Collector::summary(const engine::Engine& engine) {
  const State& state = engine.state();
  all_changed_ = true;
  instant_ends(engine);
  for (const JobId id : state.jobs.ids()) {
    const model::Job& job = state.jobs[id];
    if (job.state != model::JobState::Future && !is_over(job)) tally(engine, id);
  }
  Summary summary = counts_;
  summary.main = state.cluster.resources.size() > 0 ? state.cluster.resources.name(main_) : "gpu";
  summary.capacity = state.cluster.capacity()[main_];
  summary.first_submit = first_.value_or(0);
  summary.end = state.now;
  summary.makespan = std::max<Millis>(0, last_end_ - summary.first_submit);
  const Millis span = counted(0, state.now);
  for (std::size_t q = 0; q < state.queues.size(); ++q) {
    QueueSummary out;
    fill_queue(state, q, out);
    const Track& track = tracks_[q];
    out.held_hours = hours(track.held_sum);
    out.borrowed_hours = hours(track.borrowed_sum);
    out.violation_hours = hours(track.violation_sum);
    out.lent_hours = track.lent_sum / 1000.0 / 3.6e6;
    out.share_mean = span > 0 ? track.share_sum / static_cast<double>(span) : 0;
    if (q == 0) {
      out.path = "all";
      out.guarantee = 0;
      out.lent_hours = out.borrowed_hours = out.violation_hours = 0;
      summary.total = out;
      continue;
    }
    summary.queues.push_back(out);
    summary.total.lent_hours += out.lent_hours;
    if (out.depth > 1) continue;
    summary.total.guarantee += out.guarantee;
    summary.total.borrowed_hours += out.borrowed_hours;
    summary.total.violation_hours += out.violation_hours;
  }
  fill_requests(engine, summary);
  fill_use(engine, summary);
  std::sort(summary.queues.begin(), summary.queues.end(),
            [](const QueueSummary& a, const QueueSummary& b) { return a.path < b.path; });
  summary.utilisation =
      available_ > 0 ? static_cast<double>(tracks_[0].held_sum) / static_cast<double>(available_)
                     : 0;
  summary.jain = fairness_.index();
  summary.jain_hours = fairness_.hours();
  summary.work = engine.counters();
  summary.digest = model::digest_of(state).hex();
  return summary;
}

}  // namespace stint::sim
