#include "app/write_file.h"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

namespace stint::app {

PendingFile::PendingFile(std::string path)
    : path_(std::move(path)),
      beside_(fmt::format("{}.part", path_)),
      file_(std::fopen(beside_.c_str(), "wb")) {}

base::Result<PendingFile> PendingFile::create(const std::string& path) {
  PendingFile file(path);
  if (!file.file_) {
    return base::fail(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
  }
  return file;
}

PendingFile::~PendingFile() {
  if (!file_) return;
  file_.reset();
  std::remove(beside_.c_str());
}

void PendingFile::write(std::string_view text) {
  failed_ = failed_ || std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size();
}

base::Result<void> PendingFile::commit() {
  failed_ = failed_ || std::fflush(file_.get()) != 0;
  file_.reset();
  if (failed_ || std::rename(beside_.c_str(), path_.c_str()) != 0) {
    const int reason = errno;
    std::remove(beside_.c_str());
    return base::fail(fmt::format("{}: cannot be written: {}", path_, std::strerror(reason)));
  }
  return {};
}

base::Result<void> write_file(const std::string& path, std::string_view text) {
  auto file = PendingFile::create(path);
  if (!file) return tl::unexpected(std::move(file).error());
  file->write(text);
  return file->commit();
}

}  // namespace stint::app
