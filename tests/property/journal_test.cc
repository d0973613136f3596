// The journal of a random world, replayed from the State at its start (I11).
#include <map>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "claims.h"
#include "codec/snapshot/snapshot.h"
#include "sim/record/recorder.h"
#include "sim/record/replay.h"
#include "world.h"

namespace stint::property {
namespace {

// What a recording keeps.
struct Recording {
  std::string start;  // snapshots are bytes
  std::string end;
  std::map<std::string, std::string> applied;
  std::string journal;
  std::uint64_t starts = 0;
  std::uint64_t digest = 0;
};

class CountStarts : public sim::Observer {
 public:
  void started(const engine::Engine& /*engine*/, const engine::Start& /*start*/) override {
    ++starts_;
  }
  [[nodiscard]] std::uint64_t starts() const { return starts_; }

 private:
  std::uint64_t starts_ = 0;
};

Recording record(const World& world) {
  Recording kept;
  sim::Simulator sim = simulator_of(world);
  kept.start = codec::encode_state(sim.engine().state());
  sim::Recorder recorder({
      .journal = [&](std::string_view text) { kept.journal += text; },
      .name = [](const model::State& state, base::JobId job) { return job_name(state, job); },
      .keep =
          [&](const model::State& state) {
            const std::string name = fmt::format("applied-{}", kept.applied.size() + 1);
            kept.applied[name] = codec::encode_state(state);
            return name;
          },
  });
  CountStarts count;
  sim.watch(&recorder);
  sim.watch(&count);
  sim.run_until(kHorizon);
  recorder.finish();
  kept.end = codec::encode_state(sim.engine().state());
  kept.digest = model::digest_of(sim.engine().state()).value();
  kept.starts = count.starts();
  return kept;
}

base::Result<sim::Replayed> replay(const Recording& kept, std::string_view journal) {
  auto start = codec::decode_state(kept.start);
  RC_ASSERT(start.has_value());
  return sim::replay_journal(std::move(*start), journal, [&](const std::string& name) {
    return codec::decode_state(kept.applied.at(name));
  });
}

TEST(Journal, ReplayedFromTheStartGivesTheSameDecisionsAndDigest) {
  std::uint64_t applied = 0;
  std::uint64_t starts = 0;
  holds("I11", [&] {
    const World world = make_world(*some_seed());
    show(world);
    const Recording kept = record(world);
    RC_LOG() << kept.journal;
    const auto again = replay(kept, kept.journal);
    if (!again) RC_LOG() << base::to_string(again.error());
    RC_ASSERT(again.has_value());
    RC_ASSERT(model::digest_of(again->state).value() == kept.digest);
    RC_ASSERT(codec::encode_state(again->state) == kept.end);
    RC_ASSERT(again->decisions >= kept.starts);
    applied += kept.applied.size();
    starts += kept.starts;
  });
  EXPECT_GT(applied, 100U);
  EXPECT_GT(starts, 5U * kWorlds);
}

// A start on another node, another job, or one left out is noticed: the replay is not blind.
TEST(Journal, IsRefusedWhereADecisionWasChanged) {
  std::uint64_t changed = 0;
  holds("a replay notices", [&] {
    const World world = make_world(*some_seed());
    const Recording kept = record(world);
    const std::size_t start = kept.journal.find("\"what\":\"started\",\"job\":");
    if (start == std::string::npos) return;
    ++changed;
    const std::size_t run = kept.journal.find("\"run\":", start) + 6;
    std::string other = kept.journal;
    other[run] = other[run] == '1' ? '2' : '1';
    RC_ASSERT(!replay(kept, other).has_value());
    const std::size_t begin = kept.journal.rfind('\n', start) + 1;
    std::string without = kept.journal;
    without.erase(begin, without.find('\n', begin) + 1 - begin);
    RC_ASSERT(!replay(kept, without).has_value());
  });
  EXPECT_GT(changed, kWorlds / 2U);
}

}  // namespace
}  // namespace stint::property
