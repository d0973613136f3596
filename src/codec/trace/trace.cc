#include "codec/trace/trace.h"

#include <algorithm>

namespace stint::codec {

std::span<const TraceAfter> Trace::after_of(std::uint32_t row) const {
  const auto [first, last] = std::ranges::equal_range(after, row, {}, &TraceAfter::row);
  return {first, last};
}

base::Millis Trace::patience_of(std::uint32_t row) const {
  const auto found = std::ranges::lower_bound(patience, row, {}, &TracePatience::row);
  return found != patience.end() && found->row == row ? found->span : base::kNever;
}

std::optional<std::string_view> Trace::header_value(std::string_view key) const {
  for (const auto& [name, value] : header) {
    if (name == key) return value;
  }
  return std::nullopt;
}

std::uint64_t Trace::rejected_count() const {
  std::uint64_t count = 0;
  for (const RejectedKind& kind : rejected) count += kind.count;
  return count;
}

void apply_limits(Trace& trace, LimitMode mode) {
  if (mode == LimitMode::File) return;
  for (TraceRow& row : trace.rows) row.limit = mode == LimitMode::Run ? row.run : base::kNever;
}

namespace {
bool same_row(const Trace& a, const TraceRow& x, const Trace& b, const TraceRow& y) {
  return a.name(x) == b.name(y) && a.queues.name(x.queue) == b.queues.name(y.queue) &&
         a.users.name(x.user) == b.users.name(y.user) && x.submit == y.submit && x.run == y.run &&
         x.limit == y.limit && x.tasks == y.tasks && x.priority == y.priority &&
         a.shapes[x.shape] == b.shapes[y.shape] && a.traits[x.traits] == b.traits[y.traits];
}
}  // namespace

bool same_jobs(const Trace& a, const Trace& b) {
  return a.after == b.after && a.patience == b.patience &&
         std::equal(a.rows.begin(), a.rows.end(), b.rows.begin(), b.rows.end(),
                    [&](const TraceRow& x, const TraceRow& y) { return same_row(a, x, b, y); });
}

}  // namespace stint::codec
