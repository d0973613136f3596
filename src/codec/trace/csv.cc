#include "codec/trace/csv.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "base/quote.h"
#include "base/suggest.h"
#include "codec/trace/csv_after.h"
#include "codec/trace/csv_cells.h"
#include "codec/trace/csv_columns.h"
#include "codec/trace/csv_scanner.h"
#include "codec/trace/trace_builder.h"

namespace stint::codec {

using base::Millis;

namespace {

constexpr std::size_t kAbsent = std::numeric_limits<std::size_t>::max();
// About what a short row takes, to reserve in one go.
constexpr std::size_t kBytesPerRow = 30;
constexpr std::array kTraitColumns{Column::Preemptible, Column::CkptEvery, Column::CkptTakes,
                                   Column::Restart,     Column::Together,  Column::Where};

constexpr CellRange kTime{3, 0, base::kSpanMax, false};
constexpr CellRange kSpan{3, 1, base::kSpanMax, false};
constexpr CellRange kCount{3, 0, base::kAmountMax, false};
constexpr CellRange kMemory{0, 0, base::kAmountMax, false};
constexpr CellRange kTasks{0, 1, kTasksMax, false};
constexpr CellRange kPriority{0, std::numeric_limits<std::int32_t>::min(),
                              std::numeric_limits<std::int32_t>::max(), false};

constexpr std::string_view kSecondsExample = "seconds such as 90 or 0.5";
constexpr std::string_view kCountExample = "a count such as 8 or 0.5";

class CsvReader {
 public:
  CsvReader(std::string_view text, std::string_view file, const CsvOptions& options)
      : scanner_(text), errors_(file), options_(options), after_(errors_) {
    trace_.rows.reserve(text.size() / kBytesPerRow);
    columns_.fill(kAbsent);
  }

  TraceResult read() {
    if (read_header()) {
      while (!errors_.full() && scanner_.next()) read_record();
      if (has_all_ids_ && !errors_.full()) after_.resolve(trace_, names_);
    }
    if (!errors_.empty()) return tl::unexpected(std::move(errors_).take());
    trace_.origin.groups = trace_.users.size();
    apply_limits(trace_, options_.limits);
    return std::move(trace_);
  }

 private:
  // ---- header

  bool read_header() {
    if (!scanner_.next()) {
      errors_.add(1, 1, fmt::format("the file is empty; it needs the header {}", required_names()));
      return false;
    }
    if (complain_of_fault()) return false;
    if (scanner_.size() == 1 && scanner_.field(0).find_first_of(";\t|") != std::string_view::npos) {
      complain(0, "the header is not separated by commas; write the table with ',' between fields");
      return false;
    }
    header_size_ = scanner_.size();
    if (!knows_any_column()) {
      complain(0, fmt::format("the first line is no header of a trace table; it needs {}",
                              required_names()));
      return false;
    }
    for (std::size_t i = 0; i < header_size_ && !errors_.full(); ++i) read_column_name(i);
    const std::span<const CsvColumn> known = csv_columns();
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (!known[i].is_required || columns_[i] != kAbsent) continue;
      complain(0, fmt::format("column \"{}\" is missing; the header needs {}", known[i].name,
                              required_names()));
    }
    has_traits_ = std::ranges::any_of(kTraitColumns, [&](Column c) { return has(c); });
    return errors_.empty();
  }

  [[nodiscard]] bool knows_any_column() const {
    for (std::size_t i = 0; i < scanner_.size(); ++i) {
      const std::span<const CsvColumn> known = csv_columns();
      if (std::ranges::find(known, scanner_.field(i), &CsvColumn::name) != known.end()) return true;
    }
    return false;
  }

  void read_column_name(std::size_t i) {
    const std::string_view name = scanner_.field(i);
    const std::span<const CsvColumn> known = csv_columns();
    const auto found = std::ranges::find(known, name, &CsvColumn::name);
    if (found == known.end()) {
      complain(i, fmt::format("unknown column {}{}", base::quote(name), suggestion(name)));
      return;
    }
    std::size_t& position = columns_[static_cast<std::size_t>(found - known.begin())];
    if (position != kAbsent) {
      complain(i, fmt::format("column \"{}\" stands in the header twice; keep one", name));
      return;
    }
    position = i;
  }

  static std::string suggestion(std::string_view name) {
    std::vector<std::string> names;
    for (const CsvColumn& column : csv_columns()) names.emplace_back(column.name);
    if (const auto near = base::did_you_mean(name, names)) {
      return fmt::format(", did you mean \"{}\"?", *near);
    }
    return fmt::format("; known are {}", fmt::join(names, ","));
  }

  static std::string required_names() {
    std::vector<std::string_view> names;
    for (const CsvColumn& column : csv_columns()) {
      if (column.is_required) names.push_back(column.name);
    }
    return fmt::format("{}", fmt::join(names, ","));
  }

