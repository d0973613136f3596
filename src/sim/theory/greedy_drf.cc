#include "sim/theory/greedy_drf.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/quote.h"

namespace stint::sim {

namespace {

class Greedy {
 public:
  Greedy(const DrfProblem& problem, const GreedyOptions& options)
      : problem_(problem), options_(options), users_(problem.users.size()) {
    result_.granted.resize(users_.size());
    std::int64_t newest = 0;
    for (std::size_t i = 0; i < users_.size(); ++i) {
      users_[i].dom = share_of_one_task(problem, i);
      users_[i].is_idle = asks_for_nothing(problem, i);
      users_[i].lifetime = problem.users[i].past_grants;
      users_[i].stamp = problem.users[i].last_served;
      newest = std::max(newest, users_[i].stamp.value_or(0));
    }
    clock_ = newest;
  }

  GreedyResult run() && {
    for (round_ = 1; round_ <= options_.rounds; ++round_) {
      const std::size_t steps_before = result_.steps.size();
      start_round();
      result_.end = fill();
      if (result_.end == GreedyEnd::StepLimit) break;
      if (result_.steps.size() == steps_before) break;  // later rounds would be as empty
    }
    for (const User& user : users_) {
      result_.tasks.push_back(user.tasks);
      result_.shares.push_back(user.share);
    }
    result_.used = used_;
    return std::move(result_);
  }

 private:
  struct User {
    Rational dom;  // share of one task
    Rational share;
    Rational key;
    double summed = 0;  // the key of ShareForm::SummedDouble
    std::int64_t tasks = 0;
    std::int64_t lifetime = 0;
    std::optional<std::int64_t> stamp;
    bool is_idle = false;       // asks for nothing
    bool is_candidate = false;  // may still get a task in this round
  };

  void start_round() {
    used_.assign(problem_.resources.size(), Rational());
    for (std::size_t i = 0; i < users_.size(); ++i) {
      users_[i].share = Rational();
      users_[i].key = Rational();
      users_[i].summed = 0;
      users_[i].tasks = 0;
      users_[i].is_candidate = wants_more(i) && !is_infeasible(problem_, i);
    }
  }

  GreedyEnd fill() {
    result_.misfit.reset();
    std::vector<std::size_t> misfits;
    while (const std::optional<std::size_t> best = smallest()) {
      if (!fits(*best)) {
        if (options_.misfit == Misfit::Stop) {
          result_.misfit = best;
          return GreedyEnd::Misfit;
        }
        // Usage only grows within a round, so what does not fit now will not fit later in it.
        users_[*best].is_candidate = false;
        misfits.push_back(*best);
        continue;
      }
      if (result_.steps.size() == options_.steps_max) {
        return GreedyEnd::StepLimit;
      }
      serve(*best, std::exchange(misfits, {}));
    }
    for (std::size_t i = 0; i < users_.size(); ++i) {
      if (wants_more(i)) return GreedyEnd::NothingFits;
    }
    return GreedyEnd::AllMet;
  }

  void serve(std::size_t i, std::vector<std::size_t> misfits) {
    GreedyStep step;
    step.round = round_;
    step.user = i;
    step.misfits = std::move(misfits);
    for (std::size_t other = 0; other < users_.size(); ++other) {
      if (users_[other].is_candidate && same_key(other, i)) step.tied.push_back(other);
    }
    User& user = users_[i];
    step.share_before = user.share;
    for (std::size_t r = 0; r < used_.size(); ++r) used_[r] += problem_.users[i].demand[r];
    ++user.tasks;
    ++user.lifetime;
    ++result_.granted[i];
    user.stamp = ++clock_;
    user.share += user.dom;
    user.key = key_of(i);
    user.is_candidate = wants_more(i);
    step.share_after = user.share;
    step.used = used_;
    result_.steps.push_back(std::move(step));
  }

  // The key under the chosen form. Weight 0 keys are raw; they compare among themselves only.
  [[nodiscard]] Rational key_of(std::size_t i) {
    User& user = users_[i];
    const Rational& weight = problem_.users[i].weight;
    const Rational divisor = weight.is_zero() ? Rational(1) : weight;
    switch (options_.share_form) {
      case ShareForm::Exact:
        return user.share / divisor;
      case ShareForm::Percent:
        return (user.share * 100 / divisor).floor();
      case ShareForm::PerMille:
        return (user.share * 1000 / divisor).floor();
      case ShareForm::SummedDouble:
        user.summed += (user.dom / divisor).to_double();
        return Rational::exactly(user.summed);
    }
    return {};
  }

  [[nodiscard]] bool is_last(std::size_t i) const { return problem_.users[i].weight.is_zero(); }

  [[nodiscard]] bool same_key(std::size_t a, std::size_t b) const {
    return is_last(a) == is_last(b) && users_[a].key == users_[b].key;
  }

  // Strict total order of candidates: key, the tie rule, the name.
  [[nodiscard]] bool goes_before(std::size_t a, std::size_t b) const {
    if (is_last(a) != is_last(b)) return is_last(b);
    if (const auto order = users_[a].key <=> users_[b].key; order != 0) return order < 0;
    if (options_.ties == Ties::LastServed && users_[a].stamp != users_[b].stamp) {
      return users_[a].stamp < users_[b].stamp;  // never served sorts first
    }
    if (options_.ties == Ties::Count && users_[a].lifetime != users_[b].lifetime) {
      return users_[a].lifetime < users_[b].lifetime;
    }
    return problem_.users[a].name < problem_.users[b].name;
  }

  [[nodiscard]] std::optional<std::size_t> smallest() const {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < users_.size(); ++i) {
      if (users_[i].is_candidate && (!best || goes_before(i, *best))) best = i;
    }
    return best;
  }

  [[nodiscard]] bool wants_more(std::size_t i) const {
    const auto& limit = problem_.users[i].tasks;
    return !users_[i].is_idle && (!limit || users_[i].tasks < *limit);
  }

  [[nodiscard]] bool fits(std::size_t i) const {
    for (std::size_t r = 0; r < used_.size(); ++r) {
      if (used_[r] + problem_.users[i].demand[r] > problem_.resources[r].capacity) return false;
    }
    return true;
  }

  const DrfProblem& problem_;
  const GreedyOptions& options_;
  GreedyResult result_;
  std::vector<User> users_;
  std::vector<Rational> used_;
  std::int64_t round_ = 1;
  std::int64_t clock_ = 0;  // stamp of the newest grant
};

}  // namespace

GreedyResult greedy_drf(const DrfProblem& problem, const GreedyOptions& options) {
  STINT_ASSERT(options.rounds >= 1);
  return Greedy(problem, options).run();
}

std::string_view to_string(Ties ties) {
  switch (ties) {
    case Ties::LastServed:
      return "last-served";
    case Ties::Name:
      return "name";
    case Ties::Count:
      return "count";
  }
  return "";
}

base::Result<Ties> parse_ties(std::string_view text) {
  for (const Ties ties : {Ties::Name, Ties::Count, Ties::LastServed}) {
    if (text == to_string(ties)) return ties;
  }
  return base::refuse(
      fmt::format("no tie rule is called {}; write name, count or last-served", base::quote(text)));
}

}  // namespace stint::sim
