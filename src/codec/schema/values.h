// Scalars to numbers, durations and amounts, each by the rule of its field; nothing is guessed.
//
// `010`, `yes` and `0x1F` mean nothing here, and a number in quotes is a text (DEPENDENCIES §3).
// Messages name the offending text, not the key: whoever checks a map puts the key in front.
// Threads  free of state.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/amount.h"
#include "base/result.h"
#include "base/time.h"
#include "codec/schema/key_spec.h"
#include "codec/yaml/node.h"

namespace stint::codec {

using base::Amount;
using base::Millis;
using base::Result;

// A percentage has three decimals: `25%` is 25'000.
inline constexpr std::int64_t kPercentOne = 1'000;

// Longest name of a job, queue, user, label or resource.
inline constexpr std::size_t kNameMax = 255;

enum class AmountKind : std::uint8_t { Absolute, Percent, Word };

struct AmountValue {
  AmountKind kind = AmountKind::Absolute;
  std::int64_t value = 0;  // base units, or thousandths of a percent
  std::string_view word;   // `none` or `all`; lives as long as the node
};

// Each takes the scalar node of one value; `spec` gives bounds and words.
[[nodiscard]] Result<std::int64_t> integer_of(const Node& node, const KeySpec& spec);
[[nodiscard]] Result<std::int64_t> decimal_of(const Node& node,
                                              const KeySpec& spec);  // in thousandths
[[nodiscard]] Result<bool> flag_of(const Node& node);
[[nodiscard]] Result<Millis> duration_of(const Node& node, const KeySpec& spec);
[[nodiscard]] Result<std::string_view> choice_of(const Node& node, const KeySpec& spec);

// The amount of `resource` (memory has its own units); percentages only if `percent`.
[[nodiscard]] Result<AmountValue> amount_of(const Node& node, std::string_view resource,
                                            bool percent, std::span<const std::string_view> words);

// A name of somebody's: not empty, not too long, no blanks or control characters, none of
// `forbidden`.
[[nodiscard]] Result<std::string_view> name_of(const Node& node, std::string_view forbidden);

}  // namespace stint::codec
