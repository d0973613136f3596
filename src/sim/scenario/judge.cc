#include "sim/scenario/judge.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/explain/why.h"
#include "engine/turn/account.h"

namespace stint::sim {

namespace {

using codec::Expectation;
using model::Amount;
using model::JobState;

constexpr base::i128 kMilliGpuHour =
    base::i128{base::kHour};  // thousandths of a GPU-hour in milli-GPU × ms

class Judge {
 public:
  Judge(const Expectation& expected, const engine::Engine& engine, const ScenarioRecord& record)
      : expected_(expected), engine_(engine), state_(engine.state()), record_(record) {}

  std::optional<std::string> verdict() {
    for (const JobId job : expected_.running) check_running(job);
    for (const JobId job : expected_.pending) check_pending(job);
    check_order();
    if (expected_.queue) check_queue(*expected_.queue);
    if (expected_.job) check_job(*expected_.job);
    if (!expected_.job && expected_.evictions) check_count("evictions", *expected_.evictions, 0);
    if (wrong_.empty()) return std::nullopt;
    return fmt::format("{}{}", at_text(), fmt::join(wrong_, "; "));
  }

 private:
  std::string at_text() const {
    return expected_.at ? fmt::format("at {}: ", base::format_duration(expected_.at->low)) : "";
  }
  const model::Job& job_of(JobId id) const { return state_.jobs[id]; }
  std::string name(JobId id) const { return model::job_name(state_, id); }

  // What the job is doing, in words, with the reason if it waits.
  std::string doing(JobId id) const {
    const model::Job& job = job_of(id);
    switch (job.state) {
      case JobState::Future:
        return "is not submitted yet";
      case JobState::Waiting:
        return fmt::format("waits ({})", engine::reason_word(engine::why_waiting(engine_, id)));
      case JobState::Running:
        return fmt::format("runs since {}", base::format_duration(state_.runs[job.run].start));
      case JobState::Done:
        return fmt::format("was done at {}", base::format_duration(job.end));
      case JobState::Timeout:
        return fmt::format("came to its limit at {}", base::format_duration(job.end));
      case JobState::Cancelled:
        return "was cancelled";
    }
    return "";
  }

  void check_running(JobId id) {
    if (job_of(id).state == JobState::Running) return;
    wrong_.push_back(fmt::format("{} should run, but {}", name(id), doing(id)));
  }
  void check_pending(JobId id) {
    if (job_of(id).state == JobState::Waiting) return;
    wrong_.push_back(fmt::format("{} should wait, but {}", name(id), doing(id)));
  }

  void check_order() {
    if (expected_.order.empty()) return;
    std::vector<JobId> seen;
    for (const JobId job : record_.first_starts()) {
      const auto& wanted = expected_.order;
      if (std::find(wanted.begin(), wanted.end(), job) != wanted.end()) seen.push_back(job);
    }
    if (seen == expected_.order) return;
    wrong_.push_back(fmt::format("should start in the order {}, but started {}",
                                 names(expected_.order), names(seen)));
  }
  std::string names(const std::vector<JobId>& jobs) const {
    std::vector<std::string> texts;
    for (const JobId job : jobs) texts.push_back(name(job));
    return texts.empty() ? "nothing" : fmt::format("{}", fmt::join(texts, ", "));
  }

  void check_count(std::string_view what, std::int64_t wanted, std::int64_t seen) {
    if (wanted != seen)
      wrong_.push_back(fmt::format("should have {} {}, has {}", wanted, what, seen));
  }

  std::string amount_text(base::ResourceId resource, Amount amount) const {
    const std::string& what = state_.cluster.resources.name(resource);
    return fmt::format("{} {}",
                       model::Resources::is_memory(what) ? base::format_memory(amount)
                                                         : base::format_count(amount),
                       what);
  }

  void check_queue(base::QueueId id) {
    const model::Account& account = state_.queues[id.index()];
    const std::string& path = state_.tree[id].path;
    if (expected_.jobs && *expected_.jobs != account.running_jobs) {
      wrong_.push_back(fmt::format("{} should run {} jobs, runs {}", path, *expected_.jobs,
                                   account.running_jobs));
    }
    for (const auto& [resource, amount] : expected_.holds) {
      const Amount seen = account.now[resource];
      if (seen == amount) continue;
      wrong_.push_back(fmt::format("{} should hold {}, holds {}", path,
                                   amount_text(resource, amount), amount_text(resource, seen)));
    }
    for (const auto& [resource, amount] : expected_.borrows) {
      const Amount guarantee = state_.guarantees[id.index()][resource];
      const Amount seen = std::max<Amount>(0, account.now[resource] - guarantee);
      if (seen == amount) continue;
      wrong_.push_back(fmt::format("{} should borrow {}, borrows {}", path,
                                   amount_text(resource, amount), amount_text(resource, seen)));
    }
    if (expected_.charged_gpu_hours) {
      check_gpu_hours(fmt::format("{} should be charged", path), *expected_.charged_gpu_hours,
                      charged_gpu_ms(state_, id));
    }
  }

  void check_gpu_hours(const std::string& what, Amount wanted, base::i128 seen) {
    if (base::i128{wanted} * kMilliGpuHour == seen) return;
    wrong_.push_back(fmt::format("{} {} GPU-hours, seen {}", what, base::format_count(wanted),
                                 base::format_count(static_cast<Amount>(seen / kMilliGpuHour))));
  }

  void check_time(JobId id, std::string_view what, const codec::TimeRange& wanted, Millis seen) {
    if (seen >= wanted.low && seen <= wanted.high) return;
    const std::string range = wanted.low == wanted.high
                                  ? base::format_duration(wanted.low)
                                  : fmt::format("{} to {}", base::format_duration(wanted.low),
                                                base::format_duration(wanted.high));
    const std::string when = seen == base::kNever ? doing(id) : base::format_duration(seen);
    wrong_.push_back(fmt::format("{} should {} {}, seen: {}", name(id), what, range, when));
  }

  void check_job(JobId id) {
    const model::Job& job = job_of(id);
    if (expected_.starts) check_time(id, "start", *expected_.starts, job.first_start);
    if (expected_.ends) check_time(id, "end", *expected_.ends, job.end);
    if (expected_.runs) check_count("runs", *expected_.runs, job.runs);
    if (expected_.evictions) check_count("evictions", *expected_.evictions, 0);
    if (expected_.lost_gpu_hours) {
      check_gpu_hours(fmt::format("{} should lose", name(id)), *expected_.lost_gpu_hours,
                      job.lost_gpu_ms);
    }
    if (!expected_.why) return;
    const std::string_view why = engine::reason_word(engine::why_waiting(engine_, id));
    if (why != *expected_.why) {
      wrong_.push_back(fmt::format("{} should wait for the reason {}, but {}", name(id),
                                   *expected_.why, doing(id)));
    }
  }

  const Expectation& expected_;
  const engine::Engine& engine_;
  const engine::State& state_;
  const ScenarioRecord& record_;
  std::vector<std::string> wrong_;
};

}  // namespace

std::optional<std::string> judge(const codec::Expectation& expectation,
                                 const engine::Engine& engine, const ScenarioRecord& record) {
  return Judge(expectation, engine, record).verdict();
}

}  // namespace stint::sim
