// Any bytes as a configuration: refused with a reason and a place, or a cluster and a tree that
// keep their invariants.
#include <cstddef>
#include <cstdint>

#include "base/assert.h"
#include "codec/config/config.h"
#include "fuzz_files.h"
#include "fuzz_tree.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto files = split_files({reinterpret_cast<const char*>(data), size});
  const auto result = stint::codec::read_config({files.front()}, loader_of(files));
  demand_sound_diagnostics(result.ok(), result.diagnostics);
  if (!result.ok()) return 0;
  demand_sound_cluster(result.value->cluster);
  demand_sound_tree(result.value->cluster, result.value->tree);
  return 0;
}
