// The words of the journal's enumerations, in their order. Internal to codec/journal.
#pragma once

#include <array>
#include <string_view>

namespace stint::codec {

inline constexpr std::string_view kJournalName = "stint journal";
inline constexpr std::array<std::string_view, 3> kJobFactWords = {"cancelled", "held", "released"};
inline constexpr std::array<std::string_view, 4> kNodeFactWords = {"node_failed", "node_returned",
                                                                   "node_drained", "node_resumed"};
inline constexpr std::array<std::string_view, 3> kCauseWords = {"none", "cancel", "node_failure"};

}  // namespace stint::codec
