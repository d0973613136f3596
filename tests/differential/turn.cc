// Whose turn it is (DESIGN §5.2, §5.3, §5.8; record 0001): the tree is compared from the leaves up.
#include <algorithm>
#include <compare>
#include <tuple>

#include <boost/multiprecision/cpp_int.hpp>

#include "scene.h"

namespace stint::differential {

namespace {

using base::i128;
using Wide = boost::multiprecision::int256_t;

constexpr std::int64_t kOne = std::int64_t{1} << 32;

// num / den, compared exactly: at most 44 bits over 44 + 37 (capacity times weight).
struct Ratio {
  i128 num = 0;
  i128 den = 1;
  friend std::strong_ordering operator<=>(const Ratio& a, const Ratio& b) {
    return a.num * b.den <=> b.num * a.den;
  }
};

enum class Tier : std::uint8_t { Within, Borrowing, Weightless };

// Smaller goes first. Who is within has no priority and no past, and the fill for a key.
struct Rank {
  Tier tier = Tier::Borrowing;
  std::int64_t minus_priority = 0;
  Ratio key;
  std::int64_t past = 0;
  std::uint64_t served = 0;
  std::string name;
  friend auto operator<=>(const Rank&, const Rank&) = default;
};

class Turn {
 public:
  Turn(const Scene& scene, const std::vector<JobId>& untried)
      : scene_(scene), tree_(scene.state.tree), untried_(untried), parts_(tree_.queues.size()) {
    scale(model::Tree::root());
  }

  [[nodiscard]] JobId offer(QueueId q) const {
    if (tree_[q].is_leaf()) return offer_of_leaf(q);
    std::optional<std::pair<Rank, JobId>> best;
    for (const QueueId child : tree_[q].children) {
      const JobId job = offer(child);
      if (!job.valid()) continue;
      const std::pair<Rank, JobId> offered{rank_of_queue(child, job), job};
      if (!best || offered < *best) best = offered;
    }
    return best ? best->second : JobId();
  }

 private:
  // What a queue adds to its parent, in 2^-32, and its own share beside other queues.
  struct Part {
    bool blocked = true;
    std::vector<i128> used;
    Fraction share;
  };

  // Users take turns, each with the job they want first.
  [[nodiscard]] JobId offer_of_leaf(QueueId leaf) const {
    using Standing = std::tuple<std::int64_t, Rank, bool, std::int64_t, Millis, JobId>;
    const bool for_all = tree_[leaf].priority_scope == model::PriorityScope::Queue;
    std::optional<Standing> best;
    for (const JobId id : untried_) {
      const model::Job& job = scene_.state.jobs[id.index()];
      if (job.spec.queue != leaf) continue;
      const Standing standing{
          for_all ? -priority_in_leaf(job) : 0, rank_of_user(job.spec), !job.returned,
          -std::int64_t{job.spec.priority},     job.spec.submit,        id};
      if (!best || standing < *best) best = standing;
    }
    return best ? std::get<JobId>(*best) : JobId();
  }

  // Back from a failure a job counts with the highest priority among its user's.
  [[nodiscard]] std::int64_t priority_in_leaf(const model::Job& job) const {
    std::int64_t priority = job.spec.priority;
    for (const JobId other : scene_.waiting) {
      const model::JobAsk& o = scene_.spec(other);
      const bool is_own = o.user == job.spec.user && o.queue == job.spec.queue;
      if (job.returned && is_own) priority = std::max<std::int64_t>(priority, o.priority);
    }
    return priority;
  }

  // Of a borrower: `turn` is the share that ranks it, `plain` the one that its past is made of.
  [[nodiscard]] Rank rank(const Account& account, Fraction plain, Fraction turn,
                          std::int64_t weight) const {
    const model::Policy& policy = scene_.state.policy;
    const auto past = base::to_q32(account.past.value_at(scene_.now, plain, policy.half_life));
    Rank rank{.key = {turn.num, turn.den}, .past = past, .served = account.served, .name = {}};
    if (weight == 0) {
      rank.tier = Tier::Weightless;
    } else if (policy.history == 0) {
      rank.key.den *= weight;
    } else {
      const i128 share = i128{turn.num} * kOne * (model::kHistoryScale - policy.history);
      const i128 blend = share + i128{past} * policy.history * turn.den;
      rank.key = {blend / turn.den / weight, 1};
    }
    return rank;
  }

