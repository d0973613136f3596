// Watches a simulation and adds up what the summary needs.
//
// Sums over time are exact integers (base units × ms) where they can be; division comes last. A
// queue is looked at when something on its path has changed, not at every instant, and a job when
// it is over: of it two numbers stay, its wait and its completion time.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/int128.h"
#include "sim/metrics/envy.h"
#include "sim/metrics/fairness.h"
#include "sim/metrics/requests.h"
#include "sim/metrics/run_costs.h"
#include "sim/metrics/spans.h"
#include "sim/metrics/summary.h"
#include "sim/simulator.h"

namespace stint::sim {

// Takes finished pieces of text, such as lines of a file.
using TextSink = std::function<void(std::string_view)>;

class Collector : public Observer {
 public:
  // Nothing counts that happens, and no job that is submitted, before `warmup` after the first
  // submission.
  explicit Collector(const engine::State& state, Millis warmup = 0);

  // Writes `timeline.csv` to `sink`: one row per queue at every multiple of `step`.
  void write_timeline(TextSink sink, Millis step);

  void telling(const engine::Engine& engine, const engine::Event& fact, Millis now) override;
  void time_passes(const engine::Engine& engine, Millis next) override;
  void submitted(const engine::Engine& engine, JobId job) override;
  void started(const engine::Engine& engine, const engine::Start& start) override;
  void ended(const engine::Engine& engine, JobId job) override;
  void finished(const engine::Engine& engine, JobId job) override;
  void world_changed(const engine::Engine& engine) override;
  void instant_ends(const engine::Engine& engine) override;

  // Requires that the simulation is over.
  [[nodiscard]] Summary summary(const engine::Engine& engine);

 private:
  // A queue as it stood since `since`, and what has come together until then.
  struct Track {
    Millis since = 0;
    base::Amount held = 0;
    base::Amount guarantee = 0;
    base::Amount demand = 0;
    double share = 0;
    bool is_marked = false;
    base::i128 held_sum = 0;
    base::i128 borrowed_sum = 0;
    base::i128 violation_sum = 0;
    double share_sum = 0;
    double lent_sum = 0;
    double lent_mark = 0;  // lent_level_ when it was last looked at
  };
  // Jobs of a leaf.
  struct Tally {
    Spans waits;                    // of those that started
    Spans jcts;                     // of those that finished
    base::i128 effective_wait = 0;  // of those that finished, summed
    double slowdown = 0;
    std::uint64_t jobs = 0;
  };

  void mark(const engine::State& state, base::QueueId queue);
  void add_span(const engine::Engine& engine, std::size_t queue);
  void look(const engine::Engine& engine, std::size_t queue);
  void add_lent_level(Millis until);
  void tally(const engine::Engine& engine, JobId job);
  void write_rows(const engine::Engine& engine, Millis t) const;
  // Of all leaves below `queue`, or of itself.
  [[nodiscard]] std::vector<const Tally*> tallies_below(const engine::State& state,
                                                        base::QueueId queue) const;
  // Spans of all of them, in no order that matters.
  [[nodiscard]] static std::vector<Millis> gather(std::span<const Tally* const> below,
                                                  Spans Tally::* spans);
  static void fill_waits(std::span<const Tally* const> below, QueueSummary& out);
  static void fill_completions(std::span<const Tally* const> below, QueueSummary& out);
  void fill_use(const engine::Engine& engine, Summary& summary) const;
  void fill_requests(const engine::Engine& engine, Summary& summary) const;
  void fill_queue(const engine::State& state, std::size_t queue, QueueSummary& out) const;
  // When the count begins; kNever before the first submission.
  [[nodiscard]] Millis begin() const {
    return first_ ? base::later(*first_, warmup_) : base::kNever;
  }
  // What of [since, now] counts.
  [[nodiscard]] Millis counted(Millis since, Millis now) const;

  base::ResourceId main_;
  base::Amount capacity_;  // configured
  Millis warmup_;
  std::vector<Track> tracks_;          // by QueueId
  std::vector<Tally> tallies_;         // by QueueId; of leaves
  std::vector<base::QueueId> marked_;  // changed in this instant
  bool all_changed_ = true;
  Fairness fairness_;
  Envy envy_;
  RunCosts costs_;
  Requests requests_;
  CapacityUse use_;  // idle, down and all
  // Lending among the queues below the root: what each unit of an idle guarantee has lent so far.
  base::Amount promised_ = 0;
  base::Amount borrowed_ = 0;
  base::Amount idle_ = 0;
  double lent_level_ = 0;
  Millis lent_since_ = 0;
  base::Amount healthy_ = 0;
  Millis healthy_since_ = 0;
  base::i128 available_ = 0;
  std::optional<Millis> first_;  // first submission
  Millis last_end_ = 0;
  Summary counts_;  // of jobs that are over
  TextSink timeline_;
  Millis step_ = 0;
  Millis next_sample_ = 0;
};

// The resource that reports are about.
[[nodiscard]] base::ResourceId main_resource(const model::Cluster& cluster);

}  // namespace stint::sim
