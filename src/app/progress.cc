#include "app/progress.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include <fmt/format.h>

#include "app/console.h"

namespace stint::app {

namespace {
constexpr std::uint64_t kLookEvery = 256;  // jobs between two looks at the clock
constexpr std::chrono::milliseconds kRedraw{100};
constexpr std::uint64_t kWidth = 40;
}  // namespace

Progress::Progress(std::uint64_t jobs)
    : jobs_(std::max<std::uint64_t>(jobs, 1)),
      on_terminal_(stderr_is_terminal()),
      next_(std::chrono::steady_clock::now() + kRedraw) {}

Progress::~Progress() { clear(); }

void Progress::ended(const engine::Engine& /*engine*/, base::JobId /*job*/) {
  ++ended_;
  if (!on_terminal_ || ended_ % kLookEvery != 0) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + kRedraw;
  draw();
}

void Progress::draw() {
  const std::uint64_t part = std::min(ended_, jobs_);
  const std::string bar(part * kWidth / jobs_, '#');
  fmt::print(stderr, "\r[{:<{}}] {:>3} %  {} of {} jobs", bar, kWidth, part * 100 / jobs_, part,
             jobs_);
  std::fflush(stderr);
  drawn_ = true;
}

void Progress::clear() {
  if (!drawn_) return;
  fmt::print(stderr, "\r{:<79}\r", "");
  std::fflush(stderr);
}

}  // namespace stint::app
