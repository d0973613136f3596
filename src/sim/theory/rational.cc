#include "sim/theory/rational.h"

#include <cmath>
#include <limits>
#include <utility>

#include <boost/multiprecision/cpp_int.hpp>
#include <fmt/format.h>

#include "base/assert.h"
#include "base/quote.h"

namespace stint::sim {

namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

// 10^exponent.
cpp_int power_of_ten(std::size_t exponent) {
  return boost::multiprecision::pow(cpp_int(10), static_cast<unsigned>(exponent));
}

// The digits of `text` as a number; they are known to be digits. Boost would read a leading zero as
// octal.
cpp_int digits_value(std::string_view text) {
  cpp_int value = 0;
  for (const char digit : text) {
    value *= 10;
    value += digit - '0';
  }
  return value;
}

bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

// Only ever divide `q` by another cpp_rational: Boost 1.81 answers 1 for cpp_rational(1) /=
// cpp_int(2).
struct Rational::Value {
  cpp_rational q;
};

namespace {

// How many digits behind the point a denominator needs, or -1 if the decimal form never ends.
int decimals_needed(cpp_int denominator) {
  int twos = 0;
  int fives = 0;
  for (; denominator % 2 == 0; ++twos) denominator /= 2;
  for (; denominator % 5 == 0; ++fives) denominator /= 5;
  return denominator == 1 ? std::max(twos, fives) : -1;
}

// `scaled` / 10^decimals in digits.
std::string with_point(const cpp_int& scaled, std::size_t decimals) {
  std::string digits = cpp_int(boost::multiprecision::abs(scaled)).str();
  if (digits.size() <= decimals) digits.insert(0, decimals + 1 - digits.size(), '0');
  if (decimals > 0) digits.insert(digits.size() - decimals, 1, '.');
  if (scaled < 0) digits.insert(0, 1, '-');
  return digits;
}

}  // namespace

Rational::Rational() noexcept = default;
Rational::~Rational() = default;
Rational::Rational(Rational&& other) noexcept = default;
Rational& Rational::operator=(Rational&& other) noexcept = default;

Rational::Rational(std::int64_t whole) {
  if (whole != 0) value_ = std::make_unique<Value>(Value{cpp_rational(whole)});
}

Rational::Rational(Value value) {
  if (!value.q.is_zero()) value_ = std::make_unique<Value>(std::move(value));
}

Rational::Rational(const Rational& other)
    : value_(other.value_ ? std::make_unique<Value>(*other.value_) : nullptr) {}

Rational& Rational::operator=(const Rational& other) {
  if (this != &other) value_ = other.value_ ? std::make_unique<Value>(*other.value_) : nullptr;
  return *this;
}

Rational Rational::ratio(std::int64_t num, std::int64_t den) {
  STINT_ASSERT(den != 0);
  return Rational(Value{cpp_rational(num) / cpp_rational(den)});
}

Rational Rational::exactly(double value) {
  STINT_ASSERT(std::isfinite(value));
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  cpp_rational q(static_cast<std::int64_t>(std::ldexp(fraction, 53)));
  const cpp_rational scale(cpp_int(1) << static_cast<unsigned>(std::abs(exponent - 53)));
  if (exponent > 53) {
    q *= scale;
  } else {
    q /= scale;
  }
  return Rational(Value{std::move(q)});
}

base::Result<Rational> Rational::parse(std::string_view text) {
  const auto bad = [&](std::string_view why) {
    return base::refuse(
        fmt::format("{} is no number: {}; write 3, 0.25 or 54/13", base::quote(text), why));
  };
  if (text.size() > kTextMax) return bad(fmt::format("more than {} characters", kTextMax));
  std::string_view rest = text;
  const bool negative = rest.starts_with('-');
  if (negative) rest.remove_prefix(1);
  const std::size_t cut = rest.find_first_of("./");
  const std::string_view head = rest.substr(0, cut);
  const bool is_whole = cut == std::string_view::npos;
  const std::string_view tail = is_whole ? "0" : rest.substr(cut + 1);
  if (!all_digits(head) || !all_digits(tail)) return bad("digits are expected");
  cpp_rational q(digits_value(head));
  if (!is_whole && rest[cut] == '/') {
    const cpp_int den = digits_value(tail);
    if (den == 0) return bad("it divides by zero");
    q /= cpp_rational(den);
  } else {
    q += cpp_rational(digits_value(tail), power_of_ten(tail.size()));
  }
  if (negative) q = -q;
  return Rational(Value{std::move(q)});
}

Rational::Value& Rational::own() {
  if (!value_) value_ = std::make_unique<Value>();
  return *value_;
}

Rational& Rational::operator+=(const Rational& other) {
  if (other.value_) own().q += other.value_->q;
  return *this;
}

Rational& Rational::operator-=(const Rational& other) {
  if (other.value_) own().q -= other.value_->q;
  return *this;
}

Rational& Rational::operator*=(const Rational& other) {
  if (!other.value_) {
    value_.reset();
  } else if (value_) {
    value_->q *= other.value_->q;
  }
  return *this;
}

Rational& Rational::operator/=(const Rational& other) {
  STINT_ASSERT(!other.is_zero());
  if (value_) value_->q /= other.value_->q;
  return *this;
}

int Rational::compare(const Rational& other) const {
  if (!value_) return -other.sign();
  if (!other.value_) return sign();
  const int order = value_->q.compare(other.value_->q);
  return order < 0 ? -1 : (order > 0 ? 1 : 0);
}

int Rational::sign() const { return value_ ? value_->q.sign() : 0; }

bool Rational::is_whole() const {
  return !value_ || boost::multiprecision::denominator(value_->q) == 1;
}

Rational Rational::floor() const {
  if (!value_) return {};
  const cpp_int num = boost::multiprecision::numerator(value_->q);
  const cpp_int den = boost::multiprecision::denominator(value_->q);
  cpp_int whole = num / den;  // towards zero
  if (num < 0 && whole * den != num) --whole;
  return Rational(Value{cpp_rational(whole)});
}

std::int64_t Rational::to_int64() const {
  if (!value_) return 0;
  STINT_ASSERT(is_whole());
  const cpp_int num = boost::multiprecision::numerator(value_->q);
  STINT_ASSERT(num >= std::numeric_limits<std::int64_t>::min() &&
               num <= std::numeric_limits<std::int64_t>::max());
  return num.convert_to<std::int64_t>();
}

double Rational::to_double() const { return value_ ? value_->q.convert_to<double>() : 0.0; }

std::string Rational::to_string() const { return value_ ? value_->q.str() : std::string("0"); }

std::string Rational::to_decimal() const {
  if (!value_) return "0";
  const int decimals = decimals_needed(boost::multiprecision::denominator(value_->q));
  if (decimals < 0) return to_string();
  return rounded(decimals);
}

std::string Rational::rounded(int decimals) const {
  STINT_ASSERT(decimals >= 0);
  const auto digits = static_cast<std::size_t>(decimals);
  if (!value_) return with_point(cpp_int(0), digits);
  const cpp_rational scaled = value_->q * cpp_rational(power_of_ten(digits));
  const cpp_int num = boost::multiprecision::numerator(scaled);
  const cpp_int den = boost::multiprecision::denominator(scaled);
  // Half away from zero: divide 2|n| + d by 2d towards zero, then put the sign back.
  cpp_int whole = (2 * cpp_int(boost::multiprecision::abs(num)) + den) / (2 * den);
  if (num < 0) whole = -whole;
  return with_point(whole, digits);
}

}  // namespace stint::sim
