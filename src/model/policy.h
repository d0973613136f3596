// The policy: every knob of DESIGN §6 `policy:` with its default.
#pragma once

#include <cstdint>
#include <limits>

#include "base/time.h"

namespace stint::model {

using base::Millis;

enum class Order : std::uint8_t { Fair, Fifo, FifoSkip, SjfSkip };
// What comes first at one instant: our own rule (ends, then submissions, then passes); or, to
// compare with other programs, a pass after each event, submissions first or ends first.
enum class Instant : std::uint8_t { EndFirst, SubmitFirst, EachEnd };

inline constexpr std::int32_t kHistoryScale = 1000;  // `history: 0.5` is 500
inline constexpr std::int32_t kHistoryMax = 900;
inline constexpr std::int32_t kReservationsAll = std::numeric_limits<std::int32_t>::max();
inline constexpr std::int32_t kReservationsDefault = -1;  // 1 under `fair`, 0 under the baselines

struct Policy {
  Order order = Order::Fair;
  Instant instant = Instant::EndFirst;
  Millis cycle = 0;  // decisions only at multiples of it; 0 = at every instant

  Millis half_life = base::kDay;
  std::int32_t history = 500;  // in thousandths

  bool preemption = true;
  Millis reclaim_within = 10 * base::kMinute;
  Millis grace = base::kMinute;
  Millis min_run = 5 * base::kMinute;
  std::int32_t max_per_day = 4;
  Millis loss_cap = base::kHour;
  Millis claim_for = 5 * base::kMinute;
  bool between_borrowers = true;
  Millis between_borrowers_after = 30 * base::kMinute;

  std::int32_t reservations = kReservationsDefault;
  Millis firm_after = 30 * base::kMinute;

  Millis default_time = base::kDay;  // kNever = none
  Millis max_time = 7 * base::kDay;  // kNever = none

  Millis repair_within = 10 * base::kMinute;
  std::int32_t quarantine_after = 3;

  // How many blocked jobs get a reservation.
  [[nodiscard]] std::int32_t reservation_count() const {
    if (reservations != kReservationsDefault) return reservations;
    return order == Order::Fair ? 1 : 0;
  }

  friend bool operator==(const Policy&, const Policy&) = default;
};

}  // namespace stint::model
