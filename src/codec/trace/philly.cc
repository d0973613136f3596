#include "codec/trace/philly.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "base/quote.h"
#include "codec/trace/civil.h"
#include "codec/trace/csv_cells.h"
#include "codec/trace/csv_scanner.h"
#include "codec/trace/trace_builder.h"

namespace stint::codec {

using base::Millis;

namespace {

constexpr std::size_t kFieldCount = 5;
// Column numbers within a layout; the order of the names below.
enum Field : std::size_t { kSubmit, kDuration, kGpus, kCluster, kOther };
using Layout = std::array<std::string_view, kFieldCount>;
// `kOther` is the id in the first layout and gpu_time, which is not needed, in the second.
constexpr Layout kWithIds{"submit_s", "duration_s", "num_gpus", "vc", "job_id"};
constexpr Layout kWithDates{"timestamp", "duration", "num_gpus", "cluster", "gpu_time"};

constexpr std::int64_t kHugest = std::numeric_limits<std::int64_t>::max();
// Ranges are wide on purpose: what is out of bounds is counted, only what is no number is an error.
constexpr CellRange kSeconds{3, -kHugest, kHugest, true};
constexpr CellRange kWhole{0, -kHugest, kHugest, false};

using Positions = std::array<std::size_t, kFieldCount>;

// Where the columns of `layout` stand in the record, nothing if it is not exactly these.
std::optional<Positions> match(const CsvScanner& header, const Layout& layout) {
  if (header.size() != kFieldCount || !header.fault().empty()) return std::nullopt;
  Positions positions{};
  for (std::size_t name = 0; name < kFieldCount; ++name) {
    std::size_t at = 0;
    while (at < kFieldCount && header.field(at) != layout[name]) ++at;
    if (at == kFieldCount) return std::nullopt;
    positions[name] = at;
  }
  return positions;
}

class PhillyReader {
 public:
  PhillyReader(std::string_view text, std::string_view file, const PhillyOptions& options)
      : scanner_(text), errors_(file), options_(options) {}

  TraceResult read() {
    if (read_header()) {
      while (!errors_.full() && scanner_.next()) read_record();
    }
    if (!errors_.empty()) return tl::unexpected(std::move(errors_).take());
    trace_.origin.groups = origin_clusters_.size();
    apply_limits(trace_, options_.limits);
    return std::move(trace_);
  }

 private:
  bool read_header() {
    if (scanner_.next()) {
      if (const auto with_ids = match(scanner_, kWithIds)) {
        layout_ = &kWithIds;
        positions_ = *with_ids;
        return true;
      }
      if (const auto with_dates = match(scanner_, kWithDates)) {
        layout_ = &kWithDates;
        positions_ = *with_dates;
        return true;
      }
    }
    errors_.add(1, 1,
                "no Philly header; expected job_id,submit_s,duration_s,vc,num_gpus or "
                "timestamp,duration,num_gpus,gpu_time,cluster");
    return false;
  }

  [[nodiscard]] bool has_dates() const { return layout_ == &kWithDates; }
  [[nodiscard]] std::string_view cell(Field field) const {
    return scanner_.field(positions_[field]);
  }

  void complain(Field field, std::string_view fault) {
    const CsvPlace place = scanner_.place(positions_[field]);
    errors_.add(place.line, place.column,
                fmt::format("{} {}: {}; mend or remove the row", (*layout_)[field], fault,
                            base::quote(cell(field))));
  }

  void read_record() {
    if (!scanner_.fault().empty()) {
      const CsvPlace place = scanner_.place(scanner_.fault_field());
      errors_.add(place.line, place.column, std::string(scanner_.fault()));
      return;
    }
    ++trace_.rows_read;
    if (scanner_.size() != kFieldCount) {
      reject(trace_, "wrong number of fields", scanner_.line());
      return;
    }
    const std::size_t errors_before = errors_.size();
    const Millis submit = read_submit();
    const Millis duration = read_number(kDuration, kSeconds);
    const std::int64_t gpus = read_number(kGpus, kWhole);
    check_name(kCluster);
    if (!has_dates()) check_name(kOther);
    if (errors_.size() != errors_before) return;
    origin_clusters_.intern(cell(kCluster));
    add_to_totals(trace_.origin, std::min(gpus, base::kAmountMax) * base::kUnit, duration, submit);
    const std::string_view fault = find_fault(submit, duration, gpus);
    if (!fault.empty()) {
      reject(trace_, fault, scanner_.line());
      return;
    }
    add_row(submit, duration, gpus);
  }

