// A trace: the jobs of a real or invented workload, as dense rows.
//
// All readers give this one form; the simulator and write_csv take it. A row has 56 bytes and no
// string: names of jobs stand in one buffer, what many rows share (queue, user, what a task asks
// for, rarely used wishes) is an id into a small table.
//
// Invariants  1. every id and span in a row is valid.  2. rows stand in file order; ids of jobs are
//             unique only where the format promises it (csv).  3. submit in [0, kSpanMax], run in
//             [1, kSpanMax], limit in [1, kSpanMax] or kNever, tasks in [1, kTasksMax], amounts in
//             [0, kAmountMax].  4. `after` is sorted by row and has no circle.
//             5. `patience` is sorted by row, at most one entry each, span in [0, kSpanMax].
// Threads     a value without hidden state.
//
//   const Trace& trace = ...;
//   for (const TraceRow& row : trace.rows) {
//     fmt::print("{} {}\n", trace.name(row), trace.shapes[row.shape].gpu);
//   }
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include "base/amount.h"
#include "base/int128.h"
#include "base/string_index.h"
#include "base/time.h"
#include "codec/diagnostic.h"

namespace stint::codec {

// Largest gang that a row may ask for.
inline constexpr std::uint32_t kTasksMax = 1'000'000;
// Longest name of a job, queue, user, label or level, in bytes.
inline constexpr std::size_t kTraceNameMax = 255;
// Complaints after which a reader gives up on a file.
inline constexpr std::size_t kTraceErrorsMax = 100;

// What one task asks for.
struct TraceShape {
  base::Amount gpu = 0;         // thousandths
  base::Amount cpu = 0;         // thousandths
  base::Amount memory_mib = 0;  // MiB
  friend bool operator==(const TraceShape&, const TraceShape&) = default;
};

// A node label that must have this value.
struct TraceLabel {
  std::string label;
  std::string value;
  friend bool operator==(const TraceLabel&, const TraceLabel&) = default;
};

// The wishes that most rows do not have; Trace::traits[0] is always this default.
struct TraceTraits {
  bool preemptible = true;
  base::Millis ckpt_every = base::kNever;  // kNever = saves nothing
  base::Millis ckpt_takes = 0;
  base::Millis restart = 0;
  std::string together;  // a level of the topology, empty = no wish
  std::vector<TraceLabel> where;
  friend bool operator==(const TraceTraits&, const TraceTraits&) = default;
};

struct TraceRow {
  base::Millis submit = 0;
  base::Millis run = 0;               // true length of the work, as read even if beyond the limit
  base::Millis limit = base::kNever;  // kNever = none
  std::uint32_t name_begin = 0;       // span in Trace::names
  std::uint32_t name_size = 0;
  std::uint32_t queue = 0;   // id in Trace::queues
  std::uint32_t user = 0;    // id in Trace::users
  std::uint32_t shape = 0;   // index in Trace::shapes, per task
  std::uint32_t traits = 0;  // index in Trace::traits
  std::uint32_t tasks = 1;
  std::int32_t priority = 0;
};
static_assert(sizeof(TraceRow) == 56);

// `row` may start when `on` has ended; both are indexes in Trace::rows.
struct TraceAfter {
  std::uint32_t row = 0;
  std::uint32_t on = 0;
  friend bool operator==(const TraceAfter&, const TraceAfter&) = default;
};

// `row` leaves if it has not started so long after its submission. Rows without an entry wait for
// ever: few traces know of patience, so rows do not pay for it.
struct TracePatience {
  std::uint32_t row = 0;
  base::Millis span = 0;
  friend bool operator==(const TracePatience&, const TracePatience&) = default;
};

// Rows that the origin holds broken, counted instead of read.
struct RejectedKind {
  std::string kind;
  std::uint64_t count = 0;
  std::uint32_t first_line = 0;
};

// Sums over every row of the file, rejected ones included; negative values count 0. They are there
// to check an import against the origin's own figures. Sums that pass 64 bits stay at its largest.
struct TraceTotals {
  std::uint64_t rows = 0;
  std::int64_t resource_milli = 0;           // GPUs or processors, thousandths
  base::Millis duration = 0;                 // sum of run times
  base::i128 resource_duration = 0;          // sum of products, thousandths x ms
  base::Millis submit_first = base::kNever;  // kNever = no row
  base::Millis submit_last = 0;
  std::uint64_t groups = 0;  // different users; where the origin has none, queues
};

struct Trace {
  std::vector<TraceRow> rows;
  std::vector<TraceShape> shapes;
  std::vector<TraceTraits> traits{TraceTraits{}};
  std::vector<TraceAfter> after;
  std::vector<TracePatience> patience;
  base::StringIndex queues;
  base::StringIndex users;
  std::string names;

  std::uint64_t rows_read = 0;                              // accepted and rejected
  std::vector<RejectedKind> rejected;                       // in order of first appearance
  std::vector<std::pair<std::string, std::string>> header;  // `; Key: value` lines of an SWF file
  TraceTotals origin;

  [[nodiscard]] std::string_view name(const TraceRow& row) const {
    return std::string_view(names).substr(row.name_begin, row.name_size);
  }
  // The jobs that row number `row` waits for, in file order of the list.
  [[nodiscard]] std::span<const TraceAfter> after_of(std::uint32_t row) const;
  // How long row number `row` waits before it leaves; kNever = for ever.
  [[nodiscard]] base::Millis patience_of(std::uint32_t row) const;
  // First value of a header field such as `MaxProcs`.
  [[nodiscard]] std::optional<std::string_view> header_value(std::string_view key) const;
  [[nodiscard]] std::uint64_t rejected_count() const;
};

// A trace, or everything that is wrong with the text (at least one entry, at most
// kTraceErrorsMax and one more that says that there are others).
using TraceResult = tl::expected<Trace, std::vector<Diagnostic>>;

// Which time limits a job gets (`--limits`, DESIGN §6).
enum class LimitMode {
  File,  // the file's, none where it has none
  Run,   // exactly the run time
  None,
};

// Puts the limits of all rows to `mode`.
void apply_limits(Trace& trace, LimitMode mode);

// The same jobs in the same order: names, numbers, queues and users by name, shapes, wishes,
// dependencies and patience. Ids, totals, header and rejected rows may differ.
[[nodiscard]] bool same_jobs(const Trace& a, const Trace& b);

}  // namespace stint::codec
