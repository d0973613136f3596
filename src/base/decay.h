// Exponential decay with a half-life, in integers: the same bits on every machine.
//
// DecayedAverage is the `past` of DESIGN §5.2: the average of a share over all time, where what
// lies one half-life back counts half. DecayedSum is the same decay over single charges.
//
// Values are u128 with 64 bits behind the point. Every rounding goes towards the rate (towards 0
// where there is none) and is below 2^-64, hence
//
// Invariants  1. a steady rate is a fixed point; a value never passes the rate it moves to.
//             2. additive: a span cut into n pieces gives the same value up to n * (2^-64 + 2^-57
//             v).
//             3. of two values under the same rate the larger never becomes the smaller.
//             4. no increment is lost to rounding: a value moves on each tick until it has arrived.
//             5. a value below 2^-64 is exactly 0: 1.0 left alone is 0 once 64 half-lives have
//             passed.
// Threads     values; no state is shared.
//
//   DecayedAverage past;                           // 0 at time 0
//   past.advance(now, Fraction{8, 64}, kDay);      // the queue held 8 of 64 GPUs since past.at()
//   to_q32(past.value_at(later, {0, 1}, kDay));    // and nothing afterwards
#pragma once

#include <cstdint>

#include "base/fraction.h"
#include "base/int128.h"
#include "base/time.h"

namespace stint::base {

// 1.0 with 64 bits behind the point.
inline constexpr u128 kOneQ64 = u128{1} << 64U;

// value * 2^(-dt/half_life), rounded down.
//   Units   dt >= 0 and half_life >= 0 in ms. half_life 0 forgets at once (dt = 0 keeps the value);
//           kNever forgets nothing.
//   Errors  none; relative error of the factor below 2^-57, and then less than 2^-64 absolute.
//   Source  whole half-lives are shifts; for the rest see decay.cc.
[[nodiscard]] u128 decayed(u128 value, Millis dt, Millis half_life);

// 2^(-dt/half_life) with 64 bits behind the point, in [0, kOneQ64].
[[nodiscard]] u128 decay_factor_q64(Millis dt, Millis half_life);

// The same number with 32 bits behind the point, rounded down, at most 2^62.
[[nodiscard]] std::int64_t to_q32(u128 value_q64);

// The decayed average of a piecewise constant rate.
class DecayedAverage {
 public:
  DecayedAverage() = default;
  // Takes up where a snapshot, or a start value, stood.
  DecayedAverage(u128 value_q64, Millis at) : value_(value_q64), at_(at) {}

  // Value at `now`, had the rate been constant over [at(), now]; closed form
  // v * 2^(-dt/h) + rate * (1 - 2^(-dt/h)).
  //   Units   now >= at() in ms; rate in [0, 2^44]; half_life 0 has no memory, the value is the
  //   rate. Source  DESIGN §5.2, oracles.md 3.2.
  [[nodiscard]] u128 value_at(Millis now, Fraction rate, Millis half_life) const;

  // Makes that value the stored one. Called when the rate changes, and no oftener.
  void advance(Millis now, Fraction rate, Millis half_life);

  // What a snapshot keeps.
  [[nodiscard]] u128 value() const { return value_; }
  [[nodiscard]] Millis at() const { return at_; }

  friend bool operator==(const DecayedAverage&, const DecayedAverage&) = default;

 private:
  u128 value_ = 0;
  Millis at_ = 0;
};

// The decayed sum of charges.
class DecayedSum {
 public:
  DecayedSum() = default;
  DecayedSum(u128 value_q64, Millis at) : value_(value_q64), at_(at) {}

  // Adds `amount` >= 0 at time `at` >= at(); the sum saturates at 2^64.
  void charge(std::int64_t amount, Millis at, Millis half_life);

  // What is left at `now` >= at().
  [[nodiscard]] u128 value_at(Millis now, Millis half_life) const;

  [[nodiscard]] u128 value() const { return value_; }
  [[nodiscard]] Millis at() const { return at_; }

  friend bool operator==(const DecayedSum&, const DecayedSum&) = default;

 private:
  u128 value_ = 0;
  Millis at_ = 0;
};

}  // namespace stint::base
