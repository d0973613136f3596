// Replays a journal: tells its facts to a fresh engine and holds what that decides against what the
// journal says was decided (I11).
//
// The State at the end has the digest of the recorded run. Jobs that are over are kept, so memory
// grows with the journal.
//
// Threads  free of shared state.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/engine.h"

namespace stint::sim {

// The State of a snapshot that the journal names.
using SnapshotLoader = std::function<base::Result<engine::State>(const std::string& name)>;

struct Replayed {
  engine::State state;  // at the end
  std::uint64_t facts = 0;
  std::uint64_t decisions = 0;
};

// `start` is the State that the recording began with, `journal` the whole text.
//   Errors  a malformed line, a name that State lacks, a fact that is impossible where it stands, a
//           decision that is not the engine's: each with the number of its line.
[[nodiscard]] base::Result<Replayed> replay_journal(engine::State start, std::string_view journal,
                                                    const SnapshotLoader& load);

}  // namespace stint::sim
