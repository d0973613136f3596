#include "sim/report/report.h"

#include <fmt/format.h>

#include "base/decay.h"
#include "sim/report/table.h"
#include "sim/report/units.h"

namespace stint::sim {

namespace {

std::vector<std::string> cells(const QueueSummary& queue, const std::string& name) {
  return {name,
          fmt::format("{}", queue.jobs),
          hours(queue.held_hours),
          base::format_count(queue.guarantee),
          span(queue.wait_mean_s),
          span(queue.wait_p50_s),
          span(queue.wait_p95_s),
          span(queue.wait_p99_s),
          fmt::format("{:.1f}", queue.slowdown_mean),
          fmt::format("{:.3f}", queue.share_mean),
          hours(queue.borrowed_hours),
          hours(queue.lent_hours)};
}

std::string csv_text(std::string_view text) {
  if (text.find_first_of(",\"\n\r") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::string_view state_word(const JobRecord& record) {
  switch (record.state) {
    case model::JobState::Future:
    case model::JobState::Waiting:
      return record.is_impossible ? "impossible" : "waiting";
    case model::JobState::Running:
      return "running";
    case model::JobState::Done:
      return "done";
    case model::JobState::Timeout:
      return "timeout";
    case model::JobState::Cancelled:
      return "cancelled";
  }
  return "";
}

std::string seconds_text(Millis t) { return t == base::kNever ? "" : base::format_decimal(t, 3); }

}  // namespace

std::string trace_facts(std::uint64_t rows_read,
                        const std::vector<std::pair<std::string, std::uint64_t>>& rejected,
                        const Summary& summary) {
  std::uint64_t refused = 0;
  for (const auto& [kind, count] : rejected) refused += count;
  std::string text = fmt::format("rows read {}, rejected {}", rows_read, refused);
  for (const auto& [kind, count] : rejected) text += fmt::format("\n  {:>8}  {}", count, kind);
  text += fmt::format(
      "\njobs {}: waited {}, timed out {}, evicted {}, impossible {}, left {}, unfinished {}\n",
      summary.jobs, summary.waited, summary.timed_out, summary.evicted, summary.impossible,
      summary.left, summary.unfinished);
  return text;
}

std::string summary_text(const Summary& summary) {
  const std::string unit = summary.main == "gpu" ? "GPU" : summary.main;
  TextTable table({"<queue", "jobs", unit + "-hours", "guarantee", "wait mean", "p50", "p95", "p99",
                   "slowdown", "share", "borrowed", "lent"});
  for (const QueueSummary& queue : summary.queues) {
    const std::string indent(2 * static_cast<std::size_t>(queue.depth - 1), ' ');
    const std::size_t slash = queue.path.rfind('/');
    table.add(cells(
        queue, indent + (slash == std::string::npos ? queue.path : queue.path.substr(slash + 1))));
  }
  table.rule();
  QueueSummary total = summary.total;
  total.share_mean = 0;
  std::vector<std::string> last = cells(total, "all");
  last[9] = "";
  table.add(std::move(last));
  std::string text = table.text();
  text += fmt::format("\n{} {}, {} from first submit to last end\n",
                      base::format_count(summary.capacity), summary.main,
                      span(static_cast<double>(summary.makespan) / 1000));
  text += fmt::format("utilisation           {:.1f} %\n", summary.utilisation * 100);
  text += fmt::format("goodput               {:.1f} %\n", summary.goodput * 100);
  if (summary.jain_hours > 0) {
    text += fmt::format(
        "Jain index            {:.3f} (over the {} h in which two queues were backlogged)\n",
        summary.jain, hours(summary.jain_hours));
  } else {
    text += "Jain index            n/a (never two queues backlogged at once)\n";
  }
  text += fmt::format("guarantee violation   {} {}-hours\n", hours(summary.total.violation_hours),
                      unit);
  text += fmt::format(
      "reclaim latency       99 % within {}, longest {} ({} requests inside a guarantee)\n",
      span(summary.total.reclaim_p99_s), span(summary.total.reclaim_max_s), summary.total.requests);
  text += fmt::format("starvation            {}\n", span(summary.starvation_s));
  text += fmt::format("completion time       mean {}, 50 % within {}, 99 % within {}\n",
                      span(summary.total.jct_mean_s), span(summary.total.jct_p50_s),
                      span(summary.total.jct_p99_s));
  text += fmt::format("digest                {}\n", summary.digest);
  return text;
}

void write_jobs_csv(const JobRecords& records, const std::function<JobLine(std::size_t)>& line_of,
                    const TextSink& sink) {
  sink("id,queue,user,submit_s,start_s,end_s,state,runs,evictions,lost_gpu_s,gpus\n");
  std::string piece;
  for (std::size_t j = 0; j < records.size(); ++j) {
    const JobRecord& job = records[j];
    const JobLine line = line_of(j);
    fmt::format_to(std::back_inserter(piece), "{},{},{},{},{},{},{},{},{},{},{}\n",
                   csv_text(line.name), csv_text(line.queue), csv_text(line.user),
                   seconds_text(line.submit), seconds_text(job.first_start), seconds_text(job.end),
                   state_word(job), job.runs, job.evictions,
                   base::format_decimal(job.lost_gpu_ms / 1000, 3), base::format_count(line.gpus));
    if (piece.size() < (1U << 16U)) continue;
    sink(piece);
    piece.clear();
  }
  sink(piece);
}

}  // namespace stint::sim
