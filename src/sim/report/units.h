// Numbers as people read them in a summary.
#pragma once

#include <string>

#include <fmt/format.h>

namespace stint::sim {

// Resource-hours: `12.5`, `340`.
[[nodiscard]] inline std::string hours(double value) {
  return value >= 100 ? fmt::format("{:.0f}", value) : fmt::format("{:.1f}", value);
}

// Seconds as a span: `45s`, `12m`, `3.4h`, `2.1d`.
[[nodiscard]] inline std::string span(double seconds) {
  if (seconds < 120) return fmt::format("{:.0f}s", seconds);
  if (seconds < 2 * 3600) return fmt::format("{:.0f}m", seconds / 60);
  if (seconds < 2 * 86400) return fmt::format("{:.1f}h", seconds / 3600);
  return fmt::format("{:.1f}d", seconds / 86400);
}

}  // namespace stint::sim
