// Text of somebody else inside our own messages: always in quotes, on one line, never too long.
//
//   refuse(fmt::format("{} is negative", quote(text)));   // "-4" is negative
//
// Named so that argument lookup does not find std::quoted instead.
//
// Threads  free of state.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace stint::base {

// Bytes of the text that a message shows; the rest becomes `...`.
inline constexpr std::size_t kQuoteMax = 80;

// The text in double quotes: control characters and DEL as \xNN, a long text cut between two UTF-8
// characters.
[[nodiscard]] std::string quote(std::string_view text);

}  // namespace stint::base
