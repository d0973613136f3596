// One input as several files: lines of `%%%` part them; `include: [N]` names the Nth.
#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "codec/config/config.h"

inline std::vector<stint::codec::SourceFile> split_files(std::string_view text) {
  std::vector<stint::codec::SourceFile> files;
  while (true) {
    const std::size_t end = text.find("\n%%%\n");
    files.push_back({std::to_string(files.size()), std::string(text.substr(0, end))});
    if (end == std::string_view::npos) return files;
    text.remove_prefix(end + 5);
  }
}

inline stint::codec::IncludeLoader loader_of(const std::vector<stint::codec::SourceFile>& files) {
  return [&files](std::string_view,
                  std::string_view path) -> stint::base::Result<stint::codec::SourceFile> {
    std::size_t index = 0;
    const auto parsed = std::from_chars(path.data(), path.data() + path.size(), index);
    if (parsed.ec != std::errc() || index >= files.size())
      return stint::base::refuse("no such file");
    return files[index];
  };
}
