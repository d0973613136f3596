#include "sim/gen/gen_values.h"

#include <array>

#include <fmt/format.h>

#include "base/quote.h"

namespace stint::sim {

using base::Result;

namespace {

// Numbers larger than this are refused before their range is looked at.
constexpr std::int64_t kReadMax = std::int64_t{1} << 53;
constexpr std::size_t kItemsMax = 100'000;

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = text.find(separator);
    if (end != 0) parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return parts;
}

Result<std::int64_t> read_number(GenForm form, std::string_view text) {
  switch (form) {
    case GenForm::Duration:
    case GenForm::Durations:
    case GenForm::WeightedLengths:
      return base::parse_duration(text);
    case GenForm::Memory:
      return base::parse_memory(text);
    case GenForm::Whole:
    case GenForm::Wholes:
      return base::parse_decimal(text, 0, kReadMax);
    default:
      return base::parse_decimal(text, 3, kReadMax);
  }
}

std::string number_text(GenForm form, std::int64_t value) {
  switch (form) {
    case GenForm::Duration:
    case GenForm::Durations:
    case GenForm::WeightedLengths:
    case GenForm::Quantiles:
      return base::format_duration(value);
    case GenForm::Memory:
      return base::format_memory(value);
    case GenForm::Whole:
    case GenForm::Wholes:
      return fmt::format("{}", value);
    default:
      return base::format_decimal(value, 3);
  }
}

Result<std::int64_t> in_range(const GenParam& param, std::int64_t value) {
  if (value >= param.min && value <= param.max) return value;
  return base::refuse(fmt::format("{} is outside {} to {}", number_text(param.form, value),
                                  number_text(param.form, param.min),
                                  number_text(param.form, param.max)));
}

Result<std::int64_t> read_one(const GenParam& param, std::string_view text) {
  STINT_TRY(const std::int64_t value, read_number(param.form, text));
  return in_range(param, value);
}

// The two halves of `A:B`.
Result<std::array<std::string_view, 2>> halves(GenForm form, std::string_view item) {
  const std::size_t colon = item.find(':');
  if (colon == std::string_view::npos) {
    return base::refuse(
        fmt::format("{} lacks a colon, want {}", base::quote(item), gen_form_text(form)));
  }
  return std::array{item.substr(0, colon), item.substr(colon + 1)};
}

Result<void> read_into(const GenParam& param, std::string_view text, std::int64_t& to) {
  STINT_TRY(to, read_one(param, text));
  return {};
}

Result<void> read_into(const GenParam& param, std::string_view text,
                       std::vector<std::int64_t>& to) {
  for (const std::string_view item : split(text, ' ')) {
    STINT_TRY(const std::int64_t value, read_one(param, item));
    if (param.form == GenForm::Durations && !to.empty() && value <= to.back()) {
      return base::refuse(fmt::format("{} does not rise", base::quote(item)));
    }
    to.push_back(value);
  }
  return {};
}

Result<void> read_into(const GenParam& /*param*/, std::string_view text,
                       std::vector<std::string>& to) {
  for (const std::string_view item : split(text, ' ')) {
    constexpr std::string_view kDigits = "0123456789-_";
    constexpr std::string_view kPlain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    if (item.size() > 60 || item.find_first_not_of(kPlain) != std::string_view::npos ||
        kDigits.find(item.front()) != std::string_view::npos) {
      return base::refuse(fmt::format(
          "{} is no name: a letter, then letters, digits, - and _, at most 60", base::quote(item)));
    }
    for (const std::string& other : to) {
      if (other == item) return base::refuse(fmt::format("{} stands twice", base::quote(item)));
    }
    to.emplace_back(item);
  }
  return {};
}

Result<void> read_into(const GenParam& param, std::string_view text,
                       std::vector<QuantileKnot>& to) {
  for (const std::string_view item : split(text, ' ')) {
    STINT_TRY(const auto half, halves(param.form, item));
    STINT_TRY(const std::int64_t percent, base::parse_decimal(half[0], 3, 100'000));
    STINT_TRY(const std::int64_t length, base::parse_duration(half[1]));
    STINT_TRY(const base::Millis value, in_range(param, length));
    if (!to.empty() && (percent <= to.back().milli_percent || value < to.back().value)) {
      return base::refuse(fmt::format("{} does not rise", base::quote(item)));
    }
    to.push_back({.milli_percent = percent, .value = value});
  }
  if (to.size() < 2 || to.front().milli_percent != 0 || to.back().milli_percent != 100'000) {
    return base::refuse("quantiles must begin at 0 percent and end at 100");
  }
  return {};
}

Result<void> read_into(const GenParam& param, std::string_view text, std::vector<GenWeighted>& to) {
  std::uint64_t sum = 0;
  for (const std::string_view item : split(text, ' ')) {
    STINT_TRY(const auto half, halves(param.form, item));
    STINT_TRY(const std::int64_t value, read_one(param, half[0]));
    STINT_TRY(const std::int64_t weight, base::parse_decimal(half[1], 3, 1'000'000'000));
    if (param.form == GenForm::WeightedCounts && !to.empty() && value <= to.back().value) {
      return base::refuse(fmt::format("{} does not rise", base::quote(item)));
    }
    to.push_back({.value = value, .weight = static_cast<std::uint64_t>(weight)});
    sum += to.back().weight;
  }
  if (sum == 0) return base::refuse("nothing has a weight above 0");
  return {};
}

Result<void> read_into(const GenParam& param, std::string_view text, std::vector<GenPool>& to) {
  std::int64_t weight = 0;
  for (const std::string_view item : split(text, ' ')) {
    const auto parts = split(item, ':');
    if (parts.size() != 5) {
      return base::refuse(fmt::format("{}: want {}", base::quote(item), gen_form_text(param.form)));
    }
    GenPool pool;
    std::vector<std::string> label;
    if (auto done = read_into(param, parts[0], label); !done) return done;
    pool.model = label.front();
    STINT_TRY(pool.weight, base::parse_decimal(parts[1], 0, 1'000'000));
    STINT_TRY(pool.gpus, base::parse_decimal(parts[2], 0, 10'000));
    STINT_TRY(pool.cpus, base::parse_decimal(parts[3], 0, 1'000'000));
    STINT_TRY(pool.memory_mib, base::parse_memory(parts[4]));
    weight += pool.weight * pool.gpus;
    to.push_back(std::move(pool));
  }
  if (weight == 0) return base::refuse("no pool has GPUs");
  return {};
}

}  // namespace

std::string_view gen_form_text(GenForm form) {
  switch (form) {
    case GenForm::Whole:
      return "a whole number such as 12";
    case GenForm::Decimal:
      return "a number with at most three decimals such as 0.85";
    case GenForm::Duration:
      return "a duration such as 30m";
    case GenForm::Memory:
      return "a size such as 64Gi";
    case GenForm::Wholes:
      return "whole numbers such as 1 2 3";
    case GenForm::Decimals:
      return "numbers such as 0.5 0.3";
    case GenForm::Durations:
      return "rising durations such as 1h 4h";
    case GenForm::Words:
      return "names such as vision nlp";
    case GenForm::Quantiles:
      return "PERCENT:LENGTH from 0 to 100 such as 0:1s 50:20m 100:7d";
    case GenForm::WeightedCounts:
      return "NUMBER:WEIGHT such as 1:80 8:20";
    case GenForm::WeightedLengths:
      return "LENGTH:WEIGHT such as 30m:2 1h:1";
    case GenForm::Pools:
      return "MODEL:WEIGHT:GPUS:CPUS:MEMORY such as h100:3:8:96:1024Gi";
  }
  return "";
}

Result<void> read_gen_value(const GenParam& param, std::string_view text, GenModel& model) {
  if (split(text, ' ').size() > kItemsMax) return base::refuse("too many items");
  return std::visit(
      [&](auto member) -> Result<void> {
        std::remove_reference_t<decltype(model.*member)> value{};
        if (auto done = read_into(param, text, value); !done) {
          return base::refuse(
              fmt::format("{} (want {})", done.error().message, gen_form_text(param.form)));
        }
        model.*member = std::move(value);
        return {};
      },
      param.member);
}

}  // namespace stint::sim
