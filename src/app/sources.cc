#include "app/sources.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "app/read_file.h"

namespace stint::app {

namespace fs = std::filesystem;

base::Result<codec::SourceFile> read_source(const std::string& path) {
  STINT_TRY(std::string text, read_file(path));
  return codec::SourceFile{path, std::move(text)};
}

codec::IncludeLoader include_loader() {
  return [](std::string_view from, std::string_view path) {
    return read_source((fs::path(from).parent_path() / fs::path(path)).lexically_normal().string());
  };
}

base::Result<std::vector<std::string>> scenario_files(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::exists(path, error))
      return base::refuse(fmt::format("{}: there is no such file or folder", path));
    if (!fs::is_directory(path, error)) {
      files.push_back(path);
      continue;
    }
    std::vector<std::string> found;
    for (auto it = fs::recursive_directory_iterator(path, error);
         !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
      if (it->is_regular_file(error) && it->path().extension() == ".yaml") {
        found.push_back(it->path().string());
      }
    }
    if (error) return base::fail(fmt::format("{}: {}", path, error.message()));
    if (found.empty()) return base::refuse(fmt::format("{}: no *.yaml file in this folder", path));
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

bool looks_like_scenario(std::string_view text) {
  bool line_starts = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (line_starts) {
      const std::string_view rest = text.substr(i);
      for (const std::string_view key : {"jobs:", "events:", "expect:"}) {
        if (rest.starts_with(key)) return true;
      }
    }
    line_starts = text[i] == '\n';
  }
  return false;
}

}  // namespace stint::app
