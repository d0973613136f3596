// Heap bytes for each job.
#include <memory>

#include "measure.h"
#include "sim/metrics/collector.h"
#include "sim/metrics/records.h"
#include "sim/simulator.h"
#include "workloads.h"
#include "world.h"

namespace stint::bench {

namespace {

constexpr Millis kGap = 5 * base::kSecond;  // nine tenths of 100 nodes with jobs of an hour

// One job of one GPU after another; nobody waits for long.
class Stream : public sim::JobSource {
 public:
  Stream(const World& world, std::uint32_t jobs) : specs_(specs(world)), jobs_(jobs) {}

  [[nodiscard]] Millis next_submit() const override {
    return next_ < jobs_ ? kGap * std::int64_t{next_} : base::kNever;
  }
  std::pair<JobId, model::JobSpec> take() override {
    model::JobSpec spec = specs_[next_ % specs_.size()];
    spec.submit = next_submit();
    return {JobId(next_++), std::move(spec)};
  }

 private:
  static std::vector<model::JobSpec> specs(const World& world) {
    std::vector<model::JobSpec> specs;
    for (std::size_t t = 0; t < world.tenants(); ++t) specs.push_back(world.spec_of(t, 1));
    return specs;
  }

  std::vector<model::JobSpec> specs_;
  std::uint32_t jobs_;
  std::uint32_t next_ = 0;
};

double each(std::int64_t bytes, std::uint32_t jobs) { return static_cast<double>(bytes) / jobs; }

}  // namespace

Result memory_waiting(std::uint32_t jobs) {
  World world({.nodes = 100});
  world.crowd(100);  // full, and everything that grows once has grown
  const std::int64_t before = heap_bytes();
  for (std::uint32_t j = 0; j < jobs; ++j) world.submit();
  world.decide();
  return {.unit = "B", .runs = {each(heap_bytes() - before, jobs)}};
}

Result memory_finished(std::uint32_t jobs) {
  World world({.nodes = 100});
  auto source = std::make_unique<Stream>(world, jobs);
  sim::Simulator simulator(std::move(world.engine()).take_state(), std::move(source));
  sim::Records records;
  sim::Collector collector(simulator.engine().state());
  simulator.watch(&records);
  simulator.watch(&collector);
  const std::int64_t before = heap_bytes();
  simulator.run_to_rest();
  return {.unit = "B", .runs = {each(heap_bytes() - before, jobs)}};
}

}  // namespace stint::bench
