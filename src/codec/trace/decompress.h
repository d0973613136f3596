// Packed traces to plain bytes: gzip and zstd, told apart by their first bytes and never by a file
// name.
//
// Invariant  the answer is never longer than the cap, however small the packed bytes are.
// Threads    free of shared state.
//
//   STINT_TRY(const std::string text, unpack(std::move(bytes)));
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace stint::codec {

enum class Packing { None, Gzip, Zstd };

// Most bytes that a packed file may unpack to: 2 GiB, about 40 million rows.
inline constexpr std::size_t kUnpackedMax = std::size_t{2} << 30U;

// By magic bytes: RFC 1952 §2.3.1 (gzip), RFC 8878 §3.1 (zstd; also its skippable frames).
[[nodiscard]] Packing detect_packing(std::string_view bytes);

// Unpacks gzip (all members) and zstd (all frames); other bytes come back as they are.
//   Shape   the content of all members or frames, joined.
//   Errors  cut off, damaged, more than `bytes_max` when unpacked, or followed by bytes that are
//           neither a further member nor zero padding.
[[nodiscard]] base::Result<std::string> unpack(std::string bytes,
                                               std::size_t bytes_max = kUnpackedMax);

}  // namespace stint::codec
