// What the readers of all formats share while they fill a Trace. Internal to codec/trace.
//
// Threads  one owner.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/trace/trace.h"

namespace stint::codec {

// The byte order mark that some editors put before UTF-8.
inline constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";

// Collects complaints up to kTraceErrorsMax.
class TraceErrors {
 public:
  explicit TraceErrors(std::string_view file) : file_(file) {}

  void add(std::uint32_t line, std::uint32_t column, std::string message);
  [[nodiscard]] bool empty() const { return errors_.empty(); }
  [[nodiscard]] std::size_t size() const { return errors_.size(); }
  // True once a further complaint would be too many: the reader should stop.
  [[nodiscard]] bool full() const { return is_cut_; }
  [[nodiscard]] std::vector<Diagnostic> take() && { return std::move(errors_); }

 private:
  std::string file_;
  std::vector<Diagnostic> errors_;
  bool is_cut_ = false;
};

// A table of different TraceShapes: equal shapes get one id, ids in order of first use.
class ShapeTable {
 public:
  [[nodiscard]] std::uint32_t intern(const TraceShape& shape, std::vector<TraceShape>& shapes);

 private:
  void grow(const std::vector<TraceShape>& shapes);

  std::vector<std::uint32_t> slots_;
  std::uint32_t last_ = 0;
};

// Names of jobs to rows, and whether a name was there before. While names rise (shorter first, then
// by bytes: 9, 10, j11, j12), as in most files, it holds nothing.
class NameTable {
 public:
  // Adds row number `row`, whose name stands in the trace already; rows are added in order.
  // False if an earlier row has the name; the row is then not added.
  [[nodiscard]] bool add(const Trace& trace, std::uint32_t row);
  // The row of that name among those in the trace.
  [[nodiscard]] std::optional<std::uint32_t> find(const Trace& trace, std::string_view name);

 private:
  [[nodiscard]] bool rises(const Trace& trace, std::uint32_t row) const;
  void build(const Trace& trace, std::uint32_t row_count);
  [[nodiscard]] std::uint32_t& slot_of(const Trace& trace, std::string_view name);

  std::vector<std::uint32_t> slots_;
  std::size_t used_ = 0;
  std::optional<std::uint32_t> last_;  // highest row so far, while names rise
  bool is_rising_ = true;
};

// Adds one row of the origin to the totals; negative amounts and times count 0.
//   Units  thousandths, ms.
void add_to_totals(TraceTotals& totals, std::int64_t resource_milli, base::Millis run,
                   base::Millis submit);

// Counts a broken row; `kind` is a phrase such as "run time is not above 0".
void reject(Trace& trace, std::string_view kind, std::uint32_t line);

// Splits `units` processors into equal tasks of at most `task_size` (0 = one task).
//   Shape   tasks = ceil(units / task_size), each of ceil(units / tasks): 12 by 8 is 2 x 6 (not
//           2 x 8), 3 by 8 is 1 x 3, 13 by 8 is 2 x 7. So a job asks for less than one unit per
//           task more than the origin, and nothing more if the size divides or is above it.
struct TaskSplit {
  std::int64_t tasks = 1;
  std::int64_t each = 0;
};
[[nodiscard]] TaskSplit split_tasks(std::int64_t units, std::uint32_t task_size);

// Is `text` well-formed UTF-8 (RFC 3629: shortest forms, no surrogates) without control characters
// other than tab and line ends?
[[nodiscard]] bool is_plain_text(std::string_view text);

// Why `name` is no name of a job, queue, user, label or level: a phrase such as "is empty"; empty
// if it is one.
[[nodiscard]] std::string_view name_fault(std::string_view name);

// Characters (UTF-8) of `text`, for columns.
[[nodiscard]] std::uint32_t count_characters(std::string_view text);

}  // namespace stint::codec
