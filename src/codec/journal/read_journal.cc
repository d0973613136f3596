#include <algorithm>
#include <limits>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/quote.h"
#include "codec/journal/journal.h"
#include "codec/journal/words.h"

namespace stint::codec {

namespace {

using Json = nlohmann::json;
using base::JobId;
using base::Millis;

std::optional<std::int64_t> whole(const Json& value, std::int64_t low, std::int64_t high) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (!value.is_number_integer()) return std::nullopt;
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > kMost) return std::nullopt;
  const auto number = value.get<std::int64_t>();
  if (number < low || number > high) return std::nullopt;
  return number;
}

// Takes key by key; the first fault is kept, and so is a key that nobody took.
class Keys {
 public:
  explicit Keys(const Json& line) : line_(line) {}

  std::int64_t number(const char* key, std::int64_t low, std::int64_t high) {
    const Json* value = take(key);
    if (value == nullptr) return note(key, "is missing"), low;
    if (const auto number = whole(*value, low, high)) return *number;
    note(key, "is no whole number in its range");
    return low;
  }
  std::int64_t number_or(std::int64_t otherwise, const char* key, std::int64_t low,
                         std::int64_t high) {
    return line_.contains(key) ? number(key, low, high) : otherwise;
  }
  Millis span(const char* key) { return number(key, 0, base::kNever - 1); }
  Millis span_or(Millis otherwise, const char* key) {
    return number_or(otherwise, key, 0, base::kNever - 1);
  }
  JobId job() { return JobId(static_cast<std::uint32_t>(number("job", 0, JobId::kNone - 1))); }

  std::string text(const char* key) {
    const Json* value = take(key);
    if (value == nullptr || !value->is_string()) return note(key, "is missing or no text"), "";
    return value->get<std::string>();
  }
  bool flag_or(bool otherwise, const char* key) {
    if (!line_.contains(key)) return otherwise;
    const Json* value = take(key);
    if (!value->is_boolean()) return note(key, "is neither true nor false"), otherwise;
    return value->get<bool>();
  }
  // `item` reads one element and tells whether it is right.
  template <class Item>
  void list(const char* key, const Item& item) {
    const Json* value = take(key);
    if (value == nullptr || !value->is_array()) return note(key, "is missing or no list");
    if (!std::all_of(value->begin(), value->end(), item)) note(key, "holds a malformed element");
  }
  template <class Item>
  void list_if_any(const char* key, const Item& item) {
    if (line_.contains(key)) list(key, item);
  }

  void note(std::string_view key, std::string_view fault) {
    if (fault_.empty()) fault_ = fmt::format("key {} {}", base::quote(key), fault);
  }
  [[nodiscard]] std::string fault() const {
    if (!fault_.empty() || taken_ == line_.size()) return fault_;
    return fmt::format("a key that this version does not know beside {} others", taken_);
  }

 private:
  const Json* take(const char* key) {
    const auto it = line_.find(key);
    if (it == line_.end()) return nullptr;
    ++taken_;
    return &*it;
  }

  const Json& line_;
  std::size_t taken_ = 0;
  std::string fault_;
};

JournalSubmitted read_submitted(Keys& keys, Millis at) {
  JournalSubmitted job;
  job.job = keys.job();
  // The name comes first in the line, but may be absent.
  job.queue = keys.text("queue");
  job.user = keys.text("user");
  job.tasks = static_cast<std::uint32_t>(keys.number("tasks", 1, model::kTasksMax));
  keys.list("each", [&](const Json& pair) {
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string()) return false;
    const auto amount = whole(pair[1], 1, base::kAmountMax);
    if (amount) job.each.emplace_back(pair[0].get<std::string>(), *amount);
    return amount.has_value();
  });
  keys.list_if_any("where", [&](const Json& label) {
    if (!label.is_string()) return false;
    job.where.push_back(label.get<std::string>());
    return true;
  });
  constexpr std::int64_t kLow = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t kHigh = std::numeric_limits<std::int32_t>::max();
  job.priority = static_cast<std::int32_t>(keys.number_or(0, "priority", kLow, kHigh));
  job.preemptible = keys.flag_or(true, "preemptible");
  job.impossible = keys.flag_or(false, "impossible");
  job.submit = keys.span_or(at, "submit_ms");
  job.work = keys.span_or(base::kNever, "work_ms");
  job.limit = keys.span_or(base::kNever, "limit_ms");
  job.checkpoint.every = keys.span_or(0, "every_ms");
  job.checkpoint.takes = keys.span_or(0, "takes_ms");
  job.checkpoint.restart = keys.span_or(0, "restart_ms");
  job.checkpoint.on_notice = keys.flag_or(false, "on_notice");
  job.stops_in = keys.span_or(0, "stops_in_ms");
  keys.list_if_any("after", [&](const Json& id) {
    const auto number = whole(id, 0, JobId::kNone - 1);
    if (number) job.after.emplace_back(static_cast<std::uint32_t>(*number));
    return number.has_value();
  });
  return job;
}

