#include "engine/turn/standing.h"

#include <algorithm>

#include "base/int128.h"

namespace stint::engine {

namespace {

constexpr std::int64_t kOneQ32 = std::int64_t{1} << 32;
// Keys beyond this are not bounded but computed at every instant.
constexpr std::int64_t kKeyBounded = std::int64_t{1} << 60;
// ln 2 rounded up, in ten-thousandths.
constexpr std::uint64_t kLn2 = 6932;

std::int64_t share_q32(Fraction share) {
  return base::to_q32((static_cast<base::u128>(share.num) << 64U) /
                      static_cast<base::u128>(share.den));
}

bool has_moving_key(const Standing& s, const Motion& motion) {
  return motion.history() > 0 && !s.rank.weightless;
}

// Brings the rank up to date.
void renew(Standing& s, const Motion& motion, Millis now) {
  if (s.at == now || s.at_rest) return;
  s.at = now;
  s.rank.past_q32 = base::to_q32(s.past.value_at(now, s.share, motion.half_life()));
  if (has_moving_key(s, motion)) {
    s.rank.key = blended_key(s.turn_share, s.rank.past_q32, motion.history(), s.weight);
  }
}

struct Span {
  std::int64_t low;
  std::int64_t high;
};

// Where the key is at `now`, without computing it.
Span key_span(const Standing& s, const Motion& motion, Millis now) {
  const std::int64_t key = s.rank.key.num;
  if (s.at == now || s.at_rest) return {key, key};
  const base::i128 way = static_cast<base::i128>(s.key_end) - key;
  const auto moved = static_cast<std::int64_t>((way * motion.moved_q32(now - s.at)) >> 32);
  return {key + std::min<std::int64_t>(moved, 0) - s.slack,
          key + std::max<std::int64_t>(moved, 0) + s.slack};
}

bool full_order(const State& state, Standing& a, Standing& b) {
  const auto name = [&](const Standing& s) -> std::string_view {
    return s.user.valid() ? state.users.name(s.user.value) : state.tree[s.queue].path;
  };
  a.rank.name = name(a);
  b.rank.name = name(b);
  return goes_before(a.rank, b.rank);
}

// Whether both follow the same line for ever.
bool move_alike(const Standing& a, const Standing& b) {
  if (a.at_rest && b.at_rest) return true;
  return a.share == b.share && a.turn_share == b.turn_share && a.past == b.past &&
         a.weight == b.weight;
}

// Keys are equal, at least at `now`; `keys_stay` says that they stay so.
Verdict meet_by_past(const State& state, const Motion& motion, Standing& a, Standing& b, Millis now,
                     bool keys_stay) {
  if (move_alike(a, b)) {
    renew(a, motion, now);
    renew(b, motion, now);
    return {full_order(state, a, b), base::kNever};
  }
  renew(a, motion, now);
  renew(b, motion, now);
  const bool first = full_order(state, a, b);
  const std::int64_t gap = b.rank.past_q32 - a.rank.past_q32;
  if (!keys_stay || gap == 0) return {first, now + 1};
  const std::int64_t end = b.past_end - a.past_end;
  return {first,
          gap > 0 ? motion.stays_above(4, gap, end, now) : motion.stays_above(4, -gap, -end, now)};
}

Verdict meet_by_key(const State& state, const Motion& motion, Standing& a, Standing& b,
                    Millis now) {
  const Span first = key_span(a, motion, now);
  const Span second = key_span(b, motion, now);
  const std::int64_t end = b.key_end - a.key_end;
  const std::int64_t least = a.slack + b.slack;
  const bool still = a.at_rest && b.at_rest;
  const auto until = [&](std::int64_t gap, std::int64_t heading) {
    return still ? base::kNever : motion.stays_above(least, gap, heading, now);
  };
  if (first.high < second.low) return {true, until(second.low - first.high, end)};
  if (second.high < first.low) return {false, until(first.low - second.high, -end)};
  renew(a, motion, now);
  renew(b, motion, now);
  const std::int64_t gap = b.rank.key.num - a.rank.key.num;
  if (gap > 0) return {true, until(gap, end)};
  if (gap < 0) return {false, until(-gap, -end)};
  return meet_by_past(state, motion, a, b, now, false);
}

void set_motion(Standing& s, const Motion& motion) {
  const Millis half_life = motion.half_life();
  const auto target =
      (static_cast<base::u128>(s.share.num) << 64U) / static_cast<base::u128>(s.share.den);
  s.at_rest = half_life == 0 || half_life == base::kNever || s.past.value() == target;
  if (s.at_rest) return;
  s.past_end = share_q32(s.share);
  if (!has_moving_key(s, motion)) return;
  s.key_end = blended_key(s.turn_share, s.past_end, motion.history(), s.weight).num;
  s.slack = 4 + 2 * motion.history() / s.weight;
  if (std::max(s.rank.key.num, s.key_end) > kKeyBounded) s.slack = kKeyBounded;
}

}  // namespace

Motion::Motion(const model::Policy& policy)
    : half_life_(policy.half_life), history_(policy.history) {
  if (half_life_ <= 0 || half_life_ == base::kNever) return;
  const base::u128 ln2 = (static_cast<base::u128>(kLn2) << 64U) / 10'000U;
  step_ = static_cast<std::uint64_t>(ln2 / static_cast<base::u128>(half_life_)) + 1;
}

std::int64_t Motion::moved_q32(Millis span) const {
  // 1 - 2^(-u) <= u ln 2, and below 1.
  if (span >= half_life_) return kOneQ32;
  const auto moved = static_cast<base::u128>(span) * step_ >> 32U;
  return std::min<std::int64_t>(static_cast<std::int64_t>(moved) + 1, kOneQ32);
}

Millis Motion::stays_above(std::int64_t least, std::int64_t gap, std::int64_t end,
                           Millis now) const {
  if (gap <= least) return now + 1;
  if (end >= least) return base::kNever;
  // The gap is `least` when x = (least - end) / (gap - end); and 2^(-u) >= 1 - u for u in [0, 1].
  const base::i128 span =
      static_cast<base::i128>(half_life_) * (gap - least) / (static_cast<base::i128>(gap) - end);
  return base::later(now, std::max<Millis>(1, static_cast<Millis>(span)));
}

Standing queue_standing(const State& state, const Motion& motion, model::QueueId queue,
                        Fraction turn_share, bool within, Millis now) {
  Standing s;
  s.queue = queue;
  s.at = now;
  s.turn_share = turn_share;
  s.share = queue_share(state, queue);
  s.past = state.queues[queue.index()].past;
  s.weight = state.tree[queue].weight;
  s.rank = queue_rank(state, queue, turn_share, within, now);
  set_motion(s, motion);
  return s;
}

Standing tenant_standing(const State& state, const Motion& motion, const model::Tenant& tenant,
                         std::int64_t job_priority, Millis now) {
  Standing s;
  s.queue = tenant.queue;
  s.user = tenant.user;
  s.at = now;
  s.job_priority = job_priority;
  s.turn_share = s.share = tenant_share(state, tenant);
  s.past = tenant.account.past;
  s.weight = tenant.weight;
  s.rank = tenant_rank(state, tenant, now);
  set_motion(s, motion);
  return s;
}

Verdict meet(const State& state, const Motion& motion, Standing& a, Standing& b, Millis now) {
  if (a.job_priority != b.job_priority) return {a.job_priority > b.job_priority, base::kNever};
  const bool by_rule = a.rank.within || b.rank.within || a.rank.weightless != b.rank.weightless;
  if (by_rule) return {full_order(state, a, b), base::kNever};
  if (!a.rank.weightless && a.rank.priority != b.rank.priority) {
    return {a.rank.priority > b.rank.priority, base::kNever};
  }
  if (has_moving_key(a, motion)) return meet_by_key(state, motion, a, b, now);
  if (a.rank.key != b.rank.key) return {a.rank.key < b.rank.key, base::kNever};
  return meet_by_past(state, motion, a, b, now, true);
}

}  // namespace stint::engine
