#include "engine/turn/job_list.h"

#include <algorithm>

#include "base/assert.h"

namespace stint::engine {

JobRank job_rank(const State& state, JobId id, ListOrder order) {
  const model::Job& job = state.jobs[id];
  JobRank rank{true, 0, job.spec.submit, id};
  if (order == ListOrder::User) {
    rank.not_returned = !job.returned;
    rank.minus_priority = -std::int64_t{job.spec.priority};
  } else if (order == ListOrder::Work) {
    rank.minus_priority = job.spec.work;
  }
  return rank;
}

std::size_t JobList::block_of(const State& state, ListOrder order, const JobRank& rank) const {
  const auto it = std::partition_point(blocks_.begin(), blocks_.end(), [&](const Block& block) {
    return job_rank(state, block.ids.back(), order) < rank;
  });
  return static_cast<std::size_t>(it - blocks_.begin());
}

JobId JobList::after(const State& state, ListOrder order, const JobRank& rank) const {
  for (std::size_t b = block_of(state, order, rank); b < blocks_.size(); ++b) {
    const Block& block = blocks_[b];
    const auto first = block.ids.begin() + static_cast<std::ptrdiff_t>(block.begin);
    const auto it = std::partition_point(
        first, block.ids.end(), [&](JobId id) { return job_rank(state, id, order) <= rank; });
    if (it != block.ids.end()) return *it;
  }
  return {};
}

void JobList::split(std::size_t b) {
  Block& block = blocks_[b];
  block.ids.erase(block.ids.begin(),
                  block.ids.begin() + static_cast<std::ptrdiff_t>(std::exchange(block.begin, 0)));
  if (block.ids.size() <= kBlock) return;
  const auto middle = block.ids.begin() + static_cast<std::ptrdiff_t>(block.ids.size() / 2);
  Block upper;
  upper.ids.assign(middle, block.ids.end());
  block.ids.erase(middle, block.ids.end());
  blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(b) + 1, std::move(upper));
}

void JobList::insert(const State& state, ListOrder order, JobId job) {
  const JobRank rank = job_rank(state, job, order);
  std::size_t b = block_of(state, order, rank);
  if (b == blocks_.size()) {
    // Behind all others.
    if (blocks_.empty() || blocks_.back().ids.size() >= kBlock) blocks_.emplace_back();
    blocks_.back().ids.push_back(job);
    return;
  }
  Block& block = blocks_[b];
  const auto first = block.ids.begin() + static_cast<std::ptrdiff_t>(block.begin);
  const auto it = std::partition_point(first, block.ids.end(),
                                       [&](JobId id) { return job_rank(state, id, order) < rank; });
  STINT_ASSERT(*it != job);
  block.ids.insert(it, job);
  if (block.ids.size() > kBlock) split(b);
}

void JobList::erase(const State& state, ListOrder order, JobId job) {
  const JobRank rank = job_rank(state, job, order);
  const std::size_t b = block_of(state, order, rank);
  STINT_ASSERT(b < blocks_.size());
  Block& block = blocks_[b];
  const auto first = block.ids.begin() + static_cast<std::ptrdiff_t>(block.begin);
  const auto it = std::partition_point(first, block.ids.end(),
                                       [&](JobId id) { return job_rank(state, id, order) < rank; });
  STINT_ASSERT(it != block.ids.end() && *it == job);
  if (it == first) {
    ++block.begin;
  } else {
    block.ids.erase(it);
  }
  if (block.begin == block.ids.size()) {
    blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(b));
  }
}

}  // namespace stint::engine
