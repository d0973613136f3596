#include "sim/metrics/formulas.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace stint::sim {

namespace {

std::size_t rank_index(std::size_t size, double percent) {
  const double rank = std::ceil(percent / 100.0 * static_cast<double>(size));
  return std::min(static_cast<std::size_t>(std::max(1.0, rank)) - 1, size - 1);
}

}  // namespace

Millis nearest_rank(std::span<const Millis> sorted, double percent) {
  return sorted.empty() ? 0 : sorted[rank_index(sorted.size(), percent)];
}

Millis nearest_rank_after(std::uint64_t zeros, std::span<const Millis> sorted, double percent) {
  const std::size_t count = zeros + sorted.size();
  if (count == 0) return 0;
  const std::size_t index = rank_index(count, percent);
  return index < zeros ? 0 : sorted[index - zeros];
}

Millis select_rank(std::span<Millis> values, double percent) {
  if (values.empty()) return 0;
  const auto place =
      values.begin() + static_cast<std::ptrdiff_t>(rank_index(values.size(), percent));
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

double mean(std::span<const Millis> values) {
  if (values.empty()) return 0;
  double sum = 0;
  for (const Millis value : values) sum += static_cast<double>(value);
  return sum / static_cast<double>(values.size());
}

namespace {

// Tasks of `demand` that fit into `part` of what somebody holds.
double tasks_in(std::span<const double> holds, double part, std::span<const double> demand) {
  double tasks = std::numeric_limits<double>::infinity();
  for (std::size_t r = 0; r < demand.size(); ++r) {
    if (demand[r] > 0) tasks = std::min(tasks, holds[r] * part / demand[r]);
  }
  return tasks;
}

}  // namespace

double envy(std::span<const Bundle> bundles) {
  double most = 0;
  for (const Bundle& own : bundles) {
    const double tasks = tasks_in(own.holds, 1, own.demand);
    if (tasks <= 0) continue;
    for (const Bundle& other : bundles) {
      if (&other == &own) continue;
      const double part = own.weight / other.weight;
      most = std::max(most, tasks_in(other.holds, part, own.demand) / tasks);
    }
  }
  return most;
}

double bounded_slowdown(Millis wait, Millis run) {
  const double longest = static_cast<double>(std::max<Millis>(run, 10 * base::kSecond));
  return std::max(1.0, static_cast<double>(wait + run) / longest);
}

double jain_index(std::span<const double> values) {
  double sum = 0;
  double squares = 0;
  for (const double x : values) {
    sum += x;
    squares += x * x;
  }
  return squares <= 0 ? 1.0 : sum * sum / (static_cast<double>(values.size()) * squares);
}

std::vector<double> entitlements(double total, std::span<const Claimant> claimants) {
  std::vector<double> given(claimants.size());
  std::vector<std::size_t> open;
  double left = total;
  for (std::size_t i = 0; i < claimants.size(); ++i) {
    given[i] = std::min(claimants[i].guarantee, claimants[i].demand);
    left -= given[i];
    if (claimants[i].weight > 0) open.push_back(i);
  }
  const auto most = [&](std::size_t i) {
    return std::min(claimants[i].demand, claimants[i].limit);
  };
  double weight = 0;
  for (const std::size_t i : open) weight += claimants[i].weight;
  // All rise together; whoever reaches their most below the common level is closed, which raises it
  // for the others, until nobody is.
  bool closed = true;
  while (closed && !open.empty()) {
    closed = false;
    const double level = std::max(0.0, left) / weight;
    std::erase_if(open, [&](std::size_t i) {
      const double more = std::max(0.0, most(i) - given[i]);
      if (more > level * claimants[i].weight) return false;
      given[i] += more;
      left -= more;
      weight -= claimants[i].weight;
      return closed = true;
    });
  }
  for (const std::size_t i : open) given[i] += std::max(0.0, left) / weight * claimants[i].weight;
  return given;
}

}  // namespace stint::sim
