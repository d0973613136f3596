#include "model/guarantees.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <tuple>
#include <utility>

#include "base/assert.h"
#include "base/int128.h"

namespace stint::model {

namespace {

using base::u128;

// value * numerator / denominator, rounded down; all of them 0 or more, denominator above 0.
Amount scaled(Amount value, Amount numerator, Amount denominator) {
  const auto product = static_cast<u128>(value) * static_cast<u128>(numerator);
  return static_cast<Amount>(product / static_cast<u128>(denominator));
}

class Resolver {
 public:
  Resolver(Tree& tree, std::span<const GuaranteeRequest> requests, const Resources& resources,
           const Amounts& capacity)
      : tree_(tree),
        requests_(requests),
        capacity_(capacity),
        gpu_(resources.gpu()),
        own_(tree.queues.size(), Amounts(capacity.size())),
        named_(own_),
        implied_(own_) {
    STINT_ASSERT(requests.size() == tree.queues.size());
    for (std::size_t r = 0; r < capacity.size(); ++r) {
      is_model_.push_back(resources.is_model(ResourceId(r)));
    }
  }

  std::vector<GuaranteeProblem> run() {
    for (std::size_t q = 1; q < tree_.queues.size(); ++q) read_own(QueueId(q));
    for (std::size_t q = tree_.queues.size(); q-- > 0;) sum_up(QueueId(q));
    if (problems_.empty()) {
      for (std::size_t q = 0; q < tree_.queues.size(); ++q) share_out(QueueId(q));
      for (std::size_t q = tree_.queues.size(); q-- > 1;) sum_defaults(QueueId(q));
    }
    std::sort(problems_.begin(), problems_.end(),
              [](const GuaranteeProblem& a, const GuaranteeProblem& b) {
                return std::tie(a.queue, a.resource, a.fault) <
                       std::tie(b.queue, b.resource, b.fault);
              });
    return std::move(problems_);
  }

 private:
  [[nodiscard]] bool is_written(QueueId q) const { return requests_[q.index()].written; }
  [[nodiscard]] bool is_named(QueueId q, std::size_t r) const {
    return requests_[q.index()].entries[r].kind != GuaranteeEntry::Kind::Unnamed;
  }

  // Top-down: the amounts that a queue names, and what they imply, before any scaling.
  void read_own(QueueId q) {
    Queue& queue = tree_[q];
    queue.guarantee = Amounts(capacity_.size());
    const bool names_model = is_written(q) && names_any_model(q);
    for (std::size_t r = 0; r < capacity_.size(); ++r)
      queue.counts[r] = !is_model_[r] || names_model;
    if (!is_written(q)) return;
    Amounts& own = own_[q.index()];
    for (std::size_t r = 0; r < capacity_.size(); ++r) own[r] = named_amount(q, r);
    if (names_model && gpu_) own[*gpu_] = gpu_of_models(q, own);
    imply(q, names_model, own);
  }

  [[nodiscard]] bool names_any_model(QueueId q) const {
    for (std::size_t r = 0; r < capacity_.size(); ++r) {
      if (is_model_[r] && is_named(q, r)) return true;
    }
    return false;
  }

  Amount named_amount(QueueId q, std::size_t r) {
    const GuaranteeEntry& entry = requests_[q.index()].entries[r];
    if (entry.kind != GuaranteeEntry::Kind::Percent) return entry.value;
    const QueueId parent = tree_[q].parent;
    const bool is_root = tree_[parent].is_root();
    if (!is_root && (!is_written(parent) || !tree_[parent].counts[r])) {
      complain(GuaranteeFault::PercentOfNothing, q, r, entry.value, 0);
      return 0;
    }
    const Amount whole = is_root ? capacity_[r] : own_[parent.index()][r];
    const Amount amount = percent_of(entry.value, whole);
    if (amount == 0 && entry.value > 0) {
      complain(GuaranteeFault::PercentRoundsToZero, q, r, entry.value, whole);
    }
    return amount;
  }

  // Models are parts of `gpu`: their sum stands for it, unless it is named itself.
  Amount gpu_of_models(QueueId q, const Amounts& own) {
    Amount sum = 0;
    for (std::size_t r = 0; r < capacity_.size(); ++r) {
      if (is_model_[r]) sum += own[r];
    }
    const std::size_t gpu = gpu_->index();
    if (!is_named(q, gpu)) return sum;
    if (sum > own[gpu]) complain(GuaranteeFault::ModelsAboveGpu, q, gpu, sum, own[gpu]);
    return own[gpu];
  }

