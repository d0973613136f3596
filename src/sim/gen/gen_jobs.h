// The jobs of a planned world, one after the other, in order of submission.
//
// Only the plan and the sweep at hand are kept, so a year of ten million jobs takes no more memory
// than a day.
//
// Threads  one owner; the plan must outlive it.
//
//   GenJobs jobs(plan, seed);
//   while (const GenJob* job = jobs.next()) { ... }
#pragma once

#include <cstdint>
#include <vector>

#include "base/rng.h"
#include "sim/gen/arrivals.h"
#include "sim/gen/choice.h"
#include "sim/gen/gen_plan.h"

namespace stint::sim {

struct GenJob {
  std::int64_t number = 0;  // from 1, in order of submission
  std::int64_t submit_s = 0;
  std::int64_t run_s = 0;
  std::int64_t limit_s = 0;  // 0 = none
  const GenShape* shape = nullptr;
  std::uint32_t team = 0;
  std::uint32_t user = 0;
  std::int32_t pool = -1;  // index in GenPlan::nodes of the model it insists on, -1 = any
  std::int32_t priority = 0;
  bool preemptible = true;
  std::int64_t save_every_s = 0;  // 0 = saves nothing
  std::int64_t save_takes_s = 0;
  std::int64_t restart_s = 0;
};

class GenJobs {
 public:
  GenJobs(const GenPlan& plan, std::uint64_t seed);

  // The next job, valid until the next call; null after the last.
  [[nodiscard]] const GenJob* next();

 private:
  void start_week(std::int64_t week);
  void submit();
  void draw_wishes(const GenShape& shape);
  void draw_saves(const GenShape& shape);
  void draw_limit();
  [[nodiscard]] const GenShape* draw_team(const GenShape* drawn);
  [[nodiscard]] bool chance(std::int64_t share_milli) {
    return share_milli > 0 && static_cast<std::int64_t>(rng_.below(1000)) < share_milli;
  }

  const GenPlan& plan_;
  base::Rng rng_;
  Arrivals arrivals_;
  std::uint64_t mean_jobs_q16_ = 0;
  Choice shapes_;
  Choice sweep_sizes_;
  Choice estimates_;
  Choice save_every_;
  std::vector<Choice> users_;         // by number of users - 1
  std::vector<std::uint32_t> habit_;  // by user, in [0, 1000): who saves, and who does not
  std::vector<std::int64_t> swing_;   // by team, thousandths, of this pair of weeks
  Choice teams_;
  Choice teams_big_;
  std::int64_t week_ = -1;

  GenJob job_;
  std::int64_t left_ = 0;    // jobs to come
  std::int64_t copies_ = 0;  // of the submission at hand
  bool is_sweep_ = false;
  std::uint32_t length_ = 0;  // place in the distribution of the submission at hand
};

}  // namespace stint::sim