  // ---- complaints

  void complain(std::size_t field, std::string message) {
    const CsvPlace place = scanner_.place(field);
    errors_.add(place.line, place.column, std::move(message));
  }

  void complain_of(Column column, std::string_view fault, std::string_view mend) {
    const std::string_view cell = field(column);
    const std::string shown = cell.empty() ? std::string() : fmt::format(": {}", base::quote(cell));
    complain(position(column),
             fmt::format("{} {}{}; write {}", name_of(column), fault, shown, mend));
  }

  bool complain_of_fault() {
    if (scanner_.fault().empty()) return false;
    complain(scanner_.fault_field(), std::string(scanner_.fault()));
    return true;
  }

  // ---- rows

  [[nodiscard]] std::size_t position(Column column) const {
    return columns_[static_cast<std::size_t>(column)];
  }
  [[nodiscard]] bool has(Column column) const { return position(column) != kAbsent; }
  // The cell, empty where the table lacks the column.
  [[nodiscard]] std::string_view field(Column column) const {
    return has(column) ? scanner_.field(position(column)) : std::string_view{};
  }
  static std::string_view name_of(Column column) {
    return csv_columns()[static_cast<std::size_t>(column)].name;
  }

  void read_record() {
    if (complain_of_fault()) {
      has_all_ids_ = false;
      return;
    }
    if (scanner_.size() != header_size_) {
      has_all_ids_ = false;
      complain(std::min(scanner_.size(), header_size_),
               fmt::format("the row has {} fields, the header has {}; add or remove commas, or put "
                           "a field with a comma in quotes",
                           scanner_.size(), header_size_));
      return;
    }
    ++trace_.rows_read;
    read_row();
  }

  void read_row() {
    TraceRow row;
    row.name_begin = static_cast<std::uint32_t>(trace_.names.size());
    const std::string_view id = field(Column::Id);
    check_name(Column::Id, id);
    trace_.names.append(id);
    row.name_size = static_cast<std::uint32_t>(id.size());
    row.queue = read_name(Column::Queue, trace_.queues, last_queue_);
    row.user = read_name(Column::User, trace_.users, last_user_);
    row.submit = read_number(Column::Submit, kTime, kSecondsExample);
    row.run = read_number(Column::Run, kSpan, kSecondsExample);
    row.limit = read_number_or(Column::Limit, base::kNever, kSpan, kSecondsExample);
    row.tasks = static_cast<std::uint32_t>(
        read_number_or(Column::Tasks, 1, kTasks, "a whole number from 1 to 1000000"));
    row.priority = static_cast<std::int32_t>(
        read_number_or(Column::Priority, 0, kPriority, "a whole number such as 0 or -5"));
    row.shape = read_shape(row.tasks);
    if (has_traits_) row.traits = read_traits();
    add_row(row);
  }

  void add_row(const TraceRow& row) {
    const auto index = static_cast<std::uint32_t>(trace_.rows.size());
    trace_.rows.push_back(row);
    if (!names_.add(trace_, index) && row.name_size > 0) {
      complain(position(Column::Id), fmt::format("id {} stands on an earlier row too; give each "
                                                 "job its own",
                                                 base::quote(trace_.name(row))));
    }
    add_to_totals(trace_.origin, trace_.shapes[row.shape].gpu * std::int64_t{row.tasks}, row.run,
                  row.submit);
    const std::string_view after = field(Column::After);
    if (!after.empty()) after_.note(index, after, scanner_.place(position(Column::After)));
    if (field(Column::Patience).empty()) return;
    trace_.patience.push_back({index, read_number(Column::Patience, kTime, kSecondsExample)});
  }

  std::int64_t read_number(Column column, const CellRange& range, std::string_view example) {
    const CellNumber number = parse_cell(field(column), range);
    if (!number.fault.empty()) {
      complain_of(column, number.fault, example);
      return range.low;
    }
    return number.value;
  }

  std::int64_t read_number_or(Column column, std::int64_t otherwise, const CellRange& range,
                              std::string_view example) {
    return field(column).empty() ? otherwise : read_number(column, range, example);
  }

  bool check_name(Column column, std::string_view name) {
    const std::string_view fault = name_fault(name);
    if (fault.empty()) return true;
    complain_of(column, fault, "a name");
    return false;
  }

  // `last` is the id of the row before: neighbours are often alike.
  std::uint32_t read_name(Column column, base::StringIndex& index, std::uint32_t& last) {
    const std::string_view name = field(column);
    if (last < index.size() && index.name(last) == name) return last;
    if (const auto known = index.find(name)) {
      last = *known;
    } else if (check_name(column, name)) {
      last = index.intern(name);
    }
    return last;
  }

