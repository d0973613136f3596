// Host lists: `a[001-064]`, `n[1,3-5]`, `r[1-2]n[01-04]`, `x,y[1-2]`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace stint::base {

// Most names that one list may expand to; one more is refused.
inline constexpr std::size_t kHostListMax = std::size_t{1} << 18;
// Longest name (DNS allows 253); it bounds the memory that a short text can ask for.
inline constexpr std::size_t kHostNameMax = 255;

// Expands a list to its names, left to right, the last bracket turning fastest; zero padding is
// kept.
//   Errors  backward range, empty or unclosed bracket, unequal padding, a name twice, too many
//   names,
//           a name that is too long or holds a blank; each names the list.
[[nodiscard]] Result<std::vector<std::string>> expand_host_list(std::string_view text);

}  // namespace stint::base
