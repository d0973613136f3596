#include <fmt/format.h>

#include "codec/journal/journal.h"
#include "codec/journal/words.h"

namespace stint::codec {

namespace {

// Builds one JSON object.
class Line {
 public:
  Line(base::Millis at, std::string_view what) {
    number("at_ms", at);
    text("what", what);
  }

  void text(std::string_view key, std::string_view value) {
    begin(key);
    quote(value);
  }
  template <class Number>
  void number(std::string_view key, Number value) {
    begin(key);
    fmt::format_to(std::back_inserter(line_), "{}", value);
  }
  void flag(std::string_view key, bool value) {
    begin(key);
    line_ += value ? "true" : "false";
  }
  // Values that are the default are left out.
  void span_unless(base::Millis otherwise, std::string_view key, base::Millis value) {
    if (value != otherwise) number(key, value);
  }
  // `item` writes one element.
  template <class Items, class Item>
  void list(std::string_view key, const Items& items, const Item& item) {
    begin(key);
    line_ += '[';
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) line_ += ',';
      item(items[i]);
    }
    line_ += ']';
  }

  void quote(std::string_view value) {
    line_ += '"';
    for (const char c : value) {
      if (static_cast<unsigned char>(c) < 0x20U) {
        fmt::format_to(std::back_inserter(line_), "\\u{:04x}", static_cast<unsigned>(c));
        continue;
      }
      if (c == '"' || c == '\\') line_ += '\\';
      line_ += c;
    }
    line_ += '"';
  }
  [[nodiscard]] std::string& raw() { return line_; }
  [[nodiscard]] std::string take() && { return std::move(line_ += '}'); }

 private:
  void begin(std::string_view key) {
    line_ += line_.size() > 1 ? "," : "";
    quote(key);
    line_ += ':';
  }
  std::string line_ = "{";
};

std::string write(base::Millis at, const JournalSubmitted& job) {
  Line line(at, "submitted");
  line.number("job", job.job.value);
  if (!job.name.empty()) line.text("name", job.name);
  line.text("queue", job.queue);
  line.text("user", job.user);
  line.number("tasks", job.tasks);
  // A list keeps the order that an object need not.
  line.list("each", job.each, [&](const auto& amount) {
    line.raw() += '[';
    line.quote(amount.first);
    fmt::format_to(std::back_inserter(line.raw()), ",{}]", amount.second);
  });
  if (!job.where.empty()) {
    line.list("where", job.where, [&](const std::string& label) { line.quote(label); });
  }
  if (job.priority != 0) line.number("priority", job.priority);
  if (!job.preemptible) line.flag("preemptible", false);
  if (job.impossible) line.flag("impossible", true);
  line.span_unless(at, "submit_ms", job.submit);
  line.span_unless(base::kNever, "work_ms", job.work);
  line.span_unless(base::kNever, "limit_ms", job.limit);
  line.span_unless(0, "every_ms", job.checkpoint.every);
  line.span_unless(0, "takes_ms", job.checkpoint.takes);
  line.span_unless(0, "restart_ms", job.checkpoint.restart);
  if (job.checkpoint.on_notice) line.flag("on_notice", true);
  line.span_unless(0, "stops_in_ms", job.stops_in);
  if (!job.after.empty()) {
    line.list("after", job.after,
              [&](base::JobId id) { line.raw() += fmt::format_int(id.value).str(); });
  }
  return std::move(line).take();
}

std::string write(base::Millis at, const JournalJobFact& fact) {
  Line line(at, kJobFactWords[static_cast<std::size_t>(fact.fact)]);
  line.number("job", fact.job.value);
  return std::move(line).take();
}

std::string write(base::Millis at, const JournalEnded& ended) {
  Line line(at, "ended");
  line.number("job", ended.job.value);
  line.flag("done", ended.done);
  return std::move(line).take();
}

std::string write(base::Millis at, const JournalStopped& stopped) {
  Line line(at, "stopped");
  line.number("job", stopped.job.value);
  line.number("work_saved_ms", stopped.work_saved);
  line.number("lost_ms", stopped.lost);
  return std::move(line).take();
}

std::string write(base::Millis at, const JournalNodeFact& fact) {
  Line line(at, kNodeFactWords[static_cast<std::size_t>(fact.fact)]);
  line.text("node", fact.node);
  return std::move(line).take();
}

std::string write(base::Millis at, const JournalApplied& applied) {
  Line line(at, "applied");
  line.text("snapshot", applied.snapshot);
  return std::move(line).take();
}

std::string write(base::Millis at, const JournalRestarted& /*restarted*/) {
  return Line(at, "restarted").take();
}

std::string write(base::Millis at, const JournalStarted& started) {
  Line line(at, "started");
  line.number("job", started.job.value);
  line.number("run", started.run);
  line.list("on", started.on, [&](const JournalSlice& slice) {
    line.raw() += '[';
    line.quote(slice.node);
    fmt::format_to(std::back_inserter(line.raw()), ",{}", slice.tasks);
    for (const model::DeviceShare& share : slice.devices) {
      fmt::format_to(std::back_inserter(line.raw()), ",[{},{}]", share.device, share.milli);
    }
    line.raw() += ']';
  });
  return std::move(line).take();
}

std::string write(base::Millis at, const JournalTold& told) {
  Line line(at, "told_to_stop");
  line.number("job", told.job.value);
  line.text("cause", kCauseWords[static_cast<std::size_t>(told.cause)]);
  line.span_unless(base::kNever, "deadline_ms", told.deadline);
  return std::move(line).take();
}

std::string write(base::Millis at, const JournalPass& pass) {
  Line line(at, "passed");
  line.number("decisions", pass.decisions);
  return std::move(line).take();
}

}  // namespace

std::string journal_header() {
  return fmt::format("{{\"format\":\"{}\",\"version\":{}}}", kJournalName, kJournalVersion);
}

std::string journal_line(const JournalEntry& entry) {
  return std::visit([&](const auto& what) { return write(entry.at, what); }, entry.what);
}

}  // namespace stint::codec
