// From a trace to jobs of a State: queues mapped, users and shapes interned.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hash_index.h"
#include "base/result.h"
#include "codec/trace/trace.h"
#include "engine/engine.h"
#include "sim/simulator.h"

namespace stint::sim {

struct LoadOptions {
  // `from -> to`, from `--queue-map`; a queue of the trace that is not named keeps its name.
  std::vector<std::pair<std::string, std::string>> queue_map;
  // Add queues that the tree lacks, flat and of weight 1.
  bool auto_queues = false;
};

// The jobs of a trace as a State knows them, made one by one.
//
// Threads  const once made.
class TraceJobs {
 public:
  // Adds the trace's queues (if allowed), users and shapes to `state`. `trace` must outlive it.
  //   Errors  every queue that the tree lacks or that is no leaf, every column that this cluster
  //           cannot honour (gpu without GPUs is no error: the job is impossible), all at once.
  [[nodiscard]] static base::Result<TraceJobs> make(const codec::Trace& trace,
                                                    const LoadOptions& options,
                                                    engine::State& state);

  // The job of a row, without its name.
  [[nodiscard]] model::JobSpec spec(std::size_t row) const;
  [[nodiscard]] std::string_view name(std::size_t row) const {
    return trace_->name(trace_->rows[row]);
  }
  [[nodiscard]] const codec::Trace& trace() const { return *trace_; }
  [[nodiscard]] base::QueueId queue(std::size_t row) const {
    return queues_[trace_->rows[row].queue];
  }
  [[nodiscard]] base::UserId user(std::size_t row) const { return users_[trace_->rows[row].user]; }
  [[nodiscard]] base::ShapeId shape(std::size_t row) const;

 private:
  // Rows with the same of these ask for the same.
  struct Asks {
    std::uint32_t shape = 0;   // of the trace
    std::uint32_t traits = 0;  // of the trace
    std::uint32_t tasks = 0;
    base::ShapeId id;  // of State

    [[nodiscard]] bool are_of(const codec::TraceRow& row) const {
      return shape == row.shape && traits == row.traits && tasks == row.tasks;
    }
    [[nodiscard]] static std::uint64_t hash(const codec::TraceRow& row);
  };

  const codec::Trace* trace_ = nullptr;
  std::vector<base::QueueId> queues_;  // by queue of the trace
  std::vector<base::UserId> users_;    // by user of the trace
  std::vector<Asks> asks_;
  base::HashIndex asks_index_;
};

// All jobs at once, in row order, with their names.
[[nodiscard]] base::Result<std::vector<model::JobSpec>> load_jobs(const codec::Trace& trace,
                                                                  const LoadOptions& options,
                                                                  engine::State& state);

// Gives the jobs of a trace in order of their submission; a job's id is its row.
class TraceSource : public JobSource {
 public:
  explicit TraceSource(const TraceJobs& jobs);

  [[nodiscard]] Millis next_submit() const override;
  std::pair<JobId, model::JobSpec> take() override;

 private:
  [[nodiscard]] std::size_t row() const { return order_.empty() ? next_ : order_[next_]; }

  const TraceJobs& jobs_;
  std::vector<std::uint32_t> order_;  // rows by submit time; empty if they stand so
  std::size_t next_ = 0;
};

// Reads a queue map: one `from to` (or `from,to`) per line, `#` comments.
[[nodiscard]] base::Result<std::vector<std::pair<std::string, std::string>>> read_queue_map(
    std::string_view text, std::string_view file);

}  // namespace stint::sim
