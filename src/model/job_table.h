// The jobs of State, by JobId.
//
// Ids are dense and given once; what is known of a job lies in a slot that is used again after the
// job was forgotten. Of a forgotten job five bytes stay: that it is over, and how.
//
// Invariants  1. a reference to a job stays valid until that job is forgotten.
// Threads     the owner of State.
#pragma once

#include <cstdint>
#include <vector>

#include "base/assert.h"
#include "base/ids.h"
#include "base/int128.h"
#include "model/job.h"

namespace stint::model {

using base::TenantId;

// A job as State keeps it.
struct Job {
  JobAsk spec;
  JobState state = JobState::Future;
  bool held = false;
  bool returned = false;  // back from a failure: ahead of its user's other jobs
  std::uint32_t runs = 0;
  std::uint32_t failures = 0;      // runs ended by a failed node
  std::uint32_t run = UINT32_MAX;  // index into State::runs while Running
  TenantId tenant;                 // its user inside its leaf, once submitted
  Millis first_start = base::kNever;
  Millis end = base::kNever;
  Millis work_saved = 0;
  base::i128 held_gpu_ms = 0;  // thousandths of GPU × ms held by runs that are over
  base::i128 lost_gpu_ms = 0;  // of which lost by stops that were not the owner's
};
static_assert(sizeof(Job) == 128);

class JobTable {
 public:
  // How many ids are known, forgotten ones included.
  [[nodiscard]] std::size_t size() const { return slots_.size(); }
  // How many jobs are kept.
  [[nodiscard]] std::size_t kept() const { return kept_; }
  // Whether the job is kept: it was added and not forgotten.
  [[nodiscard]] bool has(JobId id) const {
    return id.index() < slots_.size() && slots_[id.index()] != kNoSlot;
  }

  // Requires has(id).
  [[nodiscard]] const Job& operator[](JobId id) const { return at(id.index()); }
  [[nodiscard]] Job& operator[](JobId id) { return at(id.index()); }
  [[nodiscard]] const Job& operator[](std::size_t id) const { return at(id); }
  [[nodiscard]] Job& operator[](std::size_t id) { return at(id); }

  // Kept jobs in order of their ids: `for (const JobId id : state.jobs.ids())`.
  [[nodiscard]] std::vector<JobId> ids() const;

  // How a job stands, also one that is forgotten; Future if it was never added.
  [[nodiscard]] JobState state_of(JobId id) const;

  // Adds a job under an id that has none yet; ids below it that were not given yet stay open.
  void add(JobId id, const Job& job);
  // Frees the job's slot; its state stays known.
  void forget(JobId id);
  // For snapshots: notes a job that was forgotten before.
  void add_forgotten(JobId id, JobState state);

 private:
  static constexpr std::uint32_t kNoSlot = UINT32_MAX;
  static constexpr std::size_t kChunk = 1024;

  void grow(JobId id);
  // Every look at a job passes here: one test, no call.
  [[nodiscard]] [[gnu::always_inline]] const Job& at(std::size_t id) const {
    const std::uint32_t slot = id < slots_.size() ? slots_.data()[id] : kNoSlot;
    STINT_ASSERT(slot != kNoSlot);
    return chunks_.data()[slot / kChunk].data()[slot % kChunk];
  }
  [[nodiscard]] [[gnu::always_inline]] Job& at(std::size_t id) {
    const std::uint32_t slot = id < slots_.size() ? slots_.data()[id] : kNoSlot;
    STINT_ASSERT(slot != kNoSlot);
    return chunks_.data()[slot / kChunk].data()[slot % kChunk];
  }

  std::vector<std::uint32_t> slots_;       // by JobId
  std::vector<JobState> forgotten_;        // by JobId: how it ended; Future otherwise
  std::vector<std::vector<Job>> chunks_;   // of kChunk slots each
  std::vector<std::uint32_t> free_slots_;  // used again, last freed first
  std::size_t kept_ = 0;
};

}  // namespace stint::model
