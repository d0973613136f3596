#include <nlohmann/json.hpp>

#include "base/amount.h"
#include "sim/metrics/spread.h"
#include "sim/report/report.h"
#include "sim/report/spread_report.h"

namespace stint::sim {

namespace {

using Json = nlohmann::ordered_json;

double to_double(base::Amount amount) { return static_cast<double>(amount) / 1000; }

Json queue_json(const QueueSummary& queue) {
  return {
      {"jobs", queue.jobs},
      {"started", queue.started},
      {"finished", queue.finished},
      {"wait_s",
       {{"mean", queue.wait_mean_s},
        {"p50", queue.wait_p50_s},
        {"p95", queue.wait_p95_s},
        {"p99", queue.wait_p99_s}}},
      {"jct_s",
       {{"mean", queue.jct_mean_s},
        {"p50", queue.jct_p50_s},
        {"p95", queue.jct_p95_s},
        {"p99", queue.jct_p99_s}}},
      {"effective_wait_s", {{"mean", queue.effective_wait_mean_s}}},
      {"reclaim_latency_s",
       {{"requests", queue.requests}, {"p99", queue.reclaim_p99_s}, {"max", queue.reclaim_max_s}}},
      {"bounded_slowdown", {{"mean", queue.slowdown_mean}}},
      {"guarantee", to_double(queue.guarantee)},
      {"held_hours", queue.held_hours},
      {"borrowed_hours", queue.borrowed_hours},
      {"lent_hours", queue.lent_hours},
      {"share", queue.share_mean},
      {"guarantee_violation_gpu_s", queue.violation_hours * 3600}};
}

// In hours of the resource.
Json use_json(const CapacityUse& use) {
  const auto hours = [](base::i128 sum) { return static_cast<double>(sum) / 1000 / 3.6e6; };
  return {{"useful", hours(use.useful)},     {"lost", hours(use.lost)},
          {"overhead", hours(use.overhead)}, {"idle", hours(use.idle)},
          {"down", hours(use.down)},         {"all", hours(use.all)}};
}

Json metrics(const Summary& summary) {
  Json root = {{"schema", 1}, {"resource", summary.main}};
  root.update(queue_json(summary.total));
  root.erase("share");  // the shares of a whole cluster are nobody's
  root["utilisation"] = summary.utilisation;
  root["allocation"] = summary.allocation;
  root["goodput"] = summary.goodput;
  root["preemption_waste"] = summary.preemption_waste;
  root["failure_waste"] = summary.failure_waste;
  root["envy"] = summary.envy;
  root["starvation_s"] = summary.starvation_s;
  root["capacity_hours"] = use_json(summary.capacity_use);
  root["jain"] = summary.jain_hours > 0 ? Json(summary.jain) : Json(nullptr);
  root["makespan_s"] = static_cast<double>(summary.makespan) / 1000;
  root["waited"] = summary.waited;
  root["timed_out"] = summary.timed_out;
  root["evicted"] = summary.evicted;
  root["impossible"] = summary.impossible;
  root["left"] = summary.left;
  root["unfinished"] = summary.unfinished;
  const engine::Counters& work = summary.work;
  root["work"] = {{"passes", work.passes},     {"candidates", work.candidates},
                  {"searches", work.searches}, {"starts", work.starts},
                  {"matches", work.matches},   {"ranked", work.ranked},
                  {"walked", work.walked}};
  root["digest"] = summary.digest;
  root["queues"] = Json::object();
  for (const QueueSummary& queue : summary.queues) root["queues"][queue.path] = queue_json(queue);
  return root;
}

// A queue name that is no UTF-8 must not throw; its bad bytes become U+FFFD.
std::string text_of(const Json& root) {
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// What one key holds in those runs that have it: objects key by key, numbers as their spread, words
// as a list unless all agree.
Json spread(const std::vector<const Json*>& values) {
  Json merged = Json::object();
  if (values.front()->is_object()) {
    for (const Json* value : values) {
      for (const auto& [key, unused] : value->items()) {
        if (merged.contains(key)) continue;
        std::vector<const Json*> members;
        for (const Json* other : values) {
          if (const auto it = other->find(key); it != other->end()) members.push_back(&*it);
        }
        merged[key] = spread(members);
      }
    }
    return merged;
  }
  std::vector<double> numbers;
  Json words = Json::array();
  for (const Json* value : values) {
    if (value->is_number()) numbers.push_back(value->get<double>());
    if (value->is_string()) words.push_back(*value);
  }
  if (!words.empty()) return words;
  const Spread found = spread_of(numbers);
  return {{"mean", found.count > 0 ? Json(found.mean) : Json(nullptr)},
          {"half_width", found.half ? Json(*found.half) : Json(nullptr)},
          {"runs", found.count}};
}

}  // namespace

std::string metrics_json(const Summary& summary) { return text_of(metrics(summary)); }

std::string spread_json(std::span<const Summary> runs) {
  std::vector<Json> all;
  for (const Summary& run : runs) all.push_back(metrics(run));
  std::vector<const Json*> values;
  for (const Json& run : all) values.push_back(&run);
  Json root = spread(values);
  root["schema"] = all.front()["schema"];
  root["resource"] = all.front()["resource"];
  return text_of(root);
}

}  // namespace stint::sim
