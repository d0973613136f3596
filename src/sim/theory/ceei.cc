#include "sim/theory/ceei.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include <boost/multiprecision/cpp_bin_float.hpp>

namespace stint::sim {

namespace {

// Fifty digits: where a limit is met exactly without being pressed, the error is the square root of
// the gap, and doubles would end at 1e-6. It also makes the answer the same on every machine.
using Real = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>,
                                           boost::multiprecision::et_off>;
using Vector = std::vector<Real>;
using Matrix = std::vector<Vector>;

// maximise Σ weight_i log z_i subject to rows · z <= 1, z > 0. z is in dominant shares, rows are
// scaled so that every bound is 1; hence all numbers are of one size.
struct Scaled {
  std::vector<std::size_t> users;  // which user each variable is
  Vector weight;                   // sums to 1
  Matrix rows;
};

// The fraction to fifty digits.
Real real(const Rational& value) {
  const std::string text = value.to_string();
  const std::size_t cut = text.find('/');
  if (cut == std::string::npos) return Real(text);
  return Real(text.substr(0, cut)) / Real(text.substr(cut + 1));
}

Scaled scale(const DrfProblem& problem) {
  Scaled scaled;
  Vector dom;
  Real weights = 0;
  for (std::size_t i = 0; i < problem.users.size(); ++i) {
    const DrfUser& user = problem.users[i];
    if (user.weight.is_zero() || asks_for_nothing(problem, i) || is_infeasible(problem, i))
      continue;
    if (user.tasks && *user.tasks == 0) continue;
    scaled.users.push_back(i);
    scaled.weight.push_back(real(user.weight));
    weights += scaled.weight.back();
    dom.push_back(real(share_of_one_task(problem, i)));
  }
  for (Real& weight : scaled.weight) weight /= weights;
  for (std::size_t r = 0; r < problem.resources.size(); ++r) {
    const Rational& capacity = problem.resources[r].capacity;
    if (capacity.is_zero()) continue;
    Vector row;
    for (std::size_t v = 0; v < scaled.users.size(); ++v) {
      row.push_back(real(problem.users[scaled.users[v]].demand[r] / capacity) / dom[v]);
    }
    scaled.rows.push_back(std::move(row));
  }
  for (std::size_t v = 0; v < scaled.users.size(); ++v) {
    const auto& limit = problem.users[scaled.users[v]].tasks;
    if (!limit) continue;
    Vector row(scaled.users.size(), Real(0));
    row[v] = 1 / (real(*limit) * dom[v]);
    scaled.rows.push_back(std::move(row));
  }
  return scaled;
}

Real dot(const Vector& a, const Vector& b) {
  Real sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// Solves h · x = b for a symmetric positive definite h (Cholesky).
Vector solve(Matrix h, Vector b) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      Real sum = h[i][j];
      for (std::size_t k = 0; k < j; ++k) sum -= h[i][k] * h[j][k];
      h[i][j] = i == j ? sqrt(sum) : sum / h[j][j];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= h[i][k] * b[k];
    b[i] /= h[i][i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= h[k][i] * b[k];
    b[i] /= h[i][i];
  }
  return b;
}

// A point of the iteration: variables, slacks of the rows, prices of the rows. All stay above zero.
struct Point {
  Vector z;
  Vector slack;
  Vector price;
};

// What must vanish at the optimum, with products of slack and price held at `target`.
struct Residual {
  Vector dual;     // weight / z − Σ price · row
  Vector primal;   // 1 − row · z − slack
  Vector product;  // slack · price − target

