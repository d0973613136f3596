#include "codec/schema/values.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/quote.h"
#include "base/suggest.h"

namespace stint::codec {

namespace {

using base::quote;
using base::refuse;

Result<std::string_view> plain(const Node& node, std::string_view what) {
  if (node.quoted) {
    return refuse(fmt::format("{} is a text because of its quotes (write {} without quotes)",
                              quote(node.text), what));
  }
  return std::string_view(node.text);
}

std::string list_of(std::span<const std::string_view> words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

Result<std::int64_t> integer_of(const Node& node, const KeySpec& spec) {
  STINT_TRY(const std::string_view text, plain(node, "the number"));
  std::string_view digits = text;
  const bool is_negative = spec.min < 0 && digits.starts_with('-');
  if (is_negative) digits.remove_prefix(1);
  // The least is never further from zero than the greatest, so that one bound serves both signs.
  auto magnitude = base::parse_decimal(digits, 0, spec.max);
  if (!magnitude) {
    if (is_negative)
      return refuse(
          fmt::format("{} is no whole number from {} to {}", quote(text), spec.min, spec.max));
    return tl::unexpected(std::move(magnitude).error());
  }
  const std::int64_t value = is_negative ? -*magnitude : *magnitude;
  if (value < spec.min)
    return refuse(fmt::format("{} is too small (at least {})", quote(text), spec.min));
  return value;
}

Result<std::int64_t> decimal_of(const Node& node, const KeySpec& spec) {
  STINT_TRY(const std::string_view text, plain(node, "the number"));
  return base::parse_decimal(text, 3, spec.max);
}

Result<bool> flag_of(const Node& node) {
  STINT_TRY(const std::string_view text, plain(node, "true or false"));
  if (text == "true") return true;
  if (text == "false") return false;
  return refuse(fmt::format("{} is neither true nor false", quote(text)));
}

Result<Millis> duration_of(const Node& node, const KeySpec& spec) {
  STINT_TRY(const std::string_view text, plain(node, "the duration"));
  STINT_TRY(const Millis span, base::parse_duration(text));
  if (span < spec.min)
    return refuse(fmt::format("{} is too short (it must be longer than 0s)", quote(text)));
  return span;
}

Result<std::string_view> choice_of(const Node& node, const KeySpec& spec) {
  STINT_TRY(const std::string_view text, plain(node, "the word"));
  const auto word = std::ranges::find(spec.words, text);
  if (word != spec.words.end()) return *word;
  const std::vector<std::string> candidates(spec.words.begin(), spec.words.end());
  if (const auto near = base::did_you_mean(text, candidates)) {
    return refuse(fmt::format("{} is not known here, did you mean {}?", quote(text), quote(*near)));
  }
  return refuse(fmt::format("{} is not known here (one of: {})", quote(text), list_of(spec.words)));
}

Result<AmountValue> amount_of(const Node& node, std::string_view resource, bool percent,
                              std::span<const std::string_view> words) {
  STINT_TRY(const std::string_view text, plain(node, "the amount"));
  if (std::ranges::find(words, text) != words.end()) return AmountValue{AmountKind::Word, 0, text};
  if (text.ends_with('%')) {
    if (!percent)
      return refuse(fmt::format("{} is a percentage (an amount is expected here)", quote(text)));
    STINT_TRY(const std::int64_t value,
              base::parse_decimal(text.substr(0, text.size() - 1), 3, 100 * kPercentOne));
    return AmountValue{AmountKind::Percent, value, {}};
  }
  STINT_TRY(const Amount value,
            resource == "memory" ? base::parse_memory(text) : base::parse_count(text));
  return AmountValue{AmountKind::Absolute, value, {}};
}

Result<std::string_view> name_of(const Node& node, std::string_view forbidden) {
  const std::string_view text = node.text;
  if (text.empty()) return refuse("a name is missing: the text is empty");
  if (text.size() > kNameMax) {
    return refuse(fmt::format("{} is longer than {} bytes", quote(text), kNameMax));
  }
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= 0x20 || byte == 0x7f || forbidden.find(c) != std::string_view::npos) {
      return refuse(fmt::format("{} holds the character {}, which may not stand in this name",
                                quote(text), quote({&c, 1})));
    }
  }
  return text;
}

}  // namespace stint::codec
