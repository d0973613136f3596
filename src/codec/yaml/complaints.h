// All complaints about a set of files, collected while they are read and handed out in file order.
//
// Invariants  1. what was said once is not said again (a patch is resolved together with its base).
//             2. at most kComplaintsMax are kept; the rest is counted in a last one.
// Threads     one owner.
//
//   complaints.error(key.mark, fmt::format("unknown key {}", quote(key.text)));
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "codec/diagnostic.h"
#include "codec/yaml/node.h"

namespace stint::codec {

// A file of nothing but tabs must not become a million messages.
inline constexpr std::size_t kComplaintsMax = 1000;

class Complaints {
 public:
  void error(Mark at, std::string message);
  void lint(Mark at, std::string message);

  [[nodiscard]] bool has_errors() const { return errors_ > 0; }
  [[nodiscard]] std::size_t errors() const { return errors_; }
  // Whether further complaints are only counted: no need to look for suggestions any more.
  [[nodiscard]] bool is_full() const { return all_.size() >= kComplaintsMax; }

  // Errors in file order, then lints in file order; `files` are the names by Mark::file.
  [[nodiscard]] std::vector<Diagnostic> in_order(const std::vector<std::string>& files) const;

 private:
  struct Complaint {
    Mark at;
    Severity severity;
    std::string message;
  };
  void add(Mark at, Severity severity, std::string message);

  std::vector<Complaint> all_;
  std::size_t errors_ = 0;
  std::size_t left_out_ = 0;
};

}  // namespace stint::codec
