#include "codec/trace/trace_builder.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>

#include <fmt/format.h>

namespace stint::codec {

using base::i128;

void TraceErrors::add(std::uint32_t line, std::uint32_t column, std::string message) {
  if (is_cut_) return;
  is_cut_ = errors_.size() == kTraceErrorsMax;
  if (is_cut_) message = fmt::format("more than {} errors, the rest is not shown", kTraceErrorsMax);
  errors_.push_back({.file = file_,
                     .line = line,
                     .column = column,
                     .severity = Severity::Error,
                     .message = std::move(message)});
}

namespace {

constexpr std::size_t kFirstSlots = 64;
constexpr std::uint32_t kEmptySlot = std::numeric_limits<std::uint32_t>::max();

// splitmix64's finaliser over the three amounts.
std::size_t slot_hash(const TraceShape& shape) {
  std::uint64_t z = static_cast<std::uint64_t>(shape.gpu) * 0x9e3779b97f4a7c15U;
  z = (z ^ static_cast<std::uint64_t>(shape.cpu)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 29U) ^ static_cast<std::uint64_t>(shape.memory_mib)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

void put(std::vector<std::uint32_t>& slots, const TraceShape& shape, std::uint32_t id) {
  std::size_t at = slot_hash(shape) & (slots.size() - 1);
  while (slots[at] != kEmptySlot) at = (at + 1) & (slots.size() - 1);
  slots[at] = id;
}

}  // namespace

void ShapeTable::grow(const std::vector<TraceShape>& shapes) {
  slots_.assign(std::max(kFirstSlots, slots_.size() * 2), kEmptySlot);
  for (std::uint32_t id = 0; id < shapes.size(); ++id) put(slots_, shapes[id], id);
}

std::uint32_t ShapeTable::intern(const TraceShape& shape, std::vector<TraceShape>& shapes) {
  // Neighbouring rows are often alike.
  if (last_ < shapes.size() && shapes[last_] == shape) return last_;
  if ((shapes.size() + 1) * 2 > slots_.size()) grow(shapes);
  std::size_t at = slot_hash(shape) & (slots_.size() - 1);
  while (slots_[at] != kEmptySlot && shapes[slots_[at]] != shape) {
    at = (at + 1) & (slots_.size() - 1);
  }
  if (slots_[at] == kEmptySlot) {
    slots_[at] = static_cast<std::uint32_t>(shapes.size());
    shapes.push_back(shape);
  }
  last_ = slots_[at];
  return last_;
}

bool NameTable::rises(const Trace& trace, std::uint32_t row) const {
  if (!last_) return true;
  const std::string_view before = trace.name(trace.rows[*last_]);
  const std::string_view name = trace.name(trace.rows[row]);
  return name.size() != before.size() ? name.size() > before.size() : name > before;
}

std::uint32_t& NameTable::slot_of(const Trace& trace, std::string_view name) {
  std::size_t at = std::hash<std::string_view>{}(name) & (slots_.size() - 1);
  while (slots_[at] != kEmptySlot && trace.name(trace.rows[slots_[at]]) != name) {
    at = (at + 1) & (slots_.size() - 1);
  }
  return slots_[at];
}

// Of two rows with one name the first stays.
void NameTable::build(const Trace& trace, std::uint32_t row_count) {
  slots_.assign(std::bit_ceil(std::max(kFirstSlots, std::size_t{row_count} * 4)), kEmptySlot);
  used_ = row_count;
  for (std::uint32_t row = 0; row < row_count; ++row) {
    std::uint32_t& slot = slot_of(trace, trace.name(trace.rows[row]));
    if (slot == kEmptySlot) slot = row;
  }
}

bool NameTable::add(const Trace& trace, std::uint32_t row) {
  if (is_rising_ && rises(trace, row)) {
    last_ = row;
    return true;
  }
  is_rising_ = false;
  if ((used_ + 1) * 2 > slots_.size()) build(trace, row);
  std::uint32_t& slot = slot_of(trace, trace.name(trace.rows[row]));
  if (slot != kEmptySlot) return false;
  slot = row;
  ++used_;
  return true;
}

std::optional<std::uint32_t> NameTable::find(const Trace& trace, std::string_view name) {
  if (slots_.empty() || is_rising_) {
    is_rising_ = false;
    build(trace, static_cast<std::uint32_t>(trace.rows.size()));
  }
  const std::uint32_t slot = slot_of(trace, name);
  return slot == kEmptySlot ? std::nullopt : std::optional(slot);
}

namespace {
std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}
}  // namespace

void add_to_totals(TraceTotals& totals, std::int64_t resource_milli, base::Millis run,
                   base::Millis submit) {
  const std::int64_t amount = std::max<std::int64_t>(resource_milli, 0);
  const base::Millis span = std::max<base::Millis>(run, 0);
  ++totals.rows;
  totals.resource_milli = saturating_add(totals.resource_milli, amount);
  totals.duration = saturating_add(totals.duration, span);
  totals.resource_duration +=
      i128{std::min(amount, base::kAmountMax)} * std::min(span, base::kSpanMax);
  if (submit < 0) return;
  totals.submit_first = std::min(totals.submit_first, submit);
  totals.submit_last = std::max(totals.submit_last, submit);
}

void reject(Trace& trace, std::string_view kind, std::uint32_t line) {
  for (RejectedKind& known : trace.rejected) {
    if (known.kind == kind) {
      ++known.count;
      return;
    }
  }
  trace.rejected.push_back({std::string(kind), 1, line});
}

TaskSplit split_tasks(std::int64_t units, std::uint32_t task_size) {
  if (task_size == 0 || units <= task_size) return {1, units};
  const std::int64_t tasks = (units - 1) / task_size + 1;
  return {tasks, (units - 1) / tasks + 1};
}

namespace {

constexpr bool is_tail(unsigned char byte) { return (byte & 0xc0U) == 0x80U; }

// Bytes of the well-formed character at the front of `rest`, 0 if there is none (RFC 3629 §4).
std::size_t character_size(std::string_view rest) {
  const auto byte = [rest](std::size_t i) { return static_cast<unsigned char>(rest[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80U) return 1;
  const std::size_t size = lead >= 0xf0U ? 4 : lead >= 0xe0U ? 3 : 2;
  if (lead < 0xc2U || lead > 0xf4U || rest.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if (!is_tail(byte(i))) return 0;
  }
  const unsigned char second = byte(1);
  const bool is_shortest = !(lead == 0xe0U && second < 0xa0U) && !(lead == 0xf0U && second < 0x90U);
  const bool is_legal = !(lead == 0xedU && second > 0x9fU) && !(lead == 0xf4U && second > 0x8fU);
  return is_shortest && is_legal ? size : 0;
}

constexpr bool is_control(char c) { return (static_cast<unsigned char>(c) < 0x20U) || c == '\x7f'; }

}  // namespace

bool is_plain_text(std::string_view text) {
  const auto is_ascii_text = [](char c) { return c >= ' ' && c < '\x7f'; };
  if (std::ranges::all_of(text, is_ascii_text)) return true;
  while (!text.empty()) {
    const char c = text.front();
    if (is_control(c) && c != '\t' && c != '\n' && c != '\r') return false;
    const std::size_t size = character_size(text);
    if (size == 0) return false;
    text.remove_prefix(size);
  }
  return true;
}

std::string_view name_fault(std::string_view name) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  if (name.empty()) return "is empty";
  if (name.size() > kTraceNameMax) return "is longer than 255 bytes";
  if (!is_plain_text(name)) return "holds control characters or bytes that are no UTF-8 text";
  if (is_blank(name.front()) || is_blank(name.back())) return "starts or ends with a blank";
  return {};
}

std::uint32_t count_characters(std::string_view text) {
  const auto is_start = [](char c) { return !is_tail(static_cast<unsigned char>(c)); };
  return static_cast<std::uint32_t>(std::ranges::count_if(text, is_start));
}

}  // namespace stint::codec
