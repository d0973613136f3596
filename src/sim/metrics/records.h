// What became of every job, for `jobs.csv`: one small record per job, however long the run.
//
// Threads  one owner.
#pragma once

#include <algorithm>
#include <memory>
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

// One record per job, by JobId, in chunks: a vector that doubles would hold up to twice as much.
class JobRecords {
 public:
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const JobRecord& operator[](std::size_t job) const {
    return chunks_[job / kChunk][job % kChunk];
  }
  [[nodiscard]] JobRecord& operator[](std::size_t job) {
    return chunks_[job / kChunk][job % kChunk];
  }
  void grow(std::size_t size) {
    size_ = std::max(size_, size);
    while (chunks_.size() * kChunk < size_) {
      chunks_.push_back(std::make_unique<JobRecord[]>(kChunk));
    }
  }

 private:
  static constexpr std::size_t kChunk = 4096;

  std::vector<std::unique_ptr<JobRecord[]>> chunks_;
  std::size_t size_ = 0;
};

class Records : public Observer {
 public:
  void finished(const engine::Engine& engine, JobId job) override;

  // By JobId, those that are not over included.
  [[nodiscard]] JobRecords all(const engine::Engine& engine) &&;

 private:
  void note(const engine::Engine& engine, JobId job);

  JobRecords records_;
};

}  // namespace stint::sim
