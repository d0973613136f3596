#include "sim/metrics/records.h"

namespace stint::sim {

void Records::note(const engine::Engine& engine, JobId id) {
  const model::Job& job = engine.state().jobs[id];
  if (id.index() >= records_.size()) records_.grow(id.index() + 1);
  JobRecord& record = records_[id.index()];
  record.first_start = job.first_start;
  record.end = job.end;
  record.lost_gpu_ms = static_cast<std::int64_t>(job.lost_gpu_ms);
  record.runs = job.runs;
  record.state = job.state == model::JobState::Future ? model::JobState::Waiting : job.state;
  record.is_impossible = record.state == model::JobState::Waiting &&
                         (job.spec.impossible || !engine.fits_machine(job.spec.shape));
}

void Records::finished(const engine::Engine& engine, JobId job) { note(engine, job); }

JobRecords Records::all(const engine::Engine& engine) && {
  records_.grow(engine.state().jobs.size());
  for (const JobId id : engine.state().jobs.ids()) note(engine, id);
  return std::move(records_);
}

}  // namespace stint::sim
