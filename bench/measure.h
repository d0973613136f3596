// How the benches measure: time without the time that others had, memory, allocations.
//
// The machine is shared. A span is read from the monotonic clock, which costs some 30 ns, and a
// whole lap also from the thread's CPU clock, which costs a system call; the ratio of the two says
// how much of the lap was ours. A mean is scaled by it; percentiles are as read.
// Threads  one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stint::bench {

// Nanoseconds of an arbitrary origin.
[[nodiscard]] std::int64_t wall_ns();
[[nodiscard]] std::int64_t cpu_ns();

// Bytes that the heap has given out at present.
[[nodiscard]] std::int64_t heap_bytes();

// Calls of operator new so far.
[[nodiscard]] std::uint64_t allocations();

// Spans of equal work, in nanoseconds.
class Spans {
 public:
  explicit Spans(std::size_t expected) { ns_.reserve(expected); }
  void add(std::int64_t ns) { ns_.push_back(ns); }
  [[nodiscard]] std::size_t size() const { return ns_.size(); }
  [[nodiscard]] double mean() const;
  // Requires a span, and 0 <= part <= 1.
  [[nodiscard]] double quantile(double part) const;

 private:
  std::vector<std::int64_t> ns_;
};

// A stretch of work around the spans: what part of it this thread was running.
class Lap {
 public:
  Lap() : wall_(wall_ns()), cpu_(cpu_ns()) {}
  [[nodiscard]] double share() const;
  [[nodiscard]] std::int64_t cpu() const { return cpu_ns() - cpu_; }

 private:
  std::int64_t wall_;
  std::int64_t cpu_;
};

}  // namespace stint::bench