  [[nodiscard]] Real norm() const {
    return sqrt(dot(dual, dual) + dot(primal, primal) + dot(product, product));
  }
};

Residual residual(const Scaled& scaled, const Point& at, const Real& target) {
  Residual r;
  for (std::size_t i = 0; i < at.z.size(); ++i) r.dual.push_back(scaled.weight[i] / at.z[i]);
  for (std::size_t k = 0; k < scaled.rows.size(); ++k) {
    const Vector& row = scaled.rows[k];
    for (std::size_t i = 0; i < row.size(); ++i) r.dual[i] -= at.price[k] * row[i];
    r.primal.push_back(1 - dot(row, at.z) - at.slack[k]);
    r.product.push_back(at.slack[k] * at.price[k] - target);
  }
  return r;
}

// The Newton direction; slack and price are eliminated, which leaves one system in z.
Point newton_direction(const Scaled& scaled, const Point& at, const Residual& r) {
  const std::size_t n = at.z.size();
  Matrix system(n, Vector(n, Real(0)));
  Vector right = r.dual;
  for (std::size_t i = 0; i < n; ++i) system[i][i] = scaled.weight[i] / (at.z[i] * at.z[i]);
  for (std::size_t k = 0; k < scaled.rows.size(); ++k) {
    const Vector& row = scaled.rows[k];
    const Real stiffness = at.price[k] / at.slack[k];
    const Real push = (r.product[k] + at.price[k] * r.primal[k]) / at.slack[k];
    for (std::size_t i = 0; i < n; ++i) {
      right[i] += push * row[i];
      for (std::size_t j = 0; j < n; ++j) system[i][j] += stiffness * row[i] * row[j];
    }
  }
  Point step;
  step.z = solve(std::move(system), std::move(right));
  for (std::size_t k = 0; k < scaled.rows.size(); ++k) {
    step.slack.push_back(r.primal[k] - dot(scaled.rows[k], step.z));
    step.price.push_back((-r.product[k] - at.price[k] * step.slack[k]) / at.slack[k]);
  }
  return step;
}

Point moved(const Point& at, const Point& step, const Real& length) {
  const auto add = [&length](Vector a, const Vector& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += length * b[i];
    return a;
  };
  return {add(at.z, step.z), add(at.slack, step.slack), add(at.price, step.price)};
}

// The longest step up to 1 that keeps a hundredth of every positive number.
Real longest_step(const Point& at, const Point& step) {
  constexpr double kKeep = 0.99;
  Real length = 1;
  const auto shorten = [&length](const Vector& a, const Vector& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (b[i] < 0) length = std::min(length, -kKeep * a[i] / b[i]);
    }
  };
  shorten(at.z, step.z);
  shorten(at.slack, step.slack);
  shorten(at.price, step.price);
  return length;
}

// One step towards the point where all products are a tenth of today's mean. False if no step makes
// the residual smaller: then only rounding noise is left.
bool advance(const Scaled& scaled, Point& at) {
  constexpr double kShrink = 0.1;
  constexpr double kDescent = 0.01;
  constexpr int kHalvings = 40;
  const Real mean = dot(at.slack, at.price) / at.slack.size();
  const Residual now = residual(scaled, at, kShrink * mean);
  const Point step = newton_direction(scaled, at, now);
  Real length = longest_step(at, step);
  for (int k = 0; k < kHalvings; ++k, length /= 2) {
    Point next = moved(at, step, length);
    if (residual(scaled, next, kShrink * mean).norm() <= (1 - kDescent * length) * now.norm()) {
      at = std::move(next);
      return true;
    }
  }
  return false;
}

// A point strictly inside: every row takes at most half of its bound.
Vector inner_point(const Scaled& scaled) {
  Vector z(scaled.users.size(), Real(1));
  Real largest = 0;
  for (const Vector& row : scaled.rows) largest = std::max(largest, dot(row, z));
  for (Real& value : z) value = 0.5 / largest;
  return z;
}

}  // namespace

CeeiResult ceei(const DrfProblem& problem) {
  CeeiResult result;
  result.tasks.assign(problem.users.size(), 0.0);
  result.shares.assign(problem.users.size(), 0.0);
  const Scaled scaled = scale(problem);
  if (scaled.users.empty()) return result;
  // Σ slack · price: the distance of Σ weight · log z to its optimum.
  constexpr double kLastGap = 1e-26;
  constexpr int kStepsMax = 300;
  Point at;
  at.z = inner_point(scaled);
  for (const Vector& row : scaled.rows) {
    at.slack.push_back(1 - dot(row, at.z));
    at.price.push_back(1 / (scaled.rows.size() * at.slack.back()));
  }
  while (result.iterations < kStepsMax && dot(at.slack, at.price) > kLastGap &&
         advance(scaled, at)) {
    ++result.iterations;
  }
  for (std::size_t v = 0; v < scaled.users.size(); ++v) {
    const std::size_t i = scaled.users[v];
    result.shares[i] = at.z[v].convert_to<double>();
    result.tasks[i] = (at.z[v] / real(share_of_one_task(problem, i))).convert_to<double>();
  }
  return result;
}

}  // namespace stint::sim
