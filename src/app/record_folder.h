// The folder of `stint sim --record`: what a live store would keep (docs/reference/journal.md).
//
//   config/N-NAME       every file of the configuration, as read, in the order in which it was read
//   start.snapshot      State before anything happened
//   journal.jsonl       facts and decisions
//   applied-N.snapshot  State after another policy was applied
//   end.snapshot        State at the end
//
// It is filled beside its place, in FOLDER.part, and renamed when it is complete: it is there whole
// or not at all.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/write_file.h"
#include "codec/config/config.h"
#include "model/state.h"
#include "sim/record/recorder.h"

namespace stint::app {

class RecordFolder {
 public:
  // Refuses a path at which something is, or was left by a run that was killed.
  [[nodiscard]] static base::Result<void> check_free(const std::string& path);

  //   Errors  as check_free(), or it cannot be written.
  [[nodiscard]] static base::Result<std::unique_ptr<RecordFolder>> create(
      const std::string& path, const std::vector<codec::SourceFile>& sources,
      const model::State& start);
  RecordFolder(const RecordFolder&) = delete;
  RecordFolder& operator=(const RecordFolder&) = delete;
  ~RecordFolder();

  void write_journal(std::string_view text) { journal_.write(text); }
  // Keeps State after a policy was applied; returns the file's name. A fault shows in finish().
  std::string keep(const model::State& state);
  [[nodiscard]] base::Result<void> finish(const model::State& end);

 private:
  RecordFolder(std::string path, std::string part, PendingFile journal)
      : path_(std::move(path)), part_(std::move(part)), journal_(std::move(journal)) {}

  std::string path_;
  std::string part_;  // empty once it is in its place
  PendingFile journal_;
  std::size_t applied_ = 0;
  base::Result<void> kept_;  // of the snapshots so far
};

}  // namespace stint::app
