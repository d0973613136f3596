#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/amount.h"
#include "sim/metrics/spread.h"
#include "sim/report/spread_report.h"
#include "sim/report/table.h"
#include "sim/report/units.h"

namespace stint::sim {

namespace {

using Format = std::string (*)(double);

std::string count(double value) { return fmt::format("{:.0f}", value); }
std::string one_decimal(double value) { return fmt::format("{:.1f}", value); }
std::string three_decimals(double value) { return fmt::format("{:.3f}", value); }

std::string text_of(const std::vector<double>& values, Format format) {
  const Spread spread = spread_of(values);
  if (spread.count == 0) return "n/a";
  return fmt::format("{} ± {}", format(spread.mean),
                     spread.half ? format(*spread.half) : std::string("?"));
}

template <class Item, class Number>
std::string spread(const std::vector<const Item*>& items, Format format, Number number) {
  std::vector<double> values;
  values.reserve(items.size());
  for (const Item* item : items) values.push_back(static_cast<double>(number(*item)));
  return text_of(values, format);
}

std::vector<std::string> cells(const std::vector<const QueueSummary*>& runs, std::string name,
                               bool is_total) {
  using Q = QueueSummary;
  return {std::move(name),
          spread(runs, count, [](const Q& q) { return q.jobs; }),
          spread(runs, hours, [](const Q& q) { return q.held_hours; }),
          base::format_count(runs.front()->guarantee),
          spread(runs, span, [](const Q& q) { return q.wait_mean_s; }),
          spread(runs, span, [](const Q& q) { return q.wait_p50_s; }),
          spread(runs, span, [](const Q& q) { return q.wait_p95_s; }),
          spread(runs, span, [](const Q& q) { return q.wait_p99_s; }),
          spread(runs, one_decimal, [](const Q& q) { return q.slowdown_mean; }),
          is_total ? "" : spread(runs, three_decimals, [](const Q& q) { return q.share_mean; }),
          spread(runs, hours, [](const Q& q) { return q.borrowed_hours; }),
          spread(runs, hours, [](const Q& q) { return q.lent_hours; })};
}

// Queues of all runs by path, once each.
std::vector<const QueueSummary*> all_queues(std::span<const Summary> runs) {
  std::vector<const QueueSummary*> queues;
  for (const Summary& run : runs) {
    for (const QueueSummary& queue : run.queues) queues.push_back(&queue);
  }
  std::sort(queues.begin(), queues.end(),
            [](const QueueSummary* a, const QueueSummary* b) { return a->path < b->path; });
  queues.erase(std::unique(queues.begin(), queues.end(),
                           [](const auto* a, const auto* b) { return a->path == b->path; }),
               queues.end());
  return queues;
}

void add_queues(std::span<const Summary> runs, TextTable& table) {
  for (const QueueSummary* queue : all_queues(runs)) {
    std::vector<const QueueSummary*> found;
    for (const Summary& run : runs) {
      const auto it = std::find_if(run.queues.begin(), run.queues.end(),
                                   [&](const auto& q) { return q.path == queue->path; });
      if (it != run.queues.end()) found.push_back(&*it);
    }
    const std::string indent(2 * static_cast<std::size_t>(queue->depth - 1), ' ');
    table.add(cells(found, indent + queue->path.substr(queue->path.rfind('/') + 1), false));
  }
  table.rule();
  std::vector<const QueueSummary*> totals;
  for (const Summary& run : runs) totals.push_back(&run.total);
  table.add(cells(totals, "all", true));
}

}  // namespace

std::string spread_text(std::span<const Summary> runs) {
  const Summary& first = runs.front();
  const std::string unit = first.main == "gpu" ? "GPU" : first.main;
  TextTable table({"<queue", "jobs", unit + "-hours", "guarantee", "wait mean", "p50", "p95", "p99",
                   "slowdown", "share", "borrowed", "lent"});
  add_queues(runs, table);
  std::vector<const Summary*> all;
  std::vector<double> jains;
  for (const Summary& run : runs) {
    all.push_back(&run);
    if (run.jain_hours > 0) jains.push_back(run.jain);
  }
  using S = Summary;
  std::string text = table.text();
  const auto line = [&](std::string_view name, const std::string& value) {
    text += fmt::format("{:<22}{}\n", name, value);
  };
  text += fmt::format("\n{} {}, {} runs: mean ± half-width of the 95 % confidence interval\n",
                      base::format_count(first.capacity), first.main, runs.size());
  line("makespan",
       spread(all, span, [](const S& s) { return static_cast<double>(s.makespan) / 1000; }));
  line("utilisation",
       spread(all, one_decimal, [](const S& s) { return s.utilisation * 100; }) + " %");
  line("goodput", spread(all, one_decimal, [](const S& s) { return s.goodput * 100; }) + " %");
  line("Jain index", text_of(jains, three_decimals));
  line("guarantee violation",
       spread(all, hours, [](const S& s) { return s.total.violation_hours; }) + " " + unit +
           "-hours");
  line("reclaim latency 99 %", spread(all, span, [](const S& s) { return s.total.reclaim_p99_s; }));
  line("reclaim latency max", spread(all, span, [](const S& s) { return s.total.reclaim_max_s; }));
  line("starvation", spread(all, span, [](const S& s) { return s.starvation_s; }));
  line("completion time mean", spread(all, span, [](const S& s) { return s.total.jct_mean_s; }));
  return text;
}

}  // namespace stint::sim
