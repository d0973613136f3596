// When a job that has waited long enough leaves.
#include "sim/simulator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/test_world.h"
#include "sim/metrics/collector.h"

namespace stint::sim {
namespace {

using base::kNever;
using base::kSecond;
using testing::ElementsAre;

// When each job was over. A job that leaves has no end: it never ran.
class Farewells : public Observer {
 public:
  void finished(const engine::Engine& engine, JobId job) override { at_[job] = engine.state().now; }
  [[nodiscard]] Millis of(JobId job) const { return at_.at(job); }

 private:
  std::map<JobId, Millis> at_;
};

// Jobs of one GPU each on a node of one GPU.
class OneServer {
 public:
  OneServer() : world_({"gpu"}, {1000}), queue_(world_.queue("q")) { world_.finish(); }

  void job(Millis submit, Millis work, Millis patience) {
    model::JobSpec spec;
    spec.queue = queue_;
    spec.user = base::UserId(world_.state.users.intern("u"));
    spec.submit = submit;
    spec.work = work;
    spec.patience = patience;
    spec.shape = base::ShapeId(0U);
    jobs_.push_back(std::move(spec));
  }
  // Runs to rest; afterwards how each job ended: its start in seconds, or that it left.
  std::vector<std::string> run(std::vector<Outside> outside = {}) {
    model::Shape shape;
    shape.each = world_.amounts({1000});
    world_.state.shapes.push_back(shape);
    Simulator sim(std::move(world_.state), std::move(jobs_), std::move(outside));
    Collector collector(sim.engine().state());
    sim.watch(&collector);
    Farewells farewells;
    sim.watch(&farewells);
    sim.run_to_rest();
    left_ = collector.summary(sim.engine()).left;
    std::vector<std::string> fates;
    for (const JobId id : sim.engine().state().jobs.ids()) {
      const model::Job& job = sim.engine().state().jobs[id];
      const std::string start = std::to_string(job.first_start / kSecond);
      const std::string end = std::to_string(farewells.of(id) / kSecond);
      fates.push_back(job.first_start == kNever ? "left at " + end : start + " to " + end);
    }
    return fates;
  }
  [[nodiscard]] std::uint64_t left() const { return left_; }

 private:
  engine::TestWorld world_;
  base::QueueId queue_;
  std::vector<model::JobSpec> jobs_;
  std::uint64_t left_ = 0;
};

TEST(Patience, OfNothingMeansStartAtOnceOrLeave) {
  OneServer server;
  server.job(0, 10 * kSecond, 0);
  server.job(0, 10 * kSecond, 0);
  server.job(5 * kSecond, 10 * kSecond, 0);
  server.job(20 * kSecond, 10 * kSecond, 0);
  EXPECT_THAT(server.run(), ElementsAre("0 to 10", "left at 0", "left at 5", "20 to 30"));
  EXPECT_EQ(server.left(), 2U);
}

TEST(Patience, StillTakesASlotThatIsFreedAtThatMoment) {
  OneServer server;
  server.job(0, 10 * kSecond, kNever);
  server.job(10 * kSecond, 10 * kSecond, 0);            // comes just when the first ends
  server.job(10 * kSecond, 5 * kSecond, 10 * kSecond);  // 20s: the second has ended
  EXPECT_THAT(server.run(), ElementsAre("0 to 10", "10 to 20", "20 to 25"));
  EXPECT_EQ(server.left(), 0U);
}

TEST(Patience, EndsOnePassAfterTheOtherWhoIsFirstInTurn) {
  OneServer server;
  server.job(0, 10 * kSecond, kNever);
  server.job(1 * kSecond, 10 * kSecond, 9 * kSecond);
  server.job(2 * kSecond, 10 * kSecond, 8 * kSecond);
  EXPECT_THAT(server.run(), ElementsAre("0 to 10", "10 to 20", "left at 10"));
}

TEST(Patience, IsOverOnceAJobHasStartedEvenIfItsNodeFails) {
  OneServer server;
  server.job(0, 10 * kSecond, 3 * kSecond);
  Outside fails;
  fails.at = 1 * kSecond;
  fails.facts = {engine::NodeFailed{base::NodeId(0U)}};
  Outside returns;
  returns.at = 60 * kSecond;
  returns.facts = {engine::NodeReturned{base::NodeId(0U)}};
  EXPECT_THAT(server.run({fails, returns}), ElementsAre("0 to 70"));
  EXPECT_EQ(server.left(), 0U);
}

}  // namespace
}  // namespace stint::sim
