// Files to one tree: parse each, check what it wrote, read what it includes, lay one over the
// other.
//
// An included file lies under the one that names it (what a file says itself wins), a later file of
// the command line over an earlier one.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "codec/config/config.h"
#include "codec/schema/key_spec.h"
#include "codec/yaml/complaints.h"
#include "codec/yaml/node.h"

namespace stint::codec {

inline constexpr std::size_t kIncludesMax = 64;  // over all files together

struct LoadedFiles {
  Node root;
  std::vector<std::string> names;  // by Mark::file
  bool complete = true;            // false: some file could not be read to its end
};

// Loads files and what they include. `block` says what may stand in them; nothing is reported as
// missing.
[[nodiscard]] LoadedFiles load_files(std::vector<SourceFile> files, const IncludeLoader& loader,
                                     const Block& block, Complaints& complaints);

}  // namespace stint::codec
