// The tables as text for people: the reference page, and the help of one key.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace stint::codec {

// Every key of configurations and scenarios as Markdown, one table per map; the same bytes every
// time.
[[nodiscard]] std::string reference_markdown();

// A few lines about every key of that name (such as `guarantee`), nothing if there is none.
[[nodiscard]] std::optional<std::string> key_help(std::string_view name);

}  // namespace stint::codec