  [[nodiscard]] Rank rank_of_user(const model::JobAsk& spec) const {
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
    bool within = true;
    Ratio fill;
    for (std::size_t r = 0; r < asks.size(); ++r) {
      if (!tree_[q].counts[r]) continue;
      if (asks[r] > 0 && account.after[r] + asks[r] > guarantee[r]) within = false;
      if (guarantee[r] > 0) fill = std::max(fill, {scene_.usage(account, r), guarantee[r]});
    }
    Rank queue = rank(account, scene_.share(q), turn_share(q), tree_[q].weight);
    queue.name = tree_[q].path;
    if (within) return {Tier::Within, 0, fill, 0, queue.served, queue.name};
    if (queue.tier == Tier::Borrowing) queue.minus_priority = -std::int64_t{tree_[q].priority};
    return queue;
  }

  // Beside inner queues all shares are rounded alike; where every leaf is blocked none is scaled.
  [[nodiscard]] Fraction turn_share(QueueId q) const {
    bool beside_inner = false;
    for (const QueueId s : tree_[tree_[q].parent].children) beside_inner |= !tree_[s].is_leaf();
    const Fraction share = parts_[q.index()].share;
    if (!beside_inner) return share;
    if (parts_[model::Tree::root().index()].blocked) return scene_.share(q);
    return {static_cast<std::int64_t>(i128{share.num} * kOne / share.den), kOne};
  }

  // A leaf is blocked if it has nothing untried that asks only for what is still to be had.
  [[nodiscard]] bool is_blocked(QueueId leaf) const {
    return std::ranges::none_of(untried_, [&](JobId job) {
      bool is_open = scene_.spec(job).queue == leaf;
      for (std::size_t r = 0; r < scene_.free.size(); ++r) {
        if (scene_.shape(job).each[r] > 0 && scene_.free[r] <= 0) is_open = false;
      }
      return is_open;
    });
  }

  // Hierarchical DRF, children first.
  void scale(QueueId q) {
    Part& part = parts_[q.index()];
    part.share = scene_.share(q);
    if (tree_[q].is_leaf()) {
      part.blocked = is_blocked(q);
      for (std::size_t r = 0; r < scene_.free.size(); ++r) {
        part.used.push_back(i128{scene_.usage(scene_.queues[q.index()], r)} * kOne);
      }
      return;
    }
    std::optional<Ratio> least;  // share by weight of the poorest that still wants something
    for (const QueueId child : tree_[q].children) {
      scale(child);
      const Part& c = parts_[child.index()];
      part.blocked &= c.blocked;
      if (c.blocked || tree_[child].weight == 0) continue;
      const Ratio key{c.share.num, i128{c.share.den} * tree_[child].weight};
      least = least ? std::min(*least, key) : key;
    }
    part.used.resize(scene_.free.size());
    part.share = {0, kOne};
    for (std::size_t r = 0; r < part.used.size(); ++r) {
      for (const QueueId child : tree_[q].children) part.used[r] += counted(child, r, least);
      part.used[r] = (part.used[r] + 128) / 256 * 256;  // snapped to 2^-24
      if (scene_.free[r] <= 0 || !tree_[q].counts[r]) continue;
      const i128 over = part.used[r] - i128{scene_.guarantees[q.index()][r]} * kOne;
      const auto share = static_cast<std::int64_t>(over / scene_.healthy[r]);
      part.share.num = std::max(part.share.num, share);
    }
  }

  // The child's part up to its guarantee, and the part above scaled to `least`, to the nearest.
  [[nodiscard]] i128 counted(QueueId child, std::size_t r,
                             const std::optional<Ratio>& least) const {
    const Part& part = parts_[child.index()];
    const std::int64_t weight = tree_[child].weight;
    const i128 used = part.used[r];
    const i128 kept = std::min(used, i128{scene_.guarantees[child.index()][r]} * kOne);
    if (!least || part.blocked || weight == 0 || part.share.num == 0) return used;
    const Wide above = Wide(used - kept) * Wide(least->num) * part.share.den * weight;
    const Wide below = Wide(least->den) * part.share.num;
    return kept + static_cast<i128>((2 * above + below) / (2 * below));
  }

  const Scene& scene_;
  const model::Tree& tree_;
  const std::vector<JobId>& untried_;
  std::vector<Part> parts_;  // by queue
};

}  // namespace

JobId next_in_turn(const Scene& scene, const std::vector<JobId>& untried) {
  return Turn(scene, untried).offer(model::Tree::root());
}

}  // namespace stint::differential
