// Benches of parts of the engine and the simulator alone.
#include <deque>

#include "base/heap4.h"
#include "engine/turn/account.h"
#include "engine/turn/turn.h"
#include "measure.h"
#include "workloads.h"
#include "world.h"

namespace stint::bench {

namespace {

constexpr Millis kPace = 100;           // between two steps
constexpr std::size_t kTogether = 100;  // steps between two looks at the clock

// A state in which everybody waits with one job, and the turn over it. Starts and ends are booked
// as the engine does, but the jobs stay: everybody always has another one like it.
class Crowd {
 public:
  explicit Crowd(const Crowds& crowds) : state_(make(crowds)), turn_(state_) {
    for (const JobId id : state_.jobs.ids()) {
      turn_.insert(state_, id);
      const model::JobAsk& ask = state_.jobs[id].spec;
      paths_.push_back(engine::known_tenants_of(state_, ask.queue, ask.user));
    }
    pick();
    // Half of them have a run, as if they had begun one after another.
    for (std::size_t i = 0; i < paths_.size() / 2; ++i) {
      const JobId job(i * 7 % paths_.size());
      now_ += kPace;
      book(job, engine::Change::Start);
      runs_.push_back(job);
    }
    pick();
  }

  void step(Millis pace) {
    now_ += pace;
    // As many starts as ends.
    const bool starts = runs_.size() < paths_.size() / 2 || ended_last_;
    ended_last_ = !starts;
    if (starts) {
      book(next_, engine::Change::Start);
      runs_.push_back(next_);
    } else {
      book(runs_.front(), engine::Change::End);
      runs_.pop_front();
    }
    pick();
  }

  [[nodiscard]] std::uint64_t matches() const { return turn_.matches(); }
  [[nodiscard]] std::size_t tenants() const { return paths_.size(); }

 private:
  static engine::State make(const Crowds& crowds) {
    // Room for half of them, so that it is full when those have their run.
    World world({.nodes = std::int64_t{crowds.queues} * crowds.users / 2 / kGpusPerNode + 1,
                 .queues = crowds.queues,
                 .departments = crowds.departments,
                 .users = crowds.users,
                 .guarantees = crowds.guarantees});
    for (std::size_t t = 0; t < world.tenants(); ++t) world.submit(t, 1);
    return std::move(world.engine()).take_state();
  }

  void book(JobId job, engine::Change change) {
    const model::JobAsk& ask = state_.jobs[job].spec;
    const std::vector<base::TenantId>& path = paths_[job.index()];
    const model::Amounts& asks = state_.shapes[ask.shape.index()].each;
    engine::book(state_, ask.queue, path, asks, ask.preemptible, change, now_);
    if (change == engine::Change::End) state_.free += asks;
    if (change == engine::Change::Start) {
      state_.free -= asks;
      ++state_.serial;
      for (model::QueueId q = ask.queue; q.valid(); q = state_.tree[q].parent) {
        state_.queues[q.index()].served = state_.serial;
      }
      for (const base::TenantId t : path) state_.tenants[t.index()].account.served = state_.serial;
    }
    turn_.account_changed(state_, ask.queue, path);
  }

  void pick() {
    turn_.begin_pass(state_, now_, false);
    next_ = turn_.next(state_);
    turn_.end_pass(state_);
  }

  engine::State state_;
  engine::Turn turn_;
  std::vector<std::vector<base::TenantId>> paths_;  // by JobId
  std::deque<JobId> runs_;
  JobId next_;
  Millis now_ = 0;
  bool ended_last_ = false;
};

// An event that counts how often it is compared.
struct Event {
  std::int64_t at = 0;
  std::uint32_t job = 0;
  std::uint64_t* comparisons = nullptr;

  friend bool operator<(const Event& a, const Event& b) {
    ++*a.comparisons;
    return a.at != b.at ? a.at < b.at : a.job < b.job;
  }
};

}  // namespace

Result share(const Crowds& crowds, const Effort& effort) {
  Crowd crowd(crowds);
  std::size_t done = 0;
  Result result{.unit = "us"};
  const std::uint64_t matches = crowd.matches();
  const std::uint64_t allocated = allocations();
  for (std::size_t r = 0; r < effort.runs; ++r) {
    const Lap lap;
    const std::int64_t last = end_of_run(effort);
    std::size_t here = 0;
    do {
      for (std::size_t i = 0; i < kTogether; ++i) crowd.step(kPace);
      here += kTogether;
    } while (here < effort.operations && wall_ns() < last);
    result.runs.push_back(static_cast<double>(lap.cpu()) / static_cast<double>(here) / 1e3);
    done += here;
  }
  const auto steps = static_cast<double>(done);
  result.counters = {{"matches", static_cast<double>(crowd.matches() - matches) / steps},
                     {"allocations", static_cast<double>(allocations() - allocated) / steps}};
  return result;
}

Result heap(std::size_t items, const Effort& effort) {
  base::Heap4<Event> heap;
  base::Rng rng(1);
  std::uint64_t comparisons = 0;
  const auto push = [&](std::int64_t now, std::size_t job) {
    heap.push({now + rng.between(base::kMinute, base::kDay), static_cast<std::uint32_t>(job),
               &comparisons});
  };
  for (std::size_t i = 0; i < items; ++i) push(0, i);
  Result result{.unit = "us"};
  comparisons = 0;
  for (std::size_t r = 0; r < effort.runs; ++r) {
    const Lap lap;
    for (std::size_t i = 0; i < effort.operations; ++i) {
      const Event next = heap.top();
      heap.pop();
      push(next.at, next.job);
    }
    const auto spent = static_cast<double>(lap.cpu());
    result.runs.push_back(spent / static_cast<double>(effort.operations) / 1e3);
  }
  const auto events = static_cast<double>(effort.runs * effort.operations);
  result.counters = {{"comparisons", static_cast<double>(comparisons) / events}};
  return result;
}

}  // namespace stint::bench
