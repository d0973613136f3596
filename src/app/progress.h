// A progress bar on the terminal while a simulation runs; silent anywhere else.
#pragma once

#include <chrono>
#include <cstdint>

#include "sim/simulator.h"

namespace stint::app {

class Progress : public sim::Observer {
 public:
  // `jobs`: how many there are in all.
  explicit Progress(std::uint64_t jobs);
  ~Progress() override;

  void ended(const engine::Engine& engine, base::JobId job) override;

 private:
  void draw();
  void clear();

  std::uint64_t jobs_;
  std::uint64_t ended_ = 0;
  bool on_terminal_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace stint::app
