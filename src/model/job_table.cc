#include "model/job_table.h"

namespace stint::model {

JobState JobTable::state_of(JobId id) const {
  if (id.index() >= slots_.size()) return JobState::Future;
  return slots_[id.index()] == kNoSlot ? forgotten_[id.index()] : at(id.index()).state;
}

std::vector<JobId> JobTable::ids() const {
  std::vector<JobId> ids;
  ids.reserve(kept_);
  for (std::size_t id = 0; id < slots_.size(); ++id) {
    if (slots_[id] != kNoSlot) ids.push_back(JobId(id));
  }
  return ids;
}

void JobTable::grow(JobId id) {
  if (id.index() < slots_.size()) return;
  slots_.resize(id.index() + 1, kNoSlot);
  forgotten_.resize(id.index() + 1, JobState::Future);
}

void JobTable::add(JobId id, const Job& job) {
  grow(id);
  STINT_ASSERT(slots_[id.index()] == kNoSlot && forgotten_[id.index()] == JobState::Future);
  ++kept_;
  if (!free_slots_.empty()) {
    slots_[id.index()] = free_slots_.back();
    free_slots_.pop_back();
    at(id.index()) = job;
    return;
  }
  if (chunks_.empty() || chunks_.back().size() == kChunk) {
    chunks_.emplace_back();
    chunks_.back().reserve(kChunk);
  }
  const std::size_t slot = (chunks_.size() - 1) * kChunk + chunks_.back().size();
  slots_[id.index()] = static_cast<std::uint32_t>(slot);
  chunks_.back().push_back(job);
}

void JobTable::forget(JobId id) {
  forgotten_[id.index()] = at(id.index()).state;
  free_slots_.push_back(slots_[id.index()]);
  slots_[id.index()] = kNoSlot;
  --kept_;
}

void JobTable::add_forgotten(JobId id, JobState state) {
  grow(id);
  STINT_ASSERT(slots_[id.index()] == kNoSlot);
  forgotten_[id.index()] = state;
}

}  // namespace stint::model
