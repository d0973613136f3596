#include <algorithm>
#include <array>
#include <charconv>

#include "codec/trace/csv.h"
#include "codec/trace/csv_columns.h"

namespace stint::codec {

using base::Millis;

namespace {

class CsvWriter {
 public:
  explicit CsvWriter(const Trace& trace) : trace_(trace) {
    const std::span<const CsvColumn> columns = csv_columns();
    for (std::size_t i = 0; i < kColumnCount; ++i) is_used_[i] = columns[i].is_required;
    for (const TraceRow& row : trace_.rows) mark_columns(row);
    mark(Column::After, !trace_.after.empty());
    mark(Column::Patience, !trace_.patience.empty());
  }

  std::string write() && {
    text_.reserve(trace_.rows.size() * 48);
    for (std::size_t i = 0; i < kColumnCount; ++i) {
      if (is_used_[i]) text_.append(i > 0 ? "," : "").append(csv_columns()[i].name);
    }
    text_.push_back('\n');
    for (std::uint32_t i = 0; i < trace_.rows.size(); ++i) write_row(i);
    return std::move(text_);
  }

 private:
  void mark(Column column, bool is_needed) {
    bool& used = is_used_[static_cast<std::size_t>(column)];
    used = used || is_needed;
  }

  void mark_columns(const TraceRow& row) {
    mark(Column::Limit, row.limit != base::kNever);
    mark(Column::Tasks, row.tasks != 1);
    mark(Column::Priority, row.priority != 0);
    const TraceShape& shape = trace_.shapes[row.shape];
    mark(Column::Gpu, shape.gpu != 0);
    mark(Column::Cpu, shape.cpu != 0);
    mark(Column::Memory, shape.memory_mib != 0);
    if (row.traits == 0) return;
    const TraceTraits& traits = trace_.traits[row.traits];
    mark(Column::Preemptible, !traits.preemptible);
    mark(Column::CkptEvery, traits.ckpt_every != base::kNever);
    mark(Column::CkptTakes, traits.ckpt_takes != 0);
    mark(Column::Restart, traits.restart != 0);
    mark(Column::Together, !traits.together.empty());
    mark(Column::Where, !traits.where.empty());
  }

  void write_row(std::uint32_t index) {
    const TraceRow& row = trace_.rows[index];
    for (std::size_t i = 0; i < kColumnCount; ++i) {
      if (!is_used_[i]) continue;
      if (i > 0) text_.push_back(',');
      write_cell(static_cast<Column>(i), index, row);
    }
    text_.push_back('\n');
  }

  void write_cell(Column column, std::uint32_t index, const TraceRow& row) {
    switch (column) {
      case Column::Id:
        return write_text(trace_.name(row));
      case Column::Queue:
        return write_text(trace_.queues.name(row.queue));
      case Column::User:
        return write_text(trace_.users.name(row.user));
      case Column::Submit:
        return write_milli(row.submit);
      case Column::Run:
        return write_milli(row.run);
      case Column::Limit:
        return write_span(row.limit);
      case Column::Tasks:
        return write_whole(row.tasks);
      case Column::Gpu:
        return write_milli(trace_.shapes[row.shape].gpu);
      case Column::Cpu:
        return write_milli(trace_.shapes[row.shape].cpu);
      case Column::Memory:
        return write_whole(trace_.shapes[row.shape].memory_mib);
      case Column::Priority:
        return write_whole(row.priority);
      case Column::After:
        return write_after(index);
      case Column::Patience:
        return write_span(trace_.patience_of(index));
      default:
        return write_trait(column, trace_.traits[row.traits]);
    }
  }

  void write_trait(Column column, const TraceTraits& traits) {
    switch (column) {
      case Column::Preemptible:
        text_.append(traits.preemptible ? "true" : "false");
        break;
      case Column::CkptEvery:
        return write_span(traits.ckpt_every);
      case Column::CkptTakes:
        return write_milli(traits.ckpt_takes);
      case Column::Restart:
        return write_milli(traits.restart);
      case Column::Together:
        return write_text(traits.together);
      case Column::Where:
        return write_where(traits.where);
      default:
        break;
    }
  }

  void write_where(const std::vector<TraceLabel>& where) {
    std::string list;
    for (const TraceLabel& label : where) {
      if (!list.empty()) list.push_back(';');
      list.append(label.label).append("=").append(label.value);
    }
    write_text(list);
  }

  void write_after(std::uint32_t index) {
    std::string list;
    for (const TraceAfter& edge : trace_.after_of(index)) {
      if (!list.empty()) list.push_back(';');
      list.append(trace_.name(trace_.rows[edge.on]));
    }
    write_text(list);
  }

  void write_whole(std::int64_t value) {
    std::array<char, 24> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    text_.append(digits.data(), end);
  }

  // Thousandths without trailing zeros. Requires value >= 0.
  void write_milli(std::int64_t value) {
    write_whole(value / 1000);
    auto rest = static_cast<int>(value % 1000);
    if (rest == 0) return;
    text_.push_back('.');
    for (int unit = 100; rest > 0; unit /= 10) {
      text_.push_back(static_cast<char>('0' + rest / unit));
      rest %= unit;
    }
  }

  void write_span(Millis span) {
    if (span != base::kNever) write_milli(span);
  }

  void write_text(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
      text_.append(text);
      return;
    }
    text_.push_back('"');
    for (const char c : text) text_.append(c == '"' ? 2 : 1, c);
    text_.push_back('"');
  }

  const Trace& trace_;
  std::array<bool, kColumnCount> is_used_{};
  std::string text_;
};

}  // namespace

std::string write_csv(const Trace& trace) { return CsvWriter(trace).write(); }

}  // namespace stint::codec
