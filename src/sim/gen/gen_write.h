// A generated world as files: the configuration at once, the trace row by row.
//
// Threads  one owner; the plan must outlive the writer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/gen/gen_jobs.h"
#include "sim/gen/gen_plan.h"

namespace stint::sim {

// cluster.yaml. `made_by` is the command that wrote it, for the comment on top; one line.
[[nodiscard]] std::string gen_cluster_yaml(const GenPlan& plan, std::string_view made_by);

// Writes rows of the plain trace table (codec/trace/csv.h), with those columns that the plan uses.
class GenRows {
 public:
  explicit GenRows(const GenPlan& plan);
  [[nodiscard]] std::string header() const;
  // Appends the row of `job` with its line end.
  void append(const GenJob& job, std::string& text) const;

 private:
  const GenPlan& plan_;
  bool has_limit_ = false;
  bool has_tasks_ = false;
  bool has_cpu_ = false;
  bool has_memory_ = false;
  bool has_priority_ = false;
  bool has_preemptible_ = false;
  bool has_saves_ = false;
  bool has_where_ = false;
};

}  // namespace stint::sim
