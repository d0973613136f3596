#include "reference.h"

#include <algorithm>
#include <tuple>

#include "quota.h"
#include "scene.h"

namespace stint::differential {

namespace {

// Whoever counts under the scope may start only if they end by then.
struct Barrier {
  Scope scope;
  bool is_own_part = false;
  Millis until = 0;
};

// What a try settles: nothing more, this job, its user's jobs of that shape, or the shape itself.

class Passes {
 public:
  Passes(const model::State& before, Millis now)
      : scene_(before, now), policy_(before.policy) {}

  std::vector<Granted> run() {
    if (policy_.cycle > 0 && scene_.now % policy_.cycle != 0) return {};
    std::size_t started = 0;
    do {
      started = granted_.size();
      policy_.order == model::Order::Fair ? fair_pass() : listed_pass();
    } while (granted_.size() > started);
    return granted_;
  }

 private:
  void fair_pass() {
    barriers_.clear();
    std::vector<JobId> untried = scene_.waiting;
    while (true) {
      const JobId job = next_in_turn(scene_, untried);
      if (!job.valid()) return;
      try_job(job);
      std::erase(untried, job);
    }
  }

  // The orders without quota.
  void listed_pass() {
    std::vector<JobId> line = scene_.waiting;
    std::ranges::sort(line, {}, [&](JobId id) {
      const model::JobAsk& spec = scene_.spec(id);
      const Millis length = policy_.order == model::Order::SjfSkip ? spec.work : 0;
      return std::tuple(length, spec.submit, id);
    });
    for (const JobId job : line) {
      const bool started = start_if_it_fits(job, scene_.all_of_it());
      if (!started && policy_.order == model::Order::Fifo) return;
    }
  }

  bool start_if_it_fits(JobId job, const Amounts& room) {
    auto placement = place(scene_, scene_.shape(job), room);
    if (!placement) return false;
    granted_.push_back({job, *placement});
    scene_.start(job, std::move(*placement));
    return true;
  }

  void try_job(JobId job) {
    if (!quota_.reached_limits(job, kEverybody).empty()) {
      raise_barriers(job, false);
      return;
    }
    if (!quota_.outside_own_part(job, kEverybody).empty()) {
      raise_barriers(job, true);
      return;
    }
    for (const Barrier& barrier : barriers_) {
      const bool ends_in_time = base::later(scene_.now, scene_.spec(job).limit) <= barrier.until;
      if (!ends_in_time && counts_under(job, barrier)) return;
    }
    const Amounts kept = quota_.kept_back(job);
    const Amounts asks = scene_.shape(job).total();
    for (std::size_t r = 0; r < asks.size(); ++r) {
      if (asks[r] > 0 && scene_.free[r] - asks[r] < kept[r]) return;
    }
    start_if_it_fits(job, quota_.model_room(job, kept));
  }

  // --- who is held up by whom

  void raise_barriers(JobId job, bool is_own_part) {
    const auto bars = [&](Millis t) {
      return is_own_part ? quota_.outside_own_part(job, t) : quota_.reached_limits(job, t);
    };
    std::vector<Millis> ends;
    for (const model::Run& run : scene_.runs)
      ends.push_back(base::later(run.start, scene_.spec(run.job).limit));
    std::ranges::sort(ends);
    for (const Millis end : ends) {
      if (end == base::kNever) return;  // no such time can be computed
      if (!bars(end).empty()) continue;
      for (const Scope& scope : bars(kEverybody)) barriers_.push_back({scope, is_own_part, end});
      return;
    }
  }

  bool counts_under(JobId job, const Barrier& barrier) const {
    if (scene_.shape(job).each[barrier.scope.r] == 0) return false;
    if (!barrier.is_own_part) return quota_.covers(barrier.scope, scene_.spec(job));
    return !scene_.spec(job).preemptible && quota_.own_part(job).first == barrier.scope.queue;
  }

  Scene scene_;
  const Quota quota_{scene_};
  const model::Policy& policy_;
  std::vector<Barrier> barriers_;
  std::vector<Granted> granted_;
};

}  // namespace

std::vector<Granted> reference_decide(const model::State& before, Millis now) {
  return Passes(before, now).run();
}

}  // namespace stint::differential