  // Fills in what is not named, in the largest named fraction of the cluster; `gpu` counts as named
  // where models are, and models take no part.
  void imply(QueueId q, bool names_model, Amounts& own) {
    const auto counts_as_named = [&](std::size_t r) {
      return is_named(q, r) || (names_model && gpu_ && gpu_->index() == r);
    };
    Amount numerator = 0;
    Amount denominator = 1;
    for (std::size_t r = 0; r < capacity_.size(); ++r) {
      if (is_model_[r] || !counts_as_named(r) || capacity_[r] == 0) continue;
      const bool is_larger = static_cast<u128>(own[r]) * static_cast<u128>(denominator) >
                             static_cast<u128>(numerator) * static_cast<u128>(capacity_[r]);
      if (is_larger) {
        numerator = own[r];
        denominator = capacity_[r];
      }
    }
    // More than all of the cluster is refused later; it must not imply more than all of the rest.
    numerator = std::min(numerator, denominator);
    for (std::size_t r = 0; r < capacity_.size(); ++r) {
      if (is_model_[r]) continue;
      if (counts_as_named(r)) {
        named_[q.index()][r] = own[r];
      } else {
        own[r] = scaled(capacity_[r], numerator, denominator);
        implied_[q.index()][r] = own[r];
      }
    }
    for (std::size_t r = 0; r < capacity_.size(); ++r) {
      if (is_model_[r]) named_[q.index()][r] = own[r];
    }
  }

  // Bottom-up: the children's named parts against the queue's own. What a child names of a resource
  // that the queue only has implied is as firm as if the queue had named it.
  void sum_up(QueueId q) {
    const Queue& queue = tree_[q];
    if (queue.children.empty()) return;
    Amounts named(capacity_.size());
    Amounts implied(capacity_.size());
    for (const QueueId child : queue.children) {
      named += named_[child.index()];
      implied += implied_[child.index()];
    }
    for (std::size_t r = 0; r < capacity_.size(); ++r) {
      if (queue.is_root()) {
        if (named[r] > capacity_[r]) {
          complain(GuaranteeFault::RootsAboveCluster, q, r, named[r], capacity_[r]);
        }
      } else if (!is_written(q)) {
        named_[q.index()][r] = named[r];
        implied_[q.index()][r] = implied[r];
      } else if (!queue.counts[r]) {
        named_[q.index()][r] =
            named[r];  // passed on to the next queue above that counts this model
      } else {
        hold_against(q, r, named[r]);
      }
    }
  }

  void hold_against(QueueId q, std::size_t r, Amount children) {
    const Amount own = own_[q.index()][r];
    if (children > own) complain(GuaranteeFault::ChildrenAboveParent, q, r, children, own);
    Amount& implied = implied_[q.index()][r];
    if (implied == 0) return;
    const Amount firm = std::min(children, implied);
    named_[q.index()][r] = firm;
    implied -= firm;
  }

  // Top-down: every child gets its named part, and of its implied part what the queue has left.
  void share_out(QueueId q) {
    const Queue& queue = tree_[q];
    const Amounts& budget = queue.is_root() ? capacity_ : queue.guarantee;
    for (std::size_t r = 0; r < capacity_.size(); ++r) {
      Amount named = 0;
      Amount implied = 0;
      for (const QueueId child : queue.children) {
        named += named_[child.index()][r];
        implied += implied_[child.index()][r];
      }
      const Amount left = std::max<Amount>(0, budget[r] - named);
      for (const QueueId child : queue.children) {
        const Amount wish = implied_[child.index()][r];
        const Amount part = implied > left ? scaled(wish, left, implied) : wish;
        // A model that this queue does not count is only passed on in named_.
        const bool is_own = tree_[child].counts[r] || !is_written(child);
        tree_[child].guarantee[r] = is_own ? named_[child.index()][r] + part : 0;
      }
    }
  }

  // Bottom-up: a queue without `guarantee:` has the sum of its children's, as they came out.
  void sum_defaults(QueueId q) {
    if (is_written(q)) return;
    Queue& queue = tree_[q];
    queue.guarantee = Amounts(capacity_.size());
    for (const QueueId child : queue.children) queue.guarantee += tree_[child].guarantee;
    for (std::size_t r = 0; r < capacity_.size(); ++r) {
      if (!is_model_[r]) continue;
      queue.counts[r] = all_gpus_counted(queue, r);
      if (!queue.counts[r]) queue.guarantee[r] = 0;
    }
  }

  // Whether some child counts the model, and every child that is guaranteed GPUs does.
  [[nodiscard]] bool all_gpus_counted(const Queue& queue, std::size_t r) const {
    bool any = false;
    for (const QueueId child : queue.children) {
      const bool counts = tree_[child].counts[r];
      any = any || counts;
      if (!counts && gpu_ && tree_[child].guarantee[*gpu_] > 0) return false;
    }
    return any;
  }

  void complain(GuaranteeFault fault, QueueId q, std::size_t r, std::int64_t asked,
                std::int64_t available) {
    problems_.push_back({fault, q, ResourceId(r), asked, available});
  }

  Tree& tree_;
  std::span<const GuaranteeRequest> requests_;
  const Amounts& capacity_;
  std::optional<ResourceId> gpu_;
  std::vector<bool> is_model_;
  std::vector<Amounts> own_;      // as written, before scaling
  std::vector<Amounts> named_;    // of it: firm
  std::vector<Amounts> implied_;  // of it: what scaling may take
  std::vector<GuaranteeProblem> problems_;
};

}  // namespace

std::vector<GuaranteeProblem> resolve_guarantees(Tree& tree,
                                                 std::span<const GuaranteeRequest> requests,
                                                 const Resources& resources,
                                                 const Amounts& capacity) {
  return Resolver(tree, requests, resources, capacity).run();
}

Amount percent_of(std::int64_t value, Amount whole) { return scaled(whole, value, kPercentWhole); }

}  // namespace stint::model
