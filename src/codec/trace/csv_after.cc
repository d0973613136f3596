#include "codec/trace/csv_after.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/quote.h"

namespace stint::codec {

std::vector<std::string_view> split_list(std::string_view cell) {
  constexpr std::string_view kSeparators = ";, \t\r\n";
  std::vector<std::string_view> entries;
  while (true) {
    const std::size_t begin = cell.find_first_not_of(kSeparators);
    if (begin == std::string_view::npos) return entries;
    cell.remove_prefix(begin);
    entries.push_back(cell.substr(0, cell.find_first_of(kSeparators)));
    cell.remove_prefix(entries.back().size());
  }
}

void CsvAfter::note(std::uint32_t row, std::string_view cell, CsvPlace place) {
  cells_.push_back({row, std::string(cell), place});
}

void CsvAfter::resolve(Trace& trace, NameTable& names) {
  for (const Cell& cell : cells_) resolve_cell(cell, trace, names);
  refuse_circles(trace);
}

void CsvAfter::resolve_cell(const Cell& cell, Trace& trace, NameTable& names) {
  const auto complain = [&](std::string message) {
    errors_.add(cell.place.line, cell.place.column, std::move(message));
  };
  const std::size_t first = trace.after.size();
  for (const std::string_view id : split_list(cell.text)) {
    const auto on = names.find(trace, id);
    if (!on) {
      complain(
          fmt::format("after names {}, which is no id of this file; name ids, separated by ';'",
                      base::quote(id)));
    } else if (*on == cell.row) {
      complain(fmt::format("after names the job itself, {}; remove it", base::quote(id)));
    } else {
      trace.after.push_back({cell.row, *on});
    }
  }
  std::vector<std::uint32_t> named;
  for (std::size_t i = first; i < trace.after.size(); ++i) named.push_back(trace.after[i].on);
  std::ranges::sort(named);
  const auto twice = std::ranges::adjacent_find(named);
  if (twice == named.end()) return;
  complain(
      fmt::format("after names {} twice; keep one", base::quote(trace.name(trace.rows[*twice]))));
}

// Depth-first from each row in order: an edge to a row that is still on the path closes a circle.
void CsvAfter::refuse_circles(const Trace& trace) {
  enum class State : std::uint8_t { New, OnPath, Done };
  std::vector<State> states(trace.rows.size(), State::New);
  struct Step {
    std::uint32_t row;
    std::size_t next;
  };
  std::vector<Step> path;
  const auto enter = [&](std::uint32_t row) {
    states[row] = State::OnPath;
    path.push_back({row, 0});
  };
  for (const TraceAfter& start : trace.after) {
    if (states[start.row] == State::New) enter(start.row);
    while (!path.empty() && !errors_.full()) {
      const std::uint32_t row = path.back().row;
      const auto edges = trace.after_of(row);
      if (path.back().next == edges.size()) {
        states[row] = State::Done;
        path.pop_back();
        continue;
      }
      const std::uint32_t on = edges[path.back().next++].on;
      if (states[on] == State::New) {
        enter(on);
      } else if (states[on] == State::OnPath) {
        std::vector<std::uint32_t> circle;
        auto step = std::ranges::find(path, on, &Step::row);
        for (; step != path.end(); ++step) circle.push_back(step->row);
        report_circle(trace, circle);
      }
    }
  }
}

void CsvAfter::report_circle(const Trace& trace, const std::vector<std::uint32_t>& circle) {
  constexpr std::size_t kShown = 5;
  const auto first = std::ranges::min_element(circle);
  const auto cell = std::ranges::lower_bound(cells_, *first, {}, &Cell::row);
  std::string names;
  for (std::size_t i = 0; i < std::min(circle.size(), kShown); ++i) {
    const std::size_t at = (static_cast<std::size_t>(first - circle.begin()) + i) % circle.size();
    names.append(fmt::format("{} after ", base::quote(trace.name(trace.rows[circle[at]]))));
  }
  names.append(circle.size() > kShown ? "..." : base::quote(trace.name(trace.rows[*first])));
  errors_.add(cell->place.line, cell->place.column,
              fmt::format("after runs in a circle: {}; remove one of them", names));
}

}  // namespace stint::codec
