// Where the oracles find the public traces: $STINT_SHARED, else ../shared beside the sources.
//
// A bare clone has no such folder: tests that need it are skipped by name (HACKING.md, Tests).
// Where the folder is, a file that it lacks is a failure: a lost file must not pass for a bare
// clone.
//
//   if (!has_shared_traces()) GTEST_SKIP() << kSharedIsAbsent;
//   const auto text = slurp(shared_traces() / "swf/kth.swf.gz");
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

namespace stint::oracle {

inline constexpr const char* kSharedIsAbsent = "SKIPPED: ../shared is absent";

inline std::filesystem::path shared_folder() {
  if (const char* folder = std::getenv("STINT_SHARED")) return folder;
#ifdef STINT_SOURCE_DIR
  return std::filesystem::path(STINT_SOURCE_DIR) / "../shared";
#else
  return "../shared";
#endif
}

inline std::filesystem::path shared_traces() { return shared_folder() / "traces"; }

inline bool has_shared_traces() {
  std::error_code error;
  return std::filesystem::is_directory(shared_traces(), error);
}

// All bytes of a file; nothing if it cannot be read.
inline std::optional<std::string> slurp(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace stint::oracle
