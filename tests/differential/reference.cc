#include "reference.h"

#include <algorithm>
#include <tuple>

#include "scene.h"

namespace stint::differential {

namespace {

// One resource of a queue's limit or own part, or of one user's limit below the queue.
struct Scope {
  QueueId queue;
  UserId user;  // none: everybody
  std::size_t r = 0;
};

// Whoever counts under the scope may start only if they end by then.
struct Barrier {
  Scope scope;
  bool is_own_part = false;
  Millis until = 0;
};

// What a try settles: nothing more, this job, its user's jobs of that shape, or the shape itself.
enum class Settled : std::uint8_t { Started, Job, UserShape, Shape };

constexpr Millis kEverybody = -1;  // nobody has gone yet

class Passes {
 public:
  Passes(const model::State& before, Millis now, Reading reading)
      : scene_(before, now), tree_(before.tree), policy_(before.policy), reading_(reading) {}

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
      const Settled settled = try_job(job);
      const model::JobSpec& a = scene_.spec(job);
      std::erase_if(untried, [&](JobId other) {
        const model::JobSpec& b = scene_.spec(other);
        if (other == job || reading_ == Reading::EachJob) return other == job;
        if (settled == Settled::Shape) return a.shape == b.shape;
        const bool same = a.shape == b.shape && a.queue == b.queue && a.user == b.user;
        return settled == Settled::UserShape && same;
      });
    }
  }

