// Whose turn it is (DESIGN §5.2, §5.3; record 0001): siblings compared from the leaves upwards.
#include <algorithm>
#include <tuple>

#include <boost/multiprecision/cpp_int.hpp>

#include "scene.h"

namespace stint::differential {

namespace {

using base::i128;
using Wide = boost::multiprecision::int256_t;

constexpr i128 kOne = i128{1} << 32;

// num / (den * weight); two of them compare exactly.
struct Key {
  i128 num = 0;
  std::int64_t den = 1;
  std::int64_t weight = 1;
  friend bool operator<(const Key& a, const Key& b) {
    return a.num * b.den * b.weight < b.num * a.den * a.weight;
  }
};

struct Rank {
  bool within = false;
  Fraction fill;
  std::int64_t weight = 0;
  std::int32_t priority = 0;
  Key key;
  std::int64_t past = 0;
  std::uint64_t served = 0;
  std::string name;
};

bool goes_before(const Rank& a, const Rank& b) {
  const bool last_words = std::tie(a.served, a.name) < std::tie(b.served, b.name);
  if (a.within != b.within) return a.within;
  if (a.within) return a.fill != b.fill ? a.fill < b.fill : last_words;
  if ((a.weight == 0) != (b.weight == 0)) return b.weight == 0;
  if (a.weight != 0 && a.priority != b.priority) return a.priority > b.priority;
  if (a.key < b.key || b.key < a.key) return a.key < b.key;
  return a.past != b.past ? a.past < b.past : last_words;
}

class Turn {
 public:
  Turn(const Scene& scene, const std::vector<JobId>& untried)
      : scene_(scene), tree_(scene.state.tree), untried_(untried), parts_(tree_.queues.size()) {
    scale(model::Tree::root());
  }
  [[nodiscard]] JobId offer(QueueId q) const {
    return tree_[q].is_leaf() ? of_users(q) : of_children(q);
  }

 private:
  // What a queue adds to its parent's share.
  struct Part {
    bool blocked = true;
    std::vector<i128> used;  // in 2^-32
    Fraction share;
  };

  [[nodiscard]] JobId of_children(QueueId q) const {
    JobId best;
    Rank first;
    for (const QueueId child : tree_[q].children) {
      const JobId job = offer(child);
      if (!job.valid()) continue;
      const Rank rank = rank_of_queue(child, job);
      if (best.valid() && !goes_before(rank, first)) continue;
      best = job;
      first = rank;
    }
    return best;
  }

  [[nodiscard]] JobId of_users(QueueId leaf) const {
    JobId best;
    for (const JobId job : untried_) {
      if (scene_.spec(job).queue == leaf && (!best.valid() || is_wanted_before(job, best)))
        best = job;
    }
    return best;
  }

  // Of two jobs of one leaf: users take turns, each with the job they want first.
  [[nodiscard]] bool is_wanted_before(JobId a, JobId b) const {
    const model::JobSpec& x = scene_.spec(a);
    const model::JobSpec& y = scene_.spec(b);
    const auto standing = [&](JobId id) {
      const model::Job& job = scene_.state.jobs[id.index()];
      return std::tuple(!job.returned, -std::int64_t{job.spec.priority}, job.spec.submit, id);
    };
    if (x.user == y.user) return standing(a) < standing(b);
    if (tree_[x.queue].priority_scope == model::PriorityScope::Queue) {
      const std::int32_t pa = priority_in_leaf(a);
      const std::int32_t pb = priority_in_leaf(b);
      if (pa != pb) return pa > pb;
    }
    return goes_before(rank_of_user(x), rank_of_user(y));
  }

  // Back from a failure it counts with the highest priority among its user's jobs.
  [[nodiscard]] std::int32_t priority_in_leaf(JobId job) const {
    const model::JobSpec& spec = scene_.spec(job);
    std::int32_t priority = spec.priority;
    for (const JobId other : scene_.waiting) {
      const model::JobSpec& o = scene_.spec(other);
      const bool is_own = o.user == spec.user && o.queue == spec.queue;
      if (scene_.state.jobs[job.index()].returned && is_own)
        priority = std::max(priority, o.priority);
    }
    return priority;
  }

  [[nodiscard]] Rank rank(const Account& account, Fraction plain, Fraction turn,
                          std::int64_t weight) const {
    Rank rank;
    rank.weight = weight;
    rank.served = account.served;
    const model::Policy& policy = scene_.state.policy;
    rank.past = base::to_q32(account.past.value_at(scene_.now, plain, policy.half_life));
    if (weight == 0) {
      rank.key = {turn.num, turn.den, 1};
    } else if (policy.history == 0) {
      rank.key = {turn.num, turn.den, weight};
    } else {
      const i128 blend = turn.num * kOne * (model::kHistoryScale - policy.history) +
                         i128{rank.past} * policy.history * turn.den;
      rank.key = {blend / turn.den / weight, 1, 1};
    }
    return rank;
  }

