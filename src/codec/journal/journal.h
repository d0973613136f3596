// The journal: every fact that the engine was told and everything it decided, one JSON object per
// line.
//
// Queues, users, resources, labels and nodes stand by name, jobs by number: names of jobs need not
// be unique. Times are whole ms, amounts base units (thousandths; memory MiB). A line has `at_ms`
// and `what`; its other keys follow from that (docs/reference/journal.md).
//
// Invariants  1. read(write(entry)) is the entry.  2. nothing in a line depends on another line.
// Threads     pure functions.
//
//   journal_line({.at = 60'000, .what = JournalEnded{JobId(3U), true}});
//   // {"at_ms":60000,"what":"ended","job":3,"done":true}
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"
#include "model/state.h"

namespace stint::codec {

inline constexpr std::uint32_t kJournalVersion = 1;

// A job with all that was asked for.
struct JournalSubmitted {
  base::JobId job;
  std::string name;  // for people; may be empty
  std::string queue;
  std::string user;
  std::uint32_t tasks = 1;
  std::vector<std::pair<std::string, base::Amount>> each;  // what is above 0, per task
  std::vector<std::string> where;                          // `label=value`
  std::int32_t priority = 0;
  bool preemptible = true;
  bool impossible = false;
  base::Millis submit = 0;
  base::Millis work = base::kNever;
  base::Millis limit = base::kNever;
  model::Checkpoint checkpoint;
  base::Millis stops_in = 0;
  std::vector<base::JobId> after;
  friend bool operator==(const JournalSubmitted&, const JournalSubmitted&) = default;
};

enum class JobFact : std::uint8_t { Cancelled, Held, Released };
struct JournalJobFact {
  JobFact fact = JobFact::Cancelled;
  base::JobId job;
  friend bool operator==(const JournalJobFact&, const JournalJobFact&) = default;
};

struct JournalEnded {
  base::JobId job;
  bool done = true;  // false: at its limit
  friend bool operator==(const JournalEnded&, const JournalEnded&) = default;
};

// A run that was told to stop has left.
struct JournalStopped {
  base::JobId job;
  base::Millis work_saved = 0;
  base::Millis lost = 0;
  friend bool operator==(const JournalStopped&, const JournalStopped&) = default;
};

enum class NodeFact : std::uint8_t { Failed, Returned, Drained, Resumed };
struct JournalNodeFact {
  NodeFact fact = NodeFact::Failed;
  std::string node;
  friend bool operator==(const JournalNodeFact&, const JournalNodeFact&) = default;
};

// Another tree and policy: those of the named snapshot.
struct JournalApplied {
  std::string snapshot;
  friend bool operator==(const JournalApplied&, const JournalApplied&) = default;
};

// The controller was started anew from its State.
struct JournalRestarted {
  friend bool operator==(const JournalRestarted&, const JournalRestarted&) = default;
};

struct JournalSlice {
  std::string node;
  std::uint32_t tasks = 0;
  std::vector<model::DeviceShare> devices;
  friend bool operator==(const JournalSlice&, const JournalSlice&) = default;
};
// Decided: this run starts here.
struct JournalStarted {
  base::JobId job;
  std::uint32_t run = 1;
  std::vector<JournalSlice> on;
  friend bool operator==(const JournalStarted&, const JournalStarted&) = default;
};

// Decided: this run must stop, and is gone at `deadline` at the latest.
struct JournalTold {
  base::JobId job;
  model::StopCause cause = model::StopCause::None;
  base::Millis deadline = base::kNever;
  friend bool operator==(const JournalTold&, const JournalTold&) = default;
};

// Passes were made until nothing changed; the lines before it that were decided are their fruit.
struct JournalPass {
  std::uint64_t decisions = 0;
  friend bool operator==(const JournalPass&, const JournalPass&) = default;
};

using JournalWhat =
    std::variant<JournalSubmitted, JournalJobFact, JournalEnded, JournalStopped, JournalNodeFact,
                 JournalApplied, JournalRestarted, JournalStarted, JournalTold, JournalPass>;

struct JournalEntry {
  base::Millis at = 0;
  JournalWhat what;
  friend bool operator==(const JournalEntry&, const JournalEntry&) = default;
};

// The first line of a journal, without line end: format and version.
[[nodiscard]] std::string journal_header();
//   Errors  no journal, or of another version.
[[nodiscard]] base::Result<void> check_journal_header(std::string_view line);

// One line, without its end. Requires names that are UTF-8.
[[nodiscard]] std::string journal_line(const JournalEntry& entry);
//   Errors  no JSON object, an unknown or missing key, a value of the wrong kind or out of range.
[[nodiscard]] base::Result<JournalEntry> read_journal_line(std::string_view line);

}  // namespace stint::codec
