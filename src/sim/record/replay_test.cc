#include "sim/record/replay.h"

#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codec/snapshot/snapshot.h"
#include "codec/trace/csv.h"
#include "engine/test_world.h"
#include "sim/record/recorder.h"
#include "sim/trace/load.h"

namespace stint::sim {
namespace {

using testing::HasSubstr;

struct Recorded {
  std::string start;
  std::string journal;
  std::uint64_t digest = 0;
};

// A trace on two nodes: jobs that wait, one that leaves, one after another, and one at its limit.
// They become known when they are submitted, and are forgotten when they are over.
Recorded record() {
  const auto trace = codec::read_csv(
      "id,queue,user,submit_s,run_s,gpu,tasks,limit_s,after,patience_s\n"
      "a,q,ann,0,60,2,2,,,\nb,q,bob,1,30,1,1,,,10\nc,q,bob,2,30,0.5,1,20,,\n"
      "d,q,ann,3,5,1,1,,e,\ne,q,ann,200,5,1,1,,,\n",
      "t");
  EXPECT_TRUE(trace);
  engine::TestWorld world({"gpu"}, {2000}, 2);
  world.queue("q");
  world.finish();
  auto jobs = TraceJobs::make(*trace, {}, world.state);
  EXPECT_TRUE(jobs);
  Recorded kept;
  kept.start = codec::encode_state(world.state);
  Recorder recorder({.journal = [&](std::string_view text) { kept.journal += text; },
                     .name = [&](const model::State& /*state*/,
                                 JobId id) { return std::string(jobs->name(id.index())); },
                     .keep = [](const model::State& /*state*/) { return std::string(); }});
  Simulator sim(std::move(world.state), std::make_unique<TraceSource>(*jobs));
  sim.watch(&recorder);
  sim.run_to_rest();
  recorder.finish();
  kept.digest = model::digest_of(sim.engine().state()).value();
  return kept;
}

base::Result<Replayed> replay(const Recorded& kept, const std::string& journal) {
  return replay_journal(*codec::decode_state(kept.start), journal, [](const std::string& name) {
    return base::Result<engine::State>(base::refuse(name + " is not there"));
  });
}

TEST(Replay, GivesTheDigestOfAStreamedTraceThatForgetsItsJobs) {
  const Recorded kept = record();
  const auto again = replay(kept, kept.journal);
  ASSERT_TRUE(again) << base::to_string(again.error()) << "\n" << kept.journal;
  EXPECT_EQ(model::digest_of(again->state).value(), kept.digest);
  EXPECT_EQ(again->decisions, 4U);  // all but the one that left
  EXPECT_THAT(kept.journal, HasSubstr(R"("what":"cancelled","job":1})"));
  EXPECT_THAT(kept.journal, HasSubstr(R"("name":"d","queue":"q","user":"ann")"));
}

std::string fault(const Recorded& kept, const std::string& lines) {
  const auto again = replay(kept, codec::journal_header() + "\n" + lines);
  return again ? "" : base::to_string(again.error());
}

TEST(Replay, NamesTheLineThatCannotBe) {
  const Recorded kept = record();
  EXPECT_THAT(base::to_string(replay(kept, "a,b\n").error()), HasSubstr("line 1: the first line"));
  EXPECT_THAT(fault(kept, "nonsense\n"), HasSubstr("line 2: the line is no JSON object"));
  EXPECT_THAT(fault(kept, R"({"at_ms":0,"what":"ended","job":0})"), HasSubstr("does not run"));
  EXPECT_THAT(fault(kept, R"({"at_ms":0,"what":"held","job":9})"), HasSubstr("job 9 is unknown"));
  EXPECT_THAT(fault(kept, R"({"at_ms":0,"what":"node_failed","node":"x"})"), HasSubstr("node x"));
  EXPECT_THAT(fault(kept, R"({"at_ms":0,"what":"applied","snapshot":"s"})"),
              HasSubstr("not there"));
  EXPECT_THAT(fault(kept, R"({"at_ms":0,"what":"stopped","job":0,"work_saved_ms":0,"lost_ms":0})"),
              HasSubstr("not told to stop"));
  EXPECT_THAT(fault(kept, R"({"at_ms":0,"what":"passed","decisions":1})"),
              HasSubstr("not what the engine decides"));
  EXPECT_THAT(fault(kept, R"({"at_ms":0,"what":"told_to_stop","job":0,"cause":"cancel"})"),
              HasSubstr("that job 0 must stop"));
  EXPECT_THAT(fault(kept,
                    "{\"at_ms\":5,\"what\":\"restarted\"}\n"
                    "{\"at_ms\":5,\"what\":\"passed\",\"decisions\":0}\n"
                    "{\"at_ms\":4,\"what\":\"restarted\"}\n"),
              HasSubstr("line 4: time runs backwards"));
  EXPECT_THAT(fault(kept, R"({"at_ms":0,"what":"started","job":0,"run":1,"on":[]})"),
              HasSubstr("cut short"));
}

TEST(Replay, RefusesSubmissionsThatTheStateDoesNotKnow) {
  const Recorded kept = record();
  const auto submit = [&](const std::string& rest) {
    return fault(kept,
                 R"({"at_ms":0,"what":"submitted","job":0,"user":"u","tasks":1,)" + rest + "}");
  };
  EXPECT_EQ(submit(R"("queue":"q","each":[["gpu",1000]])"), "");
  EXPECT_THAT(submit(R"("queue":"p","each":[["gpu",1000]])"), HasSubstr("queue p is no leaf"));
  EXPECT_THAT(submit(R"("queue":"q","each":[["tpu",1000]])"), HasSubstr("resource tpu"));
  EXPECT_THAT(submit(R"("queue":"q","each":[],"where":["zone=a"])"), HasSubstr("label zone=a"));
}

}  // namespace
}  // namespace stint::sim
