// State as bytes and back: what a restart, a journal and a saved state rest on.
//
// Format: magic "STNTSNAP", a version, then State field by field, little-endian, lengths before
// lists, and an 8-byte digest of everything before it. The same State gives the same bytes on every
// machine.
//
// Invariant  decode(encode(s)) has the same bytes and the same digest as s.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/state.h"

namespace stint::codec {

inline constexpr std::uint32_t kSnapshotVersion = 2;

[[nodiscard]] std::string encode_state(const model::State& state);

// Errors  not a snapshot, another version, cut short, damaged, or out of range anywhere: refused
// whole.
[[nodiscard]] base::Result<model::State> decode_state(std::string_view bytes);

}  // namespace stint::codec
