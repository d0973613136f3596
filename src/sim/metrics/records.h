// What became of every job, for `jobs.csv`: one small record per job, however long the run.
//
// Threads  one owner.
#pragma once

#include <vector>

#include "sim/simulator.h"

namespace stint::sim {

struct JobRecord {
  Millis first_start = base::kNever;
  Millis end = base::kNever;
  std::int64_t lost_gpu_ms = 0;  // thousandths of GPU × ms
  std::uint32_t runs = 0;
  std::uint32_t evictions : 24 = 0;
  model::JobState state : 7 = model::JobState::Waiting;
  bool is_impossible : 1 = false;
};
static_assert(sizeof(JobRecord) == 32);

class Records : public Observer {
 public:
  void finished(const engine::Engine& engine, JobId job) override;

  // By JobId, those that are not over included.
  [[nodiscard]] std::vector<JobRecord> all(const engine::Engine& engine) &&;

 private:
  void note(const engine::Engine& engine, JobId job);

  std::vector<JobRecord> records_;
};

}  // namespace stint::sim
