#include <nlohmann/json.hpp>

#include "base/amount.h"
#include "sim/report/report.h"

namespace stint::sim {

namespace {

using Json = nlohmann::ordered_json;

double to_double(base::Amount amount) { return static_cast<double>(amount) / 1000; }

Json queue_json(const QueueSummary& queue) {
  return {{"jobs", queue.jobs},
          {"started", queue.started},
          {"wait_s",
           {{"mean", queue.wait_mean_s},
            {"p50", queue.wait_p50_s},
            {"p95", queue.wait_p95_s},
            {"p99", queue.wait_p99_s}}},
          {"bounded_slowdown", {{"mean", queue.slowdown_mean}}},
          {"guarantee", to_double(queue.guarantee)},
          {"held_hours", queue.held_hours},
          {"borrowed_hours", queue.borrowed_hours},
          {"lent_hours", queue.lent_hours},
          {"share", queue.share_mean},
          {"guarantee_violation_gpu_s", queue.violation_hours * 3600}};
}

}  // namespace

std::string metrics_json(const Summary& summary) {
  Json root = {{"schema", 1}, {"resource", summary.main}};
  root.update(queue_json(summary.total));
  root.erase("share");  // the shares of a whole cluster are nobody's
  root["utilisation"] = summary.utilisation;
  root["jain"] = summary.jain_hours > 0 ? Json(summary.jain) : Json(nullptr);
  root["makespan_s"] = static_cast<double>(summary.makespan) / 1000;
  root["waited"] = summary.waited;
  root["timed_out"] = summary.timed_out;
  root["evicted"] = summary.evicted;
  root["impossible"] = summary.impossible;
  root["left"] = summary.left;
  root["unfinished"] = summary.unfinished;
  root["digest"] = summary.digest;
  root["queues"] = Json::object();
  for (const QueueSummary& queue : summary.queues) root["queues"][queue.path] = queue_json(queue);
  // A queue name that is no UTF-8 must not throw; its bad bytes become U+FFFD.
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace stint::sim