  [[nodiscard]] Rank rank_of_user(const model::JobSpec& spec) const {
    const Account& account = scene_.users.at({spec.queue, spec.user});
    const Fraction share = scene_.share(account, Amounts(scene_.healthy.size()), spec.queue);
    const std::string& name = scene_.state.users.name(spec.user.value);
    const model::UserRule* rule = tree_[spec.queue].rule_for(name);
    Rank user = rank(account, share, share, rule ? rule->weight : model::kWeightOne);
    user.name = name;
    return user;
  }

  [[nodiscard]] Rank rank_of_queue(QueueId q, JobId job) const {
    const Account& account = scene_.queues[q.index()];
    const Amounts& guarantee = scene_.guarantees[q.index()];
    const Amounts asks = scene_.shape(job).total();
    Rank queue = rank(account, scene_.share(q), turn_share(q), tree_[q].weight);
    queue.priority = tree_[q].priority;
    queue.name = tree_[q].path;
    queue.within = true;
    for (std::size_t r = 0; r < asks.size(); ++r) {
      if (!tree_[q].counts[r]) continue;
      if (asks[r] > 0 && account.after[r] + asks[r] > guarantee[r]) queue.within = false;
      if (guarantee[r] == 0) continue;
      queue.fill =
          std::max(queue.fill, Fraction{std::max(account.now[r], account.after[r]), guarantee[r]});
    }
    return queue;
  }

  // Beside inner queues all shares are rounded alike; where every leaf is blocked none is scaled.
  [[nodiscard]] Fraction turn_share(QueueId q) const {
    bool beside_inner = false;
    for (const QueueId s : tree_[tree_[q].parent].children) beside_inner |= !tree_[s].is_leaf();
    const Fraction share = parts_[q.index()].share;
    if (!beside_inner) return share;
    if (parts_[model::Tree::root().index()].blocked) return scene_.share(q);
    return {static_cast<std::int64_t>(share.num * kOne / share.den), std::int64_t{1} << 32};
  }

  [[nodiscard]] bool is_saturated(std::size_t r) const { return scene_.free[r] <= 0; }

  // A leaf that has nothing untried which asks only for what is still to be had.
  [[nodiscard]] bool is_blocked(QueueId leaf) const {
    for (const JobId job : untried_) {
      bool asks_saturated = scene_.spec(job).queue != leaf;
      for (std::size_t r = 0; r < scene_.free.size(); ++r) {
        asks_saturated |= scene_.shape(job).each[r] > 0 && is_saturated(r);
      }
      if (!asks_saturated) return false;
    }
    return true;
  }

  // Hierarchical DRF: what the queue counts for in its parent, children first.
  void scale(QueueId q) {
    Part& part = parts_[q.index()];
    const Account& account = scene_.queues[q.index()];
    for (std::size_t r = 0; r < scene_.free.size(); ++r) {
      part.used.push_back(tree_[q].is_leaf() ? std::max(account.now[r], account.after[r]) * kOne
                                             : 0);
    }
    part.blocked = !tree_[q].is_leaf() || is_blocked(q);
    part.share = scene_.share(q);
    if (tree_[q].is_leaf()) return;
    std::optional<Key> least;
    for (const QueueId child : tree_[q].children) {
      scale(child);
      const Part& c = parts_[child.index()];
      part.blocked &= c.blocked;
      if (c.blocked || tree_[child].weight == 0) continue;
      const Key key{c.share.num, c.share.den, tree_[child].weight};
      if (!least || key < *least) least = key;
    }
    for (const QueueId child : tree_[q].children) add(child, least, part);
    part.share = {0, std::int64_t{1} << 32};
    for (std::size_t r = 0; r < part.used.size(); ++r) {
      part.used[r] = ((part.used[r] + 128) >> 8) << 8;  // snapped to 2^-24
      if (is_saturated(r) || !tree_[q].counts[r] || scene_.healthy[r] <= 0) continue;
      const i128 over = part.used[r] - scene_.guarantees[q.index()][r] * kOne;
      part.share.num =
          std::max(part.share.num, static_cast<std::int64_t>(over / scene_.healthy[r]));
    }
  }

  // The child's part above its guarantee is scaled to the poorest unblocked child's.
  void add(QueueId child, const std::optional<Key>& least, Part& sum) const {
    const Part& part = parts_[child.index()];
    const std::int64_t weight = tree_[child].weight;
    const bool is_scaled = least && !part.blocked && weight > 0 && part.share.num > 0;
    for (std::size_t r = 0; r < part.used.size(); ++r) {
      const i128 kept = std::min(part.used[r], scene_.guarantees[child.index()][r] * kOne);
      const i128 over = part.used[r] - kept;
      sum.used[r] += kept;
      if (!is_scaled) {
        sum.used[r] += over;
        continue;
      }
      const Wide above = Wide(over) * Wide(least->num) * part.share.den * weight;
      const Wide below = Wide(least->den) * least->weight * part.share.num;
      sum.used[r] += static_cast<i128>((2 * above + below) / (2 * below));
    }
  }

  const Scene& scene_;
  const model::Tree& tree_;
  const std::vector<JobId>& untried_;
  std::vector<Part> parts_;
};

}  // namespace

JobId next_in_turn(const Scene& scene, const std::vector<JobId>& untried) {
  return Turn(scene, untried).offer(model::Tree::root());
}

}  // namespace stint::differential
