// Text to tree: the strict layer over the YAML library, and the only place that knows it.
//
// Refused, each at its place: a key twice, tags, anchors, aliases, `<<`, a second document, keys
// that are not plain words, and whatever is beyond the caps below. No scalar is given a type
// (DEPENDENCIES §3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "codec/yaml/complaints.h"
#include "codec/yaml/node.h"

namespace stint::codec {

inline constexpr std::size_t kDepthMax = 32;  // maps and lists inside each other
inline constexpr std::size_t kScalarBytesMax = std::size_t{64} << 10U;
inline constexpr std::size_t kNodesMax = std::size_t{1} << 20U;  // keys and values of one file

// Parses one file; `file` becomes Mark::file.
//   Errors  reported to `complaints`; nothing is returned if the text could not be parsed to its
//   end. A tree
//           with complaints (a key twice: the first is kept) is returned, so that all errors come
//           at once.
[[nodiscard]] std::optional<Node> parse_yaml(std::string_view text, std::uint32_t file,
                                             Complaints& complaints);

}  // namespace stint::codec