  // -1 where it is missing.
  Millis read_submit() {
    const std::string_view text = cell(kSubmit);
    if (!has_dates() || text.empty()) return text.empty() ? -1 : read_number(kSubmit, kSeconds);
    const auto seconds = parse_timestamp(text);
    if (!seconds) complain(kSubmit, "is no date and time such as 2017-10-09 07:01:55");
    return seconds.value_or(0) * base::kSecond;
  }

  // 0 where it is missing.
  std::int64_t read_number(Field field, const CellRange& range) {
    if (cell(field).empty()) return 0;
    const CellNumber number = parse_cell(cell(field), range);
    if (!number.fault.empty()) complain(field, number.fault);
    return number.value;
  }

  void check_name(Field field) {
    const std::string_view name = cell(field);
    if (name.empty() && field == kCluster) return;  // counted by kind
    const std::string_view fault = name_fault(name);
    if (!fault.empty()) complain(field, fault);
  }

  [[nodiscard]] std::string_view find_fault(Millis submit, Millis duration,
                                            std::int64_t gpus) const {
    if (submit < 0) return "submit time missing or negative";
    if (duration <= 0) return "duration not above 0";
    if (gpus <= 0) return "GPUs not above 0";
    if (cell(kCluster).empty()) return "virtual cluster missing";
    if (submit > base::kSpanMax || duration > base::kSpanMax) return "time beyond 139 years";
    constexpr base::Amount kMax = base::kAmountMax;
    const bool fits =
        gpus <= kMax / base::kUnit &&
        (options_.cpu_per_gpu == 0 || gpus <= kMax / options_.cpu_per_gpu) &&
        (options_.memory_mib_per_gpu == 0 || gpus <= kMax / options_.memory_mib_per_gpu);
    if (!fits) return "GPUs beyond any machine";
    if (split_tasks(gpus, options_.task_size).tasks > kTasksMax) {
      return "more tasks than a gang may have";
    }
    return {};
  }

  void add_row(Millis submit, Millis duration, std::int64_t gpus) {
    const TaskSplit split = split_tasks(gpus, options_.task_size);
    TraceRow row;
    row.submit = submit;
    row.run = duration;
    row.name_begin = static_cast<std::uint32_t>(trace_.names.size());
    if (has_dates()) {
      fmt::format_to(std::back_inserter(trace_.names), "j{}", trace_.rows_read - 1);
    } else {
      trace_.names.append(cell(kOther));
    }
    row.name_size = static_cast<std::uint32_t>(trace_.names.size()) - row.name_begin;
    row.queue = trace_.queues.intern(cell(kCluster));
    row.user = trace_.users.intern(cell(kCluster));
    row.tasks = static_cast<std::uint32_t>(split.tasks);
    row.shape = shapes_.intern({.gpu = split.each * base::kUnit,
                                .cpu = split.each * options_.cpu_per_gpu,
                                .memory_mib = split.each * options_.memory_mib_per_gpu},
                               trace_.shapes);
    trace_.rows.push_back(row);
    if (names_.add(trace_, static_cast<std::uint32_t>(trace_.rows.size() - 1))) return;
    trace_.rows.pop_back();
    trace_.names.resize(row.name_begin);
    reject(trace_, "id used before", scanner_.line());
  }

  CsvScanner scanner_;
  TraceErrors errors_;
  PhillyOptions options_;
  Trace trace_;
  const Layout* layout_ = nullptr;
  Positions positions_{};
  base::StringIndex origin_clusters_;
  ShapeTable shapes_;
  NameTable names_;
};

}  // namespace

bool is_philly(std::string_view text) {
  CsvScanner scanner(text);
  return scanner.next() && (match(scanner, kWithIds) || match(scanner, kWithDates));
}

TraceResult read_philly(std::string_view text, std::string_view file,
                        const PhillyOptions& options) {
  return PhillyReader(text, file, options).read();
}

}  // namespace stint::codec
