// Exact fractions of any size, for calculators that must print `54/13` and not 4.1538.
//
// Invariants  1. always in lowest terms, denominator above zero: equal values are equal texts.
//             2. no operation rounds; only to_double() and rounded() leave the exact world.
// Threads     a plain value.
//
//   const Rational third = Rational::ratio(1, 3);
//   (third * 12).to_string();          // "4"
//   (Rational(1) + third).to_string(); // "4/3"
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace stint::sim {

class Rational {
 public:
  Rational() noexcept;           // zero
  Rational(std::int64_t whole);  // implicit: a whole number is a fraction
  Rational(const Rational& other);
  Rational(Rational&& other) noexcept;  // leaves zero behind
  Rational& operator=(const Rational& other);
  Rational& operator=(Rational&& other) noexcept;
  ~Rational();

  // num / den. Requires den != 0.
  [[nodiscard]] static Rational ratio(std::int64_t num, std::int64_t den);
  // The exact value of a double (0.1 becomes 3602879701896397/36028797018963968). Requires a finite
  // one.
  [[nodiscard]] static Rational exactly(double value);
  // Reads `3`, `-2`, `0.25`, `54/13`.
  //   Errors  anything else, a zero denominator, more than kTextMax characters.
  [[nodiscard]] static base::Result<Rational> parse(std::string_view text);
  static constexpr std::size_t kTextMax = 64;

  Rational& operator+=(const Rational& other);
  Rational& operator-=(const Rational& other);
  Rational& operator*=(const Rational& other);
  Rational& operator/=(const Rational& other);  // requires other != 0
  friend Rational operator+(Rational a, const Rational& b) { return a += b; }
  friend Rational operator-(Rational a, const Rational& b) { return a -= b; }
  friend Rational operator*(Rational a, const Rational& b) { return a *= b; }
  friend Rational operator/(Rational a, const Rational& b) { return a /= b; }

  friend std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
    return a.compare(b) <=> 0;
  }
  friend bool operator==(const Rational& a, const Rational& b) { return a.compare(b) == 0; }

  // -1, 0 or 1.
  [[nodiscard]] int sign() const;
  [[nodiscard]] bool is_zero() const { return sign() == 0; }
  [[nodiscard]] bool is_whole() const;
  // Largest whole number that is not above the value.
  [[nodiscard]] Rational floor() const;
  // The value as an integer. Requires is_whole() and 64 bits.
  [[nodiscard]] std::int64_t to_int64() const;
  [[nodiscard]] double to_double() const;

  // `54/13`, `3`, `-1/2`.
  [[nodiscard]] std::string to_string() const;
  // `2.52` where the decimal form ends, else the fraction.
  [[nodiscard]] std::string to_decimal() const;
  // Exactly `decimals` digits behind the point, half away from zero: `4.154`.
  [[nodiscard]] std::string rounded(int decimals) const;

 private:
  struct Value;
  [[nodiscard]] int compare(const Rational& other) const;
  [[nodiscard]] Value& own();
  explicit Rational(Value value);

  std::unique_ptr<Value> value_;  // null is zero, so that zeros cost nothing
};

}  // namespace stint::sim
