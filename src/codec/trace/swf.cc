#include "codec/trace/swf.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include <fmt/format.h>

#include "base/quote.h"
#include "codec/trace/swf_line.h"
#include "codec/trace/trace_builder.h"

namespace stint::codec {

using base::Millis;

namespace {

constexpr std::size_t kExtendedFields = 21;
constexpr std::size_t kHeaderMax = 1000;
constexpr std::uint32_t kNoId = std::numeric_limits<std::uint32_t>::max();
// About what a row of the archive takes, to reserve in one go.
constexpr std::size_t kBytesPerRow = 45;

// Numbers such as users and groups to ids of prefixed names; small ones without hashing.
class NumberNames {
 public:
  NumberNames(base::StringIndex& index, std::string_view prefix) : index_(index), prefix_(prefix) {}

  // Counts `number` as seen without giving it an id.
  void see(std::int64_t number) {
    if (number >= 0 && number < kDirect) {
      Entry& entry = direct(number);
      if (!entry.is_seen) ++seen_count_;
      entry.is_seen = true;
    } else {
      others_.intern(fmt::format("{}", number));
    }
  }
  std::uint32_t id(std::int64_t number) {
    if (number < 0) return index_.intern("unknown");
    if (number >= kDirect) return index_.intern(fmt::format("{}{}", prefix_, number));
    Entry& entry = direct(number);
    if (entry.id == kNoId) entry.id = index_.intern(fmt::format("{}{}", prefix_, number));
    return entry.id;
  }
  [[nodiscard]] std::uint64_t seen_count() const { return seen_count_ + others_.size(); }

 private:
  static constexpr std::int64_t kDirect = 1 << 16;
  struct Entry {
    std::uint32_t id = kNoId;
    bool is_seen = false;
  };
  Entry& direct(std::int64_t number) {
    const auto at = static_cast<std::size_t>(number);
    if (at >= direct_.size()) direct_.resize(at + 1);
    return direct_[at];
  }

  base::StringIndex& index_;
  std::string_view prefix_;
  std::vector<Entry> direct_;
  base::StringIndex others_;
  std::uint64_t seen_count_ = 0;
};

Millis to_millis(const SwfNumber& number) { return number.whole * base::kSecond + number.milli; }

class SwfReader {
 public:
  SwfReader(std::string_view text, std::string_view file, const SwfOptions& options)
      : text_(text),
        errors_(file),
        options_(options),
        queues_(trace_.queues, options.queue_prefix),
        users_(trace_.users, options.user_prefix) {}

  TraceResult read() {
    if (text_.starts_with(kUtf8Mark)) text_.remove_prefix(kUtf8Mark.size());
    trace_.rows.reserve(text_.size() / kBytesPerRow);
    trace_.names.reserve(text_.size() / kBytesPerRow * 7);
    while (!text_.empty() && !errors_.full()) {
      ++line_;
      read_line(next_line());
    }
    if (errors_.empty() && trace_.rows_read > 0 && misshapen_ == trace_.rows_read) {
      errors_.add(misshapen_first_, 1,
                  fmt::format("no row has the 18 columns of an SWF file (this one has {}); check "
                              "the format of the file",
                              misshapen_columns_));
    }
    if (!errors_.empty()) return tl::unexpected(std::move(errors_).take());
    trace_.origin.groups = users_.seen_count();
    return std::move(trace_);
  }

 private:
  std::string_view next_line() {
    const std::size_t end = text_.find('\n');
    const std::string_view line = text_.substr(0, end);
    text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
    return line;
  }

  void read_line(std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return;
    if (line[first] == ';') {
      read_comment(line.substr(first + 1));
      return;
    }
    const SwfLine row = parse_swf_line(line);
    if (row.bad_field != 0) {
      add_error(line, row);
      return;
    }
    ++trace_.rows_read;
    if (row.columns != kSwfFields && row.columns != kExtendedFields) {
      if (misshapen_++ == 0) {
        misshapen_first_ = line_;
        misshapen_columns_ = row.columns;
      }
      reject(trace_, "wrong number of columns", line_);
      return;
    }
    read_row(row);
  }

  void add_error(std::string_view line, const SwfLine& row) {
    errors_.add(line_, count_characters(line.substr(0, row.bad_at)) + 1,
                fmt::format("field {} of the row {}: {}; an SWF row is 18 numbers, and comments "
                            "start with ';'",
                            row.bad_field, row.bad_reason,
                            base::quote(line.substr(row.bad_at, row.bad_size))));
  }

