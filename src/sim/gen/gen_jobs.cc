#include "sim/gen/gen_jobs.h"

#include <algorithm>

#include "base/assert.h"
#include "base/int128.h"
#include "sim/gen/gen_shapes.h"
#include "sim/gen/gen_teams.h"

namespace stint::sim {

using base::kSecond;
using base::kUnit;

namespace {

Choice choice_of(const std::vector<GenWeighted>& list) {
  std::vector<std::uint64_t> weights;
  weights.reserve(list.size());
  for (const GenWeighted& item : list) weights.push_back(item.weight);
  return Choice(std::move(weights));
}

std::int64_t seconds(base::Millis span) {
  return std::max<std::int64_t>(1, (span + kSecond / 2) / kSecond);
}

// `p` moved by at most half of `spread`, thrown back at both ends: a uniform `p` stays uniform.
std::uint32_t jittered(std::uint32_t p, std::int64_t spread_milli, base::Rng& rng) {
  if (spread_milli == 0) return p;
  constexpr std::int64_t kOne = std::int64_t{1} << 32;
  const std::int64_t half = kOne * spread_milli / 2000;
  std::int64_t moved = std::int64_t{p} + rng.between(-half, half);
  if (moved < 0) moved = -moved;
  if (moved >= kOne) moved = 2 * kOne - 1 - moved;
  return static_cast<std::uint32_t>(moved);
}

bool may_hold(const GenTeam& team, const GenShape& shape) {
  const std::int64_t gpus = shape.gpus_milli();
  return (team.limit == 0 || gpus <= team.limit * kUnit) &&
         (team.user_limit == 0 || gpus <= team.user_limit * kUnit);
}

// Jobs of all submissions over submissions, times 2^16.
std::uint64_t mean_jobs(const GenPlan& plan) {
  base::u128 jobs = 0;
  base::u128 submissions = 0;
  for (const GenShape& shape : plan.shapes) {
    jobs += static_cast<base::u128>(shape.weight) << 16U;
    submissions += submission_weight(plan.model, shape);
  }
  return static_cast<std::uint64_t>((jobs << 16U) / submissions);
}

}  // namespace

GenJobs::GenJobs(const GenPlan& plan, std::uint64_t seed)
    : plan_(plan),
      rng_(seed),
      arrivals_(plan.model, plan.hours, base::Rng(seed ^ 0x6172726976616c73U).next()),
      mean_jobs_q16_(mean_jobs(plan)),
      sweep_sizes_(choice_of(plan.model.sweep_sizes)),
      estimates_(choice_of(plan.model.estimate)),
      save_every_(choice_of(plan.model.save_every)),
      left_(plan.model.jobs) {
  std::vector<std::uint64_t> weights;
  weights.reserve(plan.shapes.size());
  for (const GenShape& shape : plan.shapes) {
    weights.push_back(submission_weight(plan.model, shape));
  }
  shapes_ = Choice(std::move(weights));
  std::uint32_t most = 0;
  for (const GenTeam& team : plan.teams) most = std::max(most, team.user_count);
  for (std::uint32_t count = 1; count <= most; ++count) {
    const bool is_used = std::any_of(plan.teams.begin(), plan.teams.end(),
                                     [&](const GenTeam& t) { return t.user_count == count; });
    users_.push_back(is_used ? Choice(zipf(count, plan.model.user_skew_milli)) : Choice());
  }
  for (std::size_t i = 0; i < plan.users.size(); ++i) {
    habit_.push_back(static_cast<std::uint32_t>(rng_.below(1000)));
  }
  swing_.resize(plan.teams.size(), 0);
}

// Weeks come in pairs: who submits more in the first submits less in the second, so that shares of
// teams hold over a month.
void GenJobs::start_week(std::int64_t week) {
  week_ = week;
  const std::int64_t most = plan_.model.swing_milli;
  std::vector<std::uint64_t> all;
  std::vector<std::uint64_t> big;
  for (std::size_t i = 0; i < swing_.size(); ++i) {
    swing_[i] = week % 2 == 0 ? rng_.between(-most, most) : -swing_[i];
    const auto factor = static_cast<std::uint64_t>(1000 + swing_[i]);
    all.push_back(plan_.teams[i].share * factor);
    big.push_back(plan_.teams[i].share_big * factor);
  }
  teams_ = Choice(std::move(all));
  teams_big_ = Choice(std::move(big));
}

// Draws the team of a job, and what it gets. A team that may not hold the job passes it on, so that
// large gangs stay as frequent as they were meant to be.
const GenShape* GenJobs::draw_team(const GenShape* drawn) {
  const bool is_big = drawn->size != GenSize::Cpu && drawn->size != GenSize::One;
  const Choice& teams = is_big ? teams_big_ : teams_;
  constexpr int kTries = 20;
  for (int i = 0; i < kTries; ++i) {
    job_.team = static_cast<std::uint32_t>(teams.pick(rng_));
    if (may_hold(plan_.teams[job_.team], *drawn)) return drawn;
  }
  // GPU shapes stand first and rise; a team that may not even hold the smallest gets that one.
  const GenShape* smaller = drawn;
  while (smaller != plan_.shapes.data() && !may_hold(plan_.teams[job_.team], *smaller)) --smaller;
  return smaller;
}

void GenJobs::draw_limit() {
  job_.limit_s = 0;
  const std::vector<std::int64_t>& limits = plan_.model.limits;
  if (limits.empty()) return;
  const std::int64_t run = job_.run_s * kSecond;
  if (chance(plan_.model.timeout_milli) && limits.front() < run) {
    const auto above = std::lower_bound(limits.begin(), limits.end(), run);
    job_.limit_s = *(above - 1) / kSecond;
    return;
  }
  const std::int64_t wanted = run / kUnit * plan_.model.estimate[estimates_.pick(rng_)].value;
  const auto limit = std::lower_bound(limits.begin(), limits.end(), wanted);
  const base::Millis days =
      std::min((wanted + base::kDay - 1) / base::kDay * base::kDay, base::kSpanMax);
  job_.limit_s = (limit == limits.end() ? days : *limit) / kSecond;
}

void GenJobs::draw_saves(const GenShape& shape) {
  const GenModel& m = plan_.model;
  job_.save_every_s = 0;
  job_.save_takes_s = 0;
  job_.restart_s = 0;
  const bool is_many = shape.size == GenSize::Many;
  std::int64_t share = m.saves_node_milli;
  if (shape.size == GenSize::One || shape.size == GenSize::Cpu) share = m.saves_one_milli;
  if (is_many) share = m.saves_many_milli;
  const base::Millis every = m.save_every[save_every_.pick(rng_)].value;
  if (habit_[job_.user] >= share || job_.run_s * kSecond <= every) return;
  job_.save_every_s = every / kSecond;
  job_.save_takes_s = (is_many ? m.save_takes_many : m.save_takes) / kSecond;
  job_.restart_s = (is_many ? m.restart_many : m.restart) / kSecond;
}

void GenJobs::draw_wishes(const GenShape& shape) {
  const GenModel& m = plan_.model;
  const GenTeam& team = plan_.teams[job_.team];
  job_.priority = chance(m.priority_share_milli) ? 10 : 0;
  const bool has_room = shape.size != GenSize::Cpu && shape.gpus_milli() <= team.guarantee * kUnit;
  job_.preemptible = !(chance(m.protected_share_milli) && has_room);
  job_.pool = -1;
  if (shape.size == GenSize::Cpu || !chance(m.model_share_milli)) return;
  // One of the pools that hold twice the job, by their GPUs.
  std::vector<std::uint64_t> weights;
  std::uint64_t sum = 0;
  for (const GenNodes& nodes : plan_.nodes) {
    const bool fits = holds_task(nodes.pool, shape) &&
                      nodes.gpus() * kUnit >= 2 * shape.gpus_milli() &&
                      nodes.count * (nodes.pool.gpus * kUnit / shape.gpu_milli) >= shape.tasks;
    weights.push_back(fits ? static_cast<std::uint64_t>(nodes.gpus()) : 0);
    sum += weights.back();
  }
  if (sum > 0) job_.pool = static_cast<std::int32_t>(Choice(std::move(weights)).pick(rng_));
}

// Draws what all jobs of a submission have in common.
void GenJobs::submit() {
  job_.submit_s = arrivals_.next(left_, mean_jobs_q16_);
  const std::int64_t week = job_.submit_s / (std::int64_t{7} * 86'400);
  while (week_ < week) start_week(week_ + 1);
  const GenShape& drawn = plan_.shapes[shapes_.pick(rng_)];
  job_.shape = draw_team(&drawn);
  const GenShape& shape = *job_.shape;
  const GenTeam& team = plan_.teams[job_.team];
  job_.user = team.user_first + static_cast<std::uint32_t>(users_[team.user_count - 1].pick(rng_));
  copies_ = 1;
  is_sweep_ = drawn.can_sweep && chance(plan_.model.sweep_share_milli);
  if (is_sweep_) copies_ = plan_.model.sweep_sizes[sweep_sizes_.pick(rng_)].value / kUnit;
  copies_ = std::min(copies_, left_);
  length_ = static_cast<std::uint32_t>(rng_.next() >> 32U);
  draw_wishes(shape);
}

const GenJob* GenJobs::next() {
  if (left_ == 0) return nullptr;
  const bool is_first = copies_ == 0;
  if (is_first) submit();
  --copies_;
  --left_;
  ++job_.number;
  const std::uint32_t length =
      is_sweep_ ? jittered(length_, plan_.model.sweep_spread_milli, rng_) : length_;
  job_.run_s = seconds(plan_.runs[static_cast<std::size_t>(job_.shape->size)].at(length));
  // The jobs of a sweep are told apart by what happens in them, not by what is said of them.
  if (is_first) {
    draw_limit();
    draw_saves(*job_.shape);
  } else if (job_.limit_s != 0 && job_.limit_s < job_.run_s) {
    draw_limit();
  }
  return &job_;
}

}  // namespace stint::sim