bool read_slice(const Json& slice, std::vector<JournalSlice>& on) {
  constexpr std::int64_t kDevice = std::numeric_limits<std::uint16_t>::max();
  if (!slice.is_array() || slice.size() < 2 || !slice[0].is_string()) return false;
  const auto tasks = whole(slice[1], 1, model::kTasksMax);
  if (!tasks) return false;
  on.push_back({slice[0].get<std::string>(), static_cast<std::uint32_t>(*tasks), {}});
  return std::all_of(slice.begin() + 2, slice.end(), [&](const Json& share) {
    if (!share.is_array() || share.size() != 2) return false;
    const auto device = whole(share[0], 0, kDevice);
    const auto milli = whole(share[1], 1, base::kUnit);
    if (!device || !milli) return false;
    on.back().devices.push_back(
        {static_cast<std::uint16_t>(*device), static_cast<std::uint16_t>(*milli)});
    return true;
  });
}

JournalStarted read_started(Keys& keys) {
  JournalStarted started;
  started.job = keys.job();
  started.run = static_cast<std::uint32_t>(keys.number("run", 1, UINT32_MAX));
  keys.list("on", [&](const Json& slice) { return read_slice(slice, started.on); });
  return started;
}

std::optional<std::size_t> word_in(std::span<const std::string_view> words, std::string_view word) {
  const auto it = std::ranges::find(words, word);
  if (it == words.end()) return std::nullopt;
  return static_cast<std::size_t>(it - words.begin());
}

JournalTold read_told(Keys& keys) {
  JournalTold told;
  told.job = keys.job();
  const auto cause = word_in(kCauseWords, keys.text("cause"));
  if (!cause) keys.note("cause", "is no cause of a stop");
  told.cause = static_cast<model::StopCause>(cause.value_or(0));
  told.deadline = keys.span_or(base::kNever, "deadline_ms");
  return told;
}

JournalWhat read_what(Keys& keys, Millis at) {
  const std::string what = keys.text("what");
  if (what == "submitted") return read_submitted(keys, at);
  if (what == "ended") {
    const JobId job = keys.job();
    return JournalEnded{job, keys.flag_or(true, "done")};
  }
  if (what == "stopped") {
    const JobId job = keys.job();
    const Millis saved = keys.span("work_saved_ms");
    return JournalStopped{job, saved, keys.span("lost_ms")};
  }
  if (what == "started") return read_started(keys);
  if (what == "told_to_stop") return read_told(keys);
  if (what == "passed") {
    return JournalPass{static_cast<std::uint64_t>(
        keys.number("decisions", 0, std::numeric_limits<std::int64_t>::max()))};
  }
  if (what == "applied") return JournalApplied{keys.text("snapshot")};
  if (what == "restarted") return JournalRestarted{};
  if (const auto fact = word_in(kJobFactWords, what)) {
    return JournalJobFact{static_cast<JobFact>(*fact), keys.job()};
  }
  if (const auto fact = word_in(kNodeFactWords, what)) {
    return JournalNodeFact{static_cast<NodeFact>(*fact), keys.text("node")};
  }
  keys.note("what", "is nothing that this version knows");
  return JournalRestarted{};
}

}  // namespace

base::Result<void> check_journal_header(std::string_view line) {
  const Json header = Json::parse(line, nullptr, false);
  if (!header.is_object() || header.value("format", Json()) != Json(std::string(kJournalName))) {
    return base::refuse("the first line is no header of a journal");
  }
  if (header.value("version", Json()) == Json(kJournalVersion)) return {};
  return base::refuse(
      fmt::format("a journal of another version; this program reads version {}", kJournalVersion));
}

base::Result<JournalEntry> read_journal_line(std::string_view line) {
  const Json object = Json::parse(line, nullptr, false);
  if (!object.is_object()) return base::refuse("the line is no JSON object");
  Keys keys(object);
  JournalEntry entry;
  entry.at = keys.span("at_ms");
  entry.what = read_what(keys, entry.at);
  if (auto* job = std::get_if<JournalSubmitted>(&entry.what); job && object.contains("name")) {
    job->name = keys.text("name");
  }
  if (std::string fault = keys.fault(); !fault.empty()) return base::refuse(std::move(fault));
  return entry;
}

}  // namespace stint::codec
