// Benches that drive the whole engine.
#include <limits>

#include "base/assert.h"
#include "measure.h"
#include "workloads.h"
#include "world.h"

namespace stint::bench {

namespace {

constexpr std::int64_t kNineTenths = 900;
constexpr Millis kPace = 100;  // between two decisions

// One run: `prepare` unmeasured, then `decide` measured. Returns how many were
// done.
template <class Prepare, class Decide>
std::size_t run(Result& result, const Effort& effort, const Prepare& prepare,
                const Decide& decide) {
  Spans spans(effort.operations);
  const Lap lap;
  const std::int64_t last = end_of_run(effort);
  for (std::size_t i = 0; i < effort.operations && (i == 0 || wall_ns() < last); ++i) {
    prepare();
    const std::int64_t begin = wall_ns();
    decide();
    spans.add(wall_ns() - begin);
  }
  result.runs.push_back(spans.mean() * lap.share() / 1e3);
  result.p99.push_back(spans.quantile(0.99) / 1e3);
  return spans.size();
}

// What lies between the decisions, timed by itself.
class Ends {
 public:
  void of(World& world) {
    const std::int64_t begin = wall_ns();
    world.end_one();
    ns_ += wall_ns() - begin;
    ++count_;
  }
  [[nodiscard]] double mean_us() const {
    return static_cast<double>(ns_) / static_cast<double>(count_) / 1e3;
  }

 private:
  std::int64_t ns_ = 0;
  std::size_t count_ = 0;
};

}  // namespace

std::int64_t end_of_run(const Effort& effort) {
  constexpr std::int64_t kRunNs = 4'000'000'000;
  return effort.may_end_early ? wall_ns() + kRunNs : std::numeric_limits<std::int64_t>::max();
}

Result steady(std::int64_t nodes, const Effort& effort) {
  World world({.nodes = nodes});
  world.fill(kNineTenths);
  Result result{.unit = "us"};
  Ends ends;
  const auto prepare = [&] {
    while (world.is_above(kNineTenths)) ends.of(world);
    world.let_pass(kPace);
  };
  const auto decide = [&] {
    world.submit();
    world.decide();
  };
  for (std::size_t i = 0; i < effort.operations / 4; ++i) {  // away from how it was filled
    prepare();
    decide();
  }
  const Work work(world.engine());
  std::size_t done = 0;
  for (std::size_t r = 0; r < effort.runs; ++r) {
    done += run(result, effort, prepare, decide);
  }
  result.counters = work.per(world.engine(), done);
  result.others = {{"end_us", ends.mean_us()},
                   {"waiting", world.waiting()},
                   {"running", static_cast<double>(world.state().runs.size())}};
  return result;
}

Result backlog(std::int64_t nodes, std::uint32_t departments, std::uint32_t waiting,
               const Effort& effort) {
  World world({.nodes = nodes, .departments = departments});
  world.crowd(waiting);
  Result result{.unit = "us"};
  Ends ends;
  const Work work(world.engine());
  std::size_t done = 0;
  for (std::size_t r = 0; r < effort.runs; ++r) {
    done += run(
        result, effort,
        [&] {
          world.let_pass(kPace);
          while (world.waiting() + 1 < waiting) world.submit();  // more than one may have started
          ends.of(world);
        },
        [&] {
          world.submit();
          world.decide();
        });
  }
  result.counters = work.per(world.engine(), done);
  result.others = {{"end_us", ends.mean_us()}, {"waiting", world.waiting()}};
  return result;
}

Result cold(std::int64_t nodes, std::uint32_t waiting, std::size_t runs) {
  Result result{.unit = "us"};
  for (std::size_t r = 0; r < runs; ++r) {
    World world({.nodes = nodes});
    const Lap submissions;
    for (std::uint32_t j = 0; j < waiting; ++j) world.submit();
    result.others = {{"submit_us", static_cast<double>(submissions.cpu()) / waiting / 1e3}};
    const Work work(world.engine());
    const Lap lap;
    world.decide();
    result.runs.push_back(static_cast<double>(lap.cpu()) / 1e3);
    result.counters = work.per(world.engine(), 1);
  }
  return result;
}

Result blocked(std::int64_t nodes, std::uint32_t waiting, const Effort& effort) {
  World world({.nodes = nodes});
  world.crowd(waiting);
  Result result{.unit = "us"};
  const Work work(world.engine());
  std::size_t done = 0;
  for (std::size_t r = 0; r < effort.runs; ++r) {
    done += run(
        result, effort,
        [&] {
          world.let_pass(kPace);
          world.submit();
        },
        [&] { STINT_ASSERT(world.decide() == 0); });
  }
  result.counters = work.per(world.engine(), done);
  result.others = {{"waiting", world.waiting()}};
  return result;
}

}  // namespace stint::bench
