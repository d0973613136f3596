// Writes the journal of a simulation as a live store would: facts and decisions, in order.
//
// Together with the State at the start it is enough to replay every decision (sim/record/replay.h).
// Lines go out in pieces as they come; nothing is kept.
//
// Threads  one owner.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "codec/journal/journal.h"
#include "sim/metrics/collector.h"
#include "sim/simulator.h"

namespace stint::sim {

class Recorder : public Observer {
 public:
  // What journal lines need from outside.
  struct Sinks {
    TextSink journal;
    // The name of a job, for people; may be empty.
    std::function<std::string(const engine::State&, JobId)> name;
    // Keeps the State that holds with a newly applied tree and policy; returns the snapshot's name.
    std::function<std::string(const engine::State&)> keep;
  };
  explicit Recorder(Sinks sinks);

  // Hands out what is still on its way. Nothing may follow.
  void finish();

  void told(const engine::Engine& engine, const engine::Event& fact,
            const std::vector<engine::Decision>& orders) override;
  void decided(const engine::Engine& engine,
               const std::vector<engine::Decision>& decisions) override;
  void restarted(const engine::Engine& engine) override;

 private:
  void write(const engine::State& state, codec::JournalWhat what);
  void write_decision(const engine::State& state, const engine::Decision& decision);
  [[nodiscard]] codec::JournalSubmitted submission(const engine::State& state, JobId id) const;

  Sinks sinks_;
  std::string piece_;
};

}  // namespace stint::sim
