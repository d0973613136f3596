// Jobs in the order in which they want to run, for lists of any length.
//
// A list of sorted blocks: the usual arrival (later than all before) and the usual departure (the
// first) cost nothing; any other place costs a search and the moving of one block.
//
// Invariants  1. blocks are never empty, and hold at most kBlock ids.  2. ids stand in the order of
//             their ranks, which do not change while they are listed.
// Threads     the owner of the engine.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "model/state.h"

namespace stint::engine {

using base::JobId;
using base::Millis;
using model::State;

// Order inside one user: back from a failure first, then job priority (higher first), submit time,
// id.
struct JobRank {
  bool not_returned = true;
  std::int64_t minus_priority = 0;
  Millis submit = 0;
  JobId id;

  friend auto operator<=>(const JobRank&, const JobRank&) = default;
};

// How a list is ordered: `User` as above, `Submit` by submit time, `Work` by true run time.
enum class ListOrder : std::uint8_t { User, Submit, Work };

[[nodiscard]] JobRank job_rank(const State& state, JobId job, ListOrder order);

class JobList {
 public:
  [[nodiscard]] bool empty() const { return blocks_.empty(); }
  [[nodiscard]] JobId front() const { return blocks_.front().ids[blocks_.front().begin]; }
  // The first job after `rank`; none if there is none.
  [[nodiscard]] JobId after(const State& state, ListOrder order, const JobRank& rank) const;
  [[nodiscard]] JobId back() const { return blocks_.back().ids.back(); }

  void insert(const State& state, ListOrder order, JobId job);
  // Requires that it is there.
  void erase(const State& state, ListOrder order, JobId job);

 private:
  static constexpr std::size_t kBlock = 256;
  struct Block {
    std::size_t begin = 0;  // ids before it have left
    std::vector<JobId> ids;
  };

  // The first block whose last job does not go before `rank`.
  [[nodiscard]] std::size_t block_of(const State& state, ListOrder order,
                                     const JobRank& rank) const;
  void split(std::size_t block);

  std::vector<Block> blocks_;
};

}  // namespace stint::engine
