#include "engine/explain/why.h"

#include <algorithm>
#include <array>

#include "engine/placement/place.h"
#include "engine/turn/account.h"

namespace stint::engine {

namespace {

constexpr std::array<std::string_view, 16> kWords = {
    "impossible",     "held",       "not-before", "after",      "limit",  "budget",
    "guarantee-only", "turn",       "resources",  "fragmented", "domain", "reserved",
    "claimed",        "reclaiming", "protected",  "down"};

bool enough_in_total(const State& state, const Amounts& total) {
  for (std::size_t r = 0; r < total.size(); ++r) {
    if (total[r] > 0 && total[r] > state.free[r]) return false;
  }
  return true;
}

// The barrier that holds the job up, seen as a reason; None if none does.
Reason barrier_reason(const Engine& engine, const model::JobAsk& spec, const Request& request) {
  const State& state = engine.state();
  const Millis ends = base::later(state.now, spec.limit);
  for (const Barrier& barrier : engine.barriers()) {
    if (ends > barrier.until &&
        counts_under(state, request, spec.user, barrier.scope, barrier.protected_only)) {
      return barrier.protected_only ? Reason::GuaranteeOnly : Reason::Limit;
    }
  }
  return Reason::None;
}

Reason quota_reason(const Engine& engine, const model::JobAsk& spec, const Request& request) {
  const State& state = engine.state();
  if (state.policy.order != model::Order::Fair) return Reason::None;
  if (!exceeded_limits(state, request).empty()) return Reason::Limit;
  if (!outside_own_part(state, request).empty()) return Reason::GuaranteeOnly;
  const Reason barrier = barrier_reason(engine, spec, request);
  if (barrier != Reason::None) return barrier;
  const PlacementBounds bounds = model_bounds(state, request);
  const model::Shape& shape = state.shapes[spec.shape.index()];
  if (bounds.models_bind && !find_placement(state, shape, bounds) &&
      can_place(state, shape, World::Now)) {
    return Reason::Limit;
  }
  return Reason::None;
}

Reason placement_reason(const State& state, const model::Shape& shape, const Amounts& total) {
  if (!can_place(state, shape, World::HealthyEmpty)) return Reason::Down;
  if (can_place(state, shape, World::Now)) return Reason::Turn;
  if (can_place(state, shape, World::DownRepaired)) return Reason::Down;
  if (shape.wish.must) {
    model::Shape anywhere = shape;
    anywhere.wish = {};
    if (can_place(state, anywhere, World::Now)) return Reason::Domain;
  }
  return enough_in_total(state, total) ? Reason::Fragmented : Reason::Resources;
}

}  // namespace

std::string_view reason_word(Reason reason) {
  switch (reason) {
    case Reason::None:
      return "none";
    case Reason::Impossible:
      return "impossible";
    case Reason::Held:
      return "held";
    case Reason::NotBefore:
      return "not-before";
    case Reason::After:
      return "after";
    case Reason::Limit:
      return "limit";
    case Reason::GuaranteeOnly:
      return "guarantee-only";
    case Reason::Down:
      return "down";
    case Reason::Turn:
      return "turn";
    case Reason::Reserved:
      return "reserved";
    case Reason::Domain:
      return "domain";
    case Reason::Fragmented:
      return "fragmented";
    case Reason::Resources:
      return "resources";
  }
  return "none";
}

bool is_reason_word(std::string_view word) {
  return word == "maintenance" || std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

Reason why_waiting(const Engine& engine, base::JobId id) {
  const State& state = engine.state();
  const model::Job& job = state.jobs[id];
  const model::Shape& shape = state.shapes[job.spec.shape.index()];
  if (job.state == model::JobState::Future) return Reason::NotBefore;
  if (job.state != model::JobState::Waiting) return Reason::None;
  if (job.spec.impossible || !can_place(state, shape, World::AllEmpty)) return Reason::Impossible;
  if (job.held) return Reason::Held;
  if (!dependencies_met(state, id)) return Reason::After;
  const Amounts total = shape.total();
  const auto tenants = known_tenants_of(state, job.spec.queue, job.spec.user);
  const Request request{job.spec.queue, &tenants, &total, job.spec.preemptible};
  const Reason quota = quota_reason(engine, job.spec, request);
  if (quota != Reason::None) return quota;
  // What is free but kept back by a queue that does not lend it is not there for this job.
  const Reason place = placement_reason(state, shape, total);
  const bool kept_back = place == Reason::Turn && state.policy.order == model::Order::Fair &&
                         !lending_allows(state, request);
  if (kept_back) return Reason::Resources;
  return place == Reason::Turn && engine.would_delay_slot(id) ? Reason::Reserved : place;
}

}  // namespace stint::engine
