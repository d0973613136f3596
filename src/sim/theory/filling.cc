#include "sim/theory/filling.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/assert.h"

namespace stint::sim {

namespace {

class Filling {
 public:
  Filling(const DrfProblem& problem, std::span<const Rational> measure)
      : problem_(problem), measure_(measure), active_(problem.users.size(), false) {
    result_.tasks.resize(problem.users.size());
    result_.causes.resize(problem.users.size(), FreezeCause::NoDemand);
    for (const DrfResource& resource : problem.resources) free_.push_back(resource.capacity);
  }

  FluidResult run() && {
    fill(false);
    fill(true);
    finish();
    return std::move(result_);
  }

 private:
  void fill(bool is_leftover) {
    start_phase(is_leftover);
    Rational level;
    while (std::ranges::find(active_, true) != active_.end()) {
      const Rational rise = next_rise();
      level += rise;
      rise_by(rise);
      FluidStep step;
      step.level = level;
      step.is_leftover = is_leftover;
      freeze(step);
      step.tasks = result_.tasks;
      result_.steps.push_back(std::move(step));
    }
  }

  // Wakes the users of this phase; those who cannot even start keep their cause.
  void start_phase(bool is_leftover) {
    speed_.assign(problem_.users.size(), Rational());
    for (std::size_t i = 0; i < problem_.users.size(); ++i) {
      const DrfUser& user = problem_.users[i];
      if (user.weight.is_zero() != is_leftover || asks_for_nothing(problem_, i)) continue;
      if (is_infeasible(problem_, i)) {
        result_.causes[i] = FreezeCause::Infeasible;
        continue;
      }
      STINT_ASSERT(measure_[i].sign() > 0);
      active_[i] = true;
      speed_[i] = (is_leftover ? Rational(1) : user.weight) / measure_[i];
    }
    was_full_.clear();
    for (const Rational& amount : free_) was_full_.push_back(amount.is_zero());
  }

  // How far the level can rise until a resource is full or a user has all its tasks.
  [[nodiscard]] Rational next_rise() const {
    std::optional<Rational> least;
    const auto offer = [&](Rational rise) {
      if (!least || rise < *least) least = std::move(rise);
    };
    for (std::size_t r = 0; r < free_.size(); ++r) {
      const Rational speed = consumption(r);
      if (speed.sign() > 0) offer(free_[r] / speed);
    }
    for (std::size_t i = 0; i < active_.size(); ++i) {
      const auto& limit = problem_.users[i].tasks;
      if (active_[i] && limit) offer((Rational(*limit) - result_.tasks[i]) / speed_[i]);
    }
    STINT_ASSERT(least.has_value());  // an active user needs some resource
    return *std::move(least);
  }

  // What all active users take of one resource while the level rises by 1.
  [[nodiscard]] Rational consumption(std::size_t r) const {
    Rational sum;
    for (std::size_t i = 0; i < active_.size(); ++i) {
      if (active_[i]) sum += speed_[i] * problem_.users[i].demand[r];
    }
    return sum;
  }

  void rise_by(const Rational& rise) {
    for (std::size_t r = 0; r < free_.size(); ++r) free_[r] -= consumption(r) * rise;
    for (std::size_t i = 0; i < active_.size(); ++i) {
      if (active_[i]) result_.tasks[i] += speed_[i] * rise;
    }
  }

  void freeze(FluidStep& step) {
    for (std::size_t r = 0; r < free_.size(); ++r) {
      if (free_[r].is_zero() && !was_full_[r]) {
        was_full_[r] = true;
        step.saturated.push_back(r);
      }
    }
    for (std::size_t i = 0; i < active_.size(); ++i) {
      if (!active_[i]) continue;
      const auto& limit = problem_.users[i].tasks;
      if (limit && result_.tasks[i] == Rational(*limit)) {
        stop(i, FreezeCause::DemandMet, step.met);
      } else if (needs_a_full_resource(i)) {
        stop(i, FreezeCause::Saturated, step.frozen);
      }
    }
  }

  [[nodiscard]] bool needs_a_full_resource(std::size_t i) const {
    for (std::size_t r = 0; r < free_.size(); ++r) {
      if (free_[r].is_zero() && problem_.users[i].demand[r].sign() > 0) return true;
    }
    return false;
  }

  void stop(std::size_t i, FreezeCause cause, std::vector<std::size_t>& list) {
    active_[i] = false;
    result_.causes[i] = cause;
    list.push_back(i);
  }

  void finish() {
    for (std::size_t r = 0; r < free_.size(); ++r) {
      const Rational& capacity = problem_.resources[r].capacity;
      result_.used.push_back(capacity - free_[r]);
      if (free_[r].is_zero() && !capacity.is_zero()) result_.saturated.push_back(r);
    }
    for (std::size_t i = 0; i < problem_.users.size(); ++i) {
      result_.shares.push_back(result_.tasks[i] * share_of_one_task(problem_, i));
    }
  }

  const DrfProblem& problem_;
  std::span<const Rational> measure_;
  FluidResult result_;
  std::vector<Rational> free_;   // per resource
  std::vector<Rational> speed_;  // tasks per unit of level, per user
  std::vector<bool> active_;
  std::vector<bool> was_full_;
};

}  // namespace

FluidResult fill_progressively(const DrfProblem& problem, std::span<const Rational> measure) {
  STINT_ASSERT(measure.size() == problem.users.size());
  return Filling(problem, measure).run();
}

}  // namespace stint::sim
