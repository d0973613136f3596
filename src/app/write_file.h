// Writes files whole or not at all: first beside the target, then renamed over it.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace stint::app {

[[nodiscard]] base::Result<void> write_file(const std::string& path, std::string_view text);

// A file that is written in pieces. Nothing is at `path` before commit(); without it nothing stays.
class PendingFile {
 public:
  [[nodiscard]] static base::Result<PendingFile> create(const std::string& path);
  PendingFile(PendingFile&&) noexcept = default;
  PendingFile& operator=(PendingFile&&) = delete;
  ~PendingFile();

  void write(std::string_view text);
  [[nodiscard]] base::Result<void> commit();

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  explicit PendingFile(std::string path);

  std::string path_;
  std::string beside_;
  std::unique_ptr<std::FILE, Closer> file_;
  bool failed_ = false;
};

}  // namespace stint::app
