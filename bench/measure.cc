#include "measure.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <new>
#include <numeric>

#include <malloc.h>

namespace {

std::uint64_t allocation_count = 0;

}  // namespace

// Counts every allocation of the program; the other forms end in these two.
void* operator new(std::size_t size) {
  ++allocation_count;
  void* const memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) std::abort();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace stint::bench {

namespace {

std::int64_t read(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

std::int64_t wall_ns() { return read(CLOCK_MONOTONIC); }
std::int64_t cpu_ns() { return read(CLOCK_THREAD_CPUTIME_ID); }
std::uint64_t allocations() { return allocation_count; }

std::int64_t heap_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<std::int64_t>(info.uordblks + info.hblkhd);
}

double Spans::mean() const {
  const std::int64_t sum = std::accumulate(ns_.begin(), ns_.end(), std::int64_t{0});
  return static_cast<double>(sum) / static_cast<double>(ns_.size());
}

double Spans::quantile(double part) const {
  std::vector<std::int64_t> sorted = ns_;
  const auto at = static_cast<std::ptrdiff_t>(part * static_cast<double>(sorted.size() - 1));
  std::nth_element(sorted.begin(), sorted.begin() + at, sorted.end());
  return static_cast<double>(sorted[static_cast<std::size_t>(at)]);
}

double Lap::share() const {
  const auto wall = static_cast<double>(wall_ns() - wall_);
  return std::min(1.0, static_cast<double>(cpu()) / wall);
}

}  // namespace stint::bench
