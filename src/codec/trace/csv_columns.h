// Columns of the plain trace table by number. Internal to codec/trace.
#pragma once

#include <cstddef>

namespace stint::codec {

// In the order of csv_columns().
enum class Column : std::size_t {
  Id,
  Queue,
  User,
  Submit,
  Run,
  Limit,
  Tasks,
  Gpu,
  Cpu,
  Memory,
  Priority,
  Preemptible,
  CkptEvery,
  CkptTakes,
  Restart,
  Together,
  Where,
  After,
  Patience,
};
inline constexpr std::size_t kColumnCount = 19;

}  // namespace stint::codec
