#include "app/record_folder.h"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "codec/snapshot/snapshot.h"

namespace stint::app {

namespace fs = std::filesystem;

namespace {

base::Result<void> make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (!error) return {};
  return base::fail(fmt::format("{}: cannot be made: {}", path, error.message()));
}

base::Result<void> write_sources(const std::string& folder,
                                 const std::vector<codec::SourceFile>& sources) {
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::string name = fs::path(sources[i].name).filename().string();
    const std::string path = fmt::format("{}/{}-{}", folder, i + 1, name);
    if (auto written = write_file(path, sources[i].text); !written) return written;
  }
  return {};
}

// Fills the new folder with what is known at the start.
base::Result<PendingFile> begin(const std::string& part,
                                const std::vector<codec::SourceFile>& sources,
                                const model::State& start) {
  auto done = make_folder(part + "/config");
  if (done) done = write_sources(part + "/config", sources);
  if (done) done = write_file(part + "/start.snapshot", codec::encode_state(start));
  if (!done) return tl::unexpected(std::move(done).error());
  return PendingFile::create(part + "/journal.jsonl");
}

void remove_folder(const std::string& path) {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

}  // namespace

base::Result<void> RecordFolder::check_free(const std::string& path) {
  for (const std::string& taken : {path, path + ".part"}) {
    std::error_code ignored;
    if (!fs::exists(taken, ignored)) continue;
    return base::refuse(fmt::format(
        "{}: is there already; a recording is never overwritten: remove it or name another folder",
        taken));
  }
  return {};
}

base::Result<std::unique_ptr<RecordFolder>> RecordFolder::create(
    const std::string& path, const std::vector<codec::SourceFile>& sources,
    const model::State& start) {
  if (auto is_free = check_free(path); !is_free) {
    return tl::unexpected(std::move(is_free).error());
  }
  const std::string part = path + ".part";
  auto journal = begin(part, sources, start);
  if (!journal) {
    remove_folder(part);
    return tl::unexpected(std::move(journal).error());
  }
  return std::unique_ptr<RecordFolder>(new RecordFolder(path, part, std::move(*journal)));
}

RecordFolder::~RecordFolder() {
  if (!part_.empty()) remove_folder(part_);
}

std::string RecordFolder::keep(const model::State& state) {
  std::string name = fmt::format("applied-{}.snapshot", ++applied_);
  if (kept_) kept_ = write_file(fmt::format("{}/{}", part_, name), codec::encode_state(state));
  return name;
}

base::Result<void> RecordFolder::finish(const model::State& end) {
  if (!kept_) return kept_;
  if (auto done = write_file(part_ + "/end.snapshot", codec::encode_state(end)); !done) return done;
  if (auto done = journal_.commit(); !done) return done;
  std::error_code error;
  fs::rename(part_, path_, error);
  if (error) return base::fail(fmt::format("{}: cannot be made: {}", path_, error.message()));
  part_.clear();
  return {};
}

}  // namespace stint::app
