// "Did you mean": the candidate that a misspelt word most likely stands for.
//
//   did_you_mean("gaurantee", keys)   // guarantee
//
// Threads  free of state.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace stint::base {

// The candidate with the fewest slips (a letter too much, missing, wrong, or two neighbours
// swapped; case counts for nothing), at most a third of the word's length, one at least and three
// at most. Nothing, if none is near enough or the nearest shares no letter with the word.
//   Shape   ties go to the earlier candidate; a candidate equal to the word is passed over.
//   Source  optimal string alignment distance (Damerau 1964, Levenshtein 1966).
[[nodiscard]] std::optional<std::string> did_you_mean(std::string_view word,
                                                      std::span<const std::string> candidates);

}  // namespace stint::base