  // The orders without quota.
  void listed_pass() {
    std::vector<JobId> line = scene_.waiting;
    std::ranges::sort(line, {}, [&](JobId id) {
      const model::JobSpec& spec = scene_.spec(id);
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

  Settled try_job(JobId job) {
    if (!reached_limits(job, kEverybody).empty()) {
      raise_barriers(job, false);
      return Settled::UserShape;
    }
    if (!outside_own_part(job, kEverybody).empty()) {
      raise_barriers(job, true);
      return Settled::Job;
    }
    for (const Barrier& barrier : barriers_) {
      const bool ends_in_time = base::later(scene_.now, scene_.spec(job).limit) <= barrier.until;
      if (!ends_in_time && counts_under(job, barrier)) return Settled::Job;
    }
    const Amounts kept = kept_back(job);
    const Amounts asks = scene_.shape(job).total();
    for (std::size_t r = 0; r < asks.size(); ++r) {
      // (Where nobody keeps anything back, what is more than is free is a matter of nodes.)
      const bool keeps = asks[r] > 0 && scene_.free[r] - asks[r] < kept[r];
      if (keeps && tree_.keeps_back) return Settled::UserShape;
    }
    const bool started = start_if_it_fits(job, model_room(job, kept));
    if (started) return Settled::Started;
    const bool fits = place(scene_, scene_.shape(job), scene_.all_of_it()).has_value();
    return fits ? Settled::UserShape : Settled::Shape;
  }

  // --- limits

  // What is held under the scope by runs that, by their own limits, are not gone by then.
  Amount held(const Scope& scope, bool only_protected, Millis gone_by) const {
    Amount sum = 0;
    for (const model::Run& run : scene_.runs) {
      const model::JobSpec& spec = scene_.spec(run.job);
      if (base::later(run.start, spec.limit) <= gone_by || (only_protected && spec.preemptible))
        continue;
      if (covers(scope, spec)) sum += run.holds[scope.r];
    }
    return sum;
  }

  bool covers(const Scope& scope, const model::JobSpec& spec) const {
    return tree_.is_ancestor_or_self(scope.queue, spec.queue) &&
           (!scope.user.valid() || scope.user == spec.user);
  }

  // Every limit above the job: of queues on its path, of its user below them.
  std::vector<std::pair<Scope, Amount>> limits_of(JobId job) const {
    std::vector<std::pair<Scope, Amount>> limits;
    const model::JobSpec& spec = scene_.spec(job);
    for (QueueId q = spec.queue; q.valid(); q = tree_[q].parent) {
      const auto* rule = tree_[q].rule_for(scene_.state.users.name(spec.user.value));
      for (std::size_t r = 0; r < scene_.free.size(); ++r) {
        limits.push_back({{q, {}, r}, tree_[q].limit[r]});
        if (rule) limits.push_back({{q, spec.user, r}, rule->limit[r]});
      }
    }
    return limits;
  }

  std::vector<Scope> reached_limits(JobId job, Millis gone_by) const {
    std::vector<Scope> reached;
    const Amounts asks = scene_.shape(job).total();
    for (const auto& [scope, limit] : limits_of(job)) {
      if (asks[scope.r] > 0 && held(scope, false, gone_by) + asks[scope.r] > limit)
        reached.push_back(scope);
    }
    return reached;
  }

  // --- protected work

  bool is_guaranteed(QueueId q, JobId job) const {
    const Amounts& each = scene_.shape(job).each;
    for (std::size_t r = 0; r < each.size(); ++r) {
      if (each[r] > 0 && scene_.guarantees[q.index()][r] > 0) return true;
    }
    return false;
  }

  // The nearest queue with a guarantee for the job, and its child on the way there; none if none.
  std::pair<QueueId, QueueId> own_part(JobId job) const {
    QueueId below;
    for (QueueId q = scene_.spec(job).queue; !tree_[q].is_root(); below = q, q = tree_[q].parent) {
      if (is_guaranteed(q, job)) return {q, below};
    }
    return {};
  }

  std::vector<Scope> outside_own_part(JobId job, Millis gone_by) const {
    std::vector<Scope> outside;
    if (scene_.spec(job).preemptible) return outside;
    const auto [queue, below] = own_part(job);
    const Amounts asks = scene_.shape(job).total();
    for (std::size_t r = 0; r < asks.size(); ++r) {
      if (asks[r] == 0) continue;
      if (!queue.valid()) outside.push_back({queue, {}, r});
      if (!queue.valid() || !tree_[queue].counts[r]) continue;
      Amount room = scene_.guarantees[queue.index()][r];
      if (!below.valid()) room -= held({queue, {}, r}, true, gone_by);
      for (const QueueId child : tree_[queue].children) {
        const Amount used = held({child, {}, r}, true, gone_by);
        const Amount guarantee = scene_.guarantees[child.index()][r];
        room -= child == below ? used : std::max(used, guarantee);
      }
      if (asks[r] > room) outside.push_back({queue, {}, r});
    }
    return outside;
  }

  // --- who is held up by whom

  void raise_barriers(JobId job, bool is_own_part) {
    const auto bars = [&](Millis t) {
      return is_own_part ? outside_own_part(job, t) : reached_limits(job, t);
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
    if (!barrier.is_own_part) return covers(barrier.scope, scene_.spec(job));
    return !scene_.spec(job).preemptible && own_part(job).first == barrier.scope.queue;
  }

  // --- lending

  // What the subtree does not lend: its own, or its children's if that is more.
  Amounts kept_below(QueueId q) const {
    Amounts sum(scene_.free.size());
    for (const QueueId child : tree_[q].children) sum += kept_below(child);
    for (std::size_t r = 0; r < sum.size(); ++r) {
      const Amount idle = scene_.guarantees[q.index()][r] - scene_.queues[q.index()].after[r];
      sum[r] = std::max(sum[r], idle - tree_[q].lend[r]);
    }
    return sum;
  }

  Amounts kept_back(JobId job) const {
    Amounts kept(scene_.free.size());
    for (QueueId q = scene_.spec(job).queue; !tree_[q].is_root(); q = tree_[q].parent) {
      for (const QueueId beside : tree_[tree_[q].parent].children) {
        if (beside != q) kept += kept_below(beside);
      }
    }
    return kept;
  }

  // How much of each gpu model the job's tasks may still get.
  Amounts model_room(JobId job, const Amounts& kept) const {
    Amounts room = scene_.all_of_it();
    for (const auto& [scope, limit] : limits_of(job)) {
      room[scope.r] = std::min(room[scope.r], limit - held(scope, false, kEverybody));
    }
    for (std::size_t r = 0; r < kept.size(); ++r) {
      if (kept[r] > 0) room[r] = std::min(room[r], scene_.free[r] - kept[r]);
    }
    return room;
  }

  Scene scene_;
  const model::Tree& tree_;
  const model::Policy& policy_;
  Reading reading_;
  std::vector<Barrier> barriers_;
  std::vector<Granted> granted_;
};

}  // namespace

std::vector<Granted> reference_decide(const model::State& before, Millis now, Reading reading) {
  return Passes(before, now, reading).run();
}

}  // namespace stint::differential
