// Files for the codec, which opens none itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "codec/config/config.h"

namespace stint::app {

[[nodiscard]] base::Result<codec::SourceFile> read_source(const std::string& path);

// Resolves `include:` relative to the folder of the file that names it.
[[nodiscard]] codec::IncludeLoader include_loader();

// Files as they are, folders recursively (`*.yaml`), sorted by name within a folder.
//   Errors  something that is not there, or a folder without any.
[[nodiscard]] base::Result<std::vector<std::string>> scenario_files(
    const std::vector<std::string>& paths);

// Whether the text is a scenario (has jobs, events or expectations) rather than a plain
// configuration.
[[nodiscard]] bool looks_like_scenario(std::string_view text);

}  // namespace stint::app