  std::uint32_t read_shape(std::uint32_t tasks) {
    const TraceShape shape{
        .gpu = read_amount(Column::Gpu, kCount, kCountExample, tasks),
        .cpu = read_amount(Column::Cpu, kCount, kCountExample, tasks),
        .memory_mib = read_amount(Column::Memory, kMemory, "whole MiB such as 4096", tasks)};
    return shapes_.intern(shape, trace_.shapes);
  }

  base::Amount read_amount(Column column, const CellRange& range, std::string_view example,
                           std::uint32_t tasks) {
    const base::Amount amount = read_number_or(column, 0, range, example);
    if (amount <= base::kAmountMax / std::int64_t{tasks}) return amount;
    complain_of(column, "is above the largest value once it is taken for all tasks", "less");
    return 0;
  }

  // ---- traits: many rows share few spellings, so each spelling is parsed once

  std::uint32_t read_traits() {
    traits_key_.clear();
    bool is_default = true;
    for (const Column column : kTraitColumns) {
      const std::string_view cell = field(column);
      is_default = is_default && cell.empty();
      // The length first, so that two spellings never run into each other.
      for (unsigned shift = 0; shift < 32; shift += 8) {
        traits_key_ += static_cast<char>(cell.size() >> shift & 0xffU);
      }
      traits_key_.append(cell);
    }
    if (is_default) return 0;
    if (traits_key_ == last_traits_key_) return last_traits_;
    last_traits_key_ = traits_key_;
    if (const auto known = traits_keys_.find(traits_key_)) {
      return last_traits_ = traits_ids_[*known];
    }
    std::optional<TraceTraits> traits = parse_traits();
    if (!traits) {
      last_traits_key_.clear();  // to be complained about again
      return 0;
    }
    traits_keys_.intern(traits_key_);
    traits_ids_.push_back(static_cast<std::uint32_t>(trace_.traits.size()));
    trace_.traits.push_back(std::move(*traits));
    return last_traits_ = traits_ids_.back();
  }

  std::optional<TraceTraits> parse_traits() {
    const bool was_full = errors_.full();
    const std::size_t errors_before = errors_.size();
    TraceTraits traits;
    traits.preemptible = read_preemptible();
    traits.ckpt_every = read_number_or(Column::CkptEvery, base::kNever, kSpan, kSecondsExample);
    traits.ckpt_takes = read_number_or(Column::CkptTakes, 0, kTime, kSecondsExample);
    traits.restart = read_number_or(Column::Restart, 0, kTime, kSecondsExample);
    const std::string_view together = field(Column::Together);
    if (!together.empty()) check_name(Column::Together, together);
    traits.together = together;
    read_where(traits.where);
    if (was_full || errors_.size() != errors_before) return std::nullopt;
    return traits;
  }

  bool read_preemptible() {
    const std::string_view cell = field(Column::Preemptible);
    if (cell == "false" || cell == "0") return false;
    if (!cell.empty() && cell != "true" && cell != "1") {
      complain_of(Column::Preemptible, "is neither true nor false", "true or false");
    }
    return true;
  }

  void read_where(std::vector<TraceLabel>& where) {
    const std::string_view cell = field(Column::Where);
    if (!cell.empty() && !is_plain_text(cell)) {
      complain_of(Column::Where, "holds bytes that are no UTF-8 text or control characters",
                  "label=value");
      return;
    }
    for (const std::string_view pair : split_list(cell)) {
      const std::size_t equals = pair.find('=');
      const bool has_both =
          equals != std::string_view::npos && equals > 0 && equals + 1 < pair.size();
      if (!has_both || pair.size() > 2 * kTraceNameMax) {
        complain_of(Column::Where, "holds no label with its value",
                    "label=value pairs such as model=h100;zone=a");
        return;
      }
      const TraceLabel label{std::string(pair.substr(0, equals)),
                             std::string(pair.substr(equals + 1))};
      if (std::ranges::find(where, label.label, &TraceLabel::label) != where.end()) {
        complain_of(Column::Where, "names a label twice", "each label once");
        return;
      }
      where.push_back(label);
    }
  }

  CsvScanner scanner_;
  TraceErrors errors_;
  CsvOptions options_;
  CsvAfter after_;
  Trace trace_;
  std::array<std::size_t, kColumnCount> columns_{};
  std::size_t header_size_ = 0;
  std::uint32_t last_queue_ = 0;
  std::uint32_t last_user_ = 0;
  bool has_traits_ = false;
  bool has_all_ids_ = true;
  ShapeTable shapes_;
  NameTable names_;
  std::string traits_key_;
  std::string last_traits_key_;
  std::uint32_t last_traits_ = 0;
  base::StringIndex traits_keys_;
  std::vector<std::uint32_t> traits_ids_;
};

}  // namespace

TraceResult read_csv(std::string_view text, std::string_view file, const CsvOptions& options) {
  return CsvReader(text, file, options).read();
}

}  // namespace stint::codec
