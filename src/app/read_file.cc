#include "app/read_file.h"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace stint::app {

using base::refuse;
using base::Result;

namespace {

constexpr std::size_t kFirstRoom = std::size_t{64} << 10U;

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

std::string reason(int error) { return std::generic_category().message(error); }

tl::unexpected<base::Error> cannot_open(const std::string& path, int error) {
  if (error == ENOENT || error == ENOTDIR) {
    return refuse(fmt::format("no such file: '{}'; check the name and the folder", path));
  }
  if (error == EACCES || error == EPERM) {
    return refuse(fmt::format("'{}' may not be read by this user; check its permissions", path));
  }
  return base::fail(fmt::format("cannot open '{}': {}", path, reason(error)));
}

tl::unexpected<base::Error> too_large(const std::string& path, std::size_t bytes_max) {
  return refuse(
      fmt::format("'{}' is larger than {} bytes; split it into smaller files", path, bytes_max));
}

// Reads to the end, whatever the size was said to be (a pipe has none).
Result<std::string> read_all(const Descriptor& file, const std::string& path, std::size_t size_hint,
                             std::size_t bytes_max) {
  std::string bytes;
  // One byte of room beyond the expected size sees the end without growing.
  bytes.resize(std::max(size_hint + 1, kFirstRoom));
  std::size_t used = 0;
  while (true) {
    if (used > bytes_max) return too_large(path, bytes_max);
    if (used == bytes.size()) bytes.resize(bytes.size() * 2);
    const ::ssize_t count = ::read(file.number(), bytes.data() + used, bytes.size() - used);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return base::fail(fmt::format("cannot read '{}': {}", path, reason(errno)));
    if (count == 0) break;
    used += static_cast<std::size_t>(count);
  }
  bytes.resize(used);
  return bytes;
}

}  // namespace

Result<std::string> read_file(const std::string& path, std::size_t bytes_max) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0) return cannot_open(path, errno);
  struct stat facts{};
  if (::fstat(file.number(), &facts) != 0) return cannot_open(path, errno);
  if (S_ISDIR(facts.st_mode)) {
    return refuse(fmt::format("'{}' is a folder; name a file", path));
  }
  const bool has_size = S_ISREG(facts.st_mode) && facts.st_size > 0;
  const std::size_t size = has_size ? static_cast<std::size_t>(facts.st_size) : 0;
  if (size > bytes_max) return too_large(path, bytes_max);
  return read_all(file, path, size, bytes_max);
}

}  // namespace stint::app
