// The files of `stint sim --out`: made before the run, so that a folder that cannot be written is
// known at once; each complete or not there at all.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/sim_setup.h"
#include "app/write_file.h"
#include "sim/metrics/records.h"
#include "sim/metrics/summary.h"

namespace stint::app {

class Outputs {
 public:
  // Makes the folder where it is missing.
  [[nodiscard]] static base::Result<Outputs> create(const std::string& folder_name);

  void write_timeline(std::string_view text) { timeline_.write(text); }
  // Writes what is known at the end, and puts all files in their place.
  [[nodiscard]] base::Result<void> finish(const Setup& setup, const engine::Engine& engine,
                                          const sim::JobRecords& records,
                                          const sim::Summary& summary);

 private:
  Outputs(PendingFile timeline, PendingFile jobs, std::string metrics)
      : timeline_(std::move(timeline)), jobs_(std::move(jobs)), metrics_(std::move(metrics)) {}

  PendingFile timeline_;
  PendingFile jobs_;
  std::string metrics_;
};

}  // namespace stint::app