  // `; Key: value`, as the archive's headers have it.
  void read_comment(std::string_view comment) {
    const auto trimmed = [](std::string_view part) {
      const std::size_t begin = part.find_first_not_of(" \t\r;");
      if (begin == std::string_view::npos) return std::string_view{};
      return part.substr(begin, part.find_last_not_of(" \t\r") - begin + 1);
    };
    const std::size_t colon = comment.find(':');
    if (colon == std::string_view::npos || trace_.header.size() == kHeaderMax) return;
    const std::string_view key = trimmed(comment.substr(0, colon));
    // Sentences with a colon are no fields.
    if (key.empty() || key.find_first_of(" \t") != std::string_view::npos) return;
    trace_.header.emplace_back(key, trimmed(comment.substr(colon + 1)));
  }

  void read_row(const SwfLine& row) {
    const std::int64_t given = row.at(SwfField::Processors).whole;
    const std::int64_t processors = given > 0 ? given : row.at(SwfField::ProcessorsAsked).whole;
    const std::int64_t run_s = row.at(SwfField::Run).whole;
    const SwfNumber& submit = row.at(SwfField::Submit);
    const std::int64_t user = row.at(SwfField::User).whole;
    const Millis submit_ms = submit.is_negative ? -1 : to_millis(submit);
    // The totals take field 5 as it is, like the archive's own figures.
    add_to_totals(trace_.origin, std::min(given, kSwfHuge) * base::kUnit, run_s * base::kSecond,
                  submit_ms);
    users_.see(user);
    const std::string_view fault = find_fault(submit_ms, run_s, processors);
    if (!fault.empty()) {
      reject(trace_, fault, line_);
      return;
    }
    const TaskSplit split = split_tasks(processors, options_.task_size);
    if (split.tasks > kTasksMax) {
      reject(trace_, "more tasks than a gang may have", line_);
      return;
    }
    trace_.rows.push_back(make_row(row, submit_ms, split));
    // Joined logs use a number twice: the later job is then called by its line.
    const auto index = static_cast<std::uint32_t>(trace_.rows.size() - 1);
    if (!names_.add(trace_, index)) rename_by_line(trace_.rows.back());
  }

  static std::string_view find_fault(Millis submit_ms, std::int64_t run_s,
                                     std::int64_t processors) {
    if (submit_ms < 0) return "submit time missing or negative";
    if (run_s <= 0) return "run time not above 0";
    if (processors <= 0) return "processors not above 0";
    constexpr std::int64_t kSpanSeconds = base::kSpanMax / base::kSecond;
    if (submit_ms > base::kSpanMax || run_s > kSpanSeconds) return "time beyond 139 years";
    if (processors > base::kAmountMax / base::kUnit) return "processors beyond any machine";
    return {};
  }

  TraceRow make_row(const SwfLine& line, Millis submit_ms, const TaskSplit& split) {
    TraceRow row;
    row.submit = submit_ms;
    row.run = line.at(SwfField::Run).whole * base::kSecond;
    row.limit = limit_of(line, row.run);
    row.name_begin = static_cast<std::uint32_t>(trace_.names.size());
    append_name(line.at(SwfField::Job));
    row.name_size = static_cast<std::uint32_t>(trace_.names.size()) - row.name_begin;
    row.queue = queues_.id(line.at(SwfField::Group).whole);
    row.user = users_.id(line.at(SwfField::User).whole);
    row.tasks = static_cast<std::uint32_t>(split.tasks);
    TraceShape shape;
    (options_.as == SwfResource::Gpu ? shape.gpu : shape.cpu) = split.each * base::kUnit;
    row.shape = shapes_.intern(shape, trace_.shapes);
    return row;
  }

  [[nodiscard]] Millis limit_of(const SwfLine& line, Millis run) const {
    if (options_.limits == LimitMode::Run) return run;
    if (options_.limits == LimitMode::None) return base::kNever;
    const Millis asked = to_millis(line.at(SwfField::TimeAsked));
    return asked > 0 && asked <= base::kSpanMax ? asked : base::kNever;
  }

  void append_name(const SwfNumber& job) {
    if (job.is_negative) {
      fmt::format_to(std::back_inserter(trace_.names), "line{}", line_);
      return;
    }
    std::array<char, 20> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), job.whole).ptr;
    trace_.names.append(digits.data(), end);
  }

  void rename_by_line(TraceRow& row) {
    trace_.names.resize(row.name_begin);
    fmt::format_to(std::back_inserter(trace_.names), "line{}", line_);
    row.name_size = static_cast<std::uint32_t>(trace_.names.size()) - row.name_begin;
  }

  std::string_view text_;
  TraceErrors errors_;
  const SwfOptions& options_;
  Trace trace_;
  NumberNames queues_;
  NumberNames users_;
  ShapeTable shapes_;
  NameTable names_;
  std::uint32_t line_ = 0;
  std::uint64_t misshapen_ = 0;
  std::uint32_t misshapen_first_ = 0;
  std::size_t misshapen_columns_ = 0;
};

}  // namespace

TraceResult read_swf(std::string_view text, std::string_view file, const SwfOptions& options) {
  return SwfReader(text, file, options).read();
}

}  // namespace stint::codec
