#include "codec/config/read_policy.h"

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/time.h"
#include "codec/schema/tables.h"
#include "codec/schema/values.h"

namespace stint::codec {

namespace {

using model::Instant;
using model::Order;
using model::Policy;

// One map of the policy beside its table; absent keys keep what the policy has.
class Knobs {
 public:
  Knobs(const Node* node, const Block& block) : node_(node), block_(block) {}

  void duration(std::string_view key, Millis& target) const {
    const Node* value = scalar(key);
    if (value == nullptr) return;
    if (value->is_word("none")) {
      target = base::kNever;
    } else if (const auto span = duration_of(*value, spec(key))) {
      target = *span;
    }
  }
  void integer(std::string_view key, std::int32_t& target) const {
    const Node* value = scalar(key);
    if (value == nullptr) return;
    if (const auto number = integer_of(*value, spec(key)))
      target = static_cast<std::int32_t>(*number);
  }
  void decimal(std::string_view key, std::int32_t& target) const {
    const Node* value = scalar(key);
    if (value == nullptr) return;
    if (const auto number = decimal_of(*value, spec(key)))
      target = static_cast<std::int32_t>(*number);
  }
  [[nodiscard]] std::string_view word(std::string_view key) const {
    const Node* value = scalar(key);
    return value == nullptr ? std::string_view() : std::string_view(value->text);
  }
  [[nodiscard]] const Node* scalar(std::string_view key) const {
    STINT_ASSERT(find_key(block_, key) != nullptr);
    return node_ == nullptr ? nullptr : find(*node_, key, NodeKind::Scalar);
  }
  [[nodiscard]] const Node* map(std::string_view key) const {
    STINT_ASSERT(find_key(block_, key) != nullptr);
    return node_ == nullptr ? nullptr : find(*node_, key, NodeKind::Map);
  }

 private:
  [[nodiscard]] const KeySpec& spec(std::string_view key) const { return *find_key(block_, key); }

  const Node* node_;
  const Block& block_;
};

void read_order(const Knobs& knobs, Policy& policy) {
  const std::string_view order = knobs.word("order");
  if (order == "fifo") policy.order = Order::Fifo;
  if (order == "fifo_skip") policy.order = Order::FifoSkip;
  if (order == "sjf_skip") policy.order = Order::SjfSkip;
  if (knobs.word("instant") == "submit_first") policy.instant = Instant::SubmitFirst;
  if (knobs.word("instant") == "each_end") policy.instant = Instant::EachEnd;
}

void read_preemption(const Knobs& top, Policy& policy) {
  policy.preemption = top.word("preemption") != "off";
  const Knobs knobs(top.map("preemption"), kPreemption);
  knobs.duration("reclaim_within", policy.reclaim_within);
  knobs.duration("grace", policy.grace);
  knobs.duration("min_run", policy.min_run);
  knobs.integer("max_per_day", policy.max_per_day);
  knobs.duration("loss_cap", policy.loss_cap);
  knobs.duration("claim_for", policy.claim_for);
  policy.between_borrowers = knobs.word("between_borrowers") != "off";
  const Knobs between(knobs.map("between_borrowers"), kBetweenBorrowers);
  between.duration("after", policy.between_borrowers_after);
}

// A run that may not be touched for longer than the bound would break the promise of the bound.
void check_min_run(const Knobs& top, const Policy& policy, Complaints& complaints) {
  if (!policy.preemption || policy.min_run <= policy.reclaim_within) return;
  const Node* preemption = top.map("preemption");
  if (preemption == nullptr) return;
  const Node* min_run = find(*preemption, "min_run", NodeKind::Scalar);
  const Node* within = find(*preemption, "reclaim_within", NodeKind::Scalar);
  const auto shown = [](const Node* node, Millis value) {
    return node != nullptr ? node->text : base::format_duration(value);
  };
  const Mark at = min_run != nullptr  ? min_run->mark
                  : within != nullptr ? within->mark
                                      : preemption->mark;
  complaints.error(
      at,
      fmt::format("min_run {} is longer than reclaim_within {}: a lent guarantee could not come "
                  "back in time",
                  shown(min_run, policy.min_run), shown(within, policy.reclaim_within)));
}

void lint_half_life(const Knobs& fair_share, const Policy& policy, Complaints& complaints) {
  const Node* written = fair_share.scalar("half_life");
  if (written != nullptr && !duration_of(*written, *find_key(kFairShare, "half_life"))) return;
  if (written == nullptr || policy.max_time == base::kNever || policy.half_life >= policy.max_time)
    return;
  const Policy defaults;
  const bool is_default =
      policy.half_life == defaults.half_life && policy.max_time == defaults.max_time;
  if (is_default) return;
  complaints.lint(
      written->mark,
      fmt::format(
          "half_life {} is shorter than max_time {}: a long run is half forgotten before it "
          "ends",
          written->text, base::format_duration(policy.max_time)));
}

void lint_default_time(const Knobs& limits, const Policy& policy, Complaints& complaints) {
  if (policy.default_time == base::kNever || policy.default_time <= policy.max_time) return;
  const Node* at = limits.scalar("default_time");
  if (at == nullptr) at = limits.scalar("max_time");
  if (at == nullptr) return;
  complaints.lint(
      at->mark,
      fmt::format("default_time {} is longer than max_time {}: a job without a limit of its "
                  "own never runs",
                  base::format_duration(policy.default_time),
                  base::format_duration(policy.max_time)));
}

}  // namespace

model::Policy read_policy(const Node* node, Complaints& complaints) {
  Policy policy;
  const Knobs top(node, kPolicy);
  read_order(top, policy);
  top.duration("cycle", policy.cycle);
  const Knobs fair_share(top.map("fair_share"), kFairShare);
  fair_share.duration("half_life", policy.half_life);
  fair_share.decimal("history", policy.history);
  read_preemption(top, policy);
  const Knobs backfill(top.map("backfill"), kBackfill);
  backfill.integer("reservations", policy.reservations);
  if (backfill.word("reservations") == "all") policy.reservations = model::kReservationsAll;
  backfill.duration("firm_after", policy.firm_after);
  const Knobs limits(top.map("limits"), kTimeLimits);
  limits.duration("default_time", policy.default_time);
  limits.duration("max_time", policy.max_time);
  const Knobs failures(top.map("failures"), kFailures);
  failures.duration("repair_within", policy.repair_within);
  failures.integer("quarantine_after", policy.quarantine_after);
  check_min_run(top, policy, complaints);
  lint_half_life(fair_share, policy, complaints);
  lint_default_time(limits, policy, complaints);
  return policy;
}

}  // namespace stint::codec
