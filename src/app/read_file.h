// Whole files to memory: the one place where the program reads input from disk.
//
//   STINT_TRY(std::string bytes, read_file("traces/week.csv.gz"));
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"

namespace stint::app {

// Largest file that is read: 2 GiB.
inline constexpr std::size_t kFileMax = std::size_t{2} << 30U;

// The bytes of a file or pipe.
//   Errors  Refused: no such file, a folder, no permission, more than `bytes_max` bytes;
//           Failed: the device failed while reading. Each names the path.
[[nodiscard]] base::Result<std::string> read_file(const std::string& path,
                                                  std::size_t bytes_max = kFileMax);

}  // namespace stint::app
