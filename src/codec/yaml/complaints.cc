#include "codec/yaml/complaints.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace stint::codec {

void Complaints::add(Mark at, Severity severity, std::string message) {
  if (all_.size() >= kComplaintsMax) {
    ++left_out_;
    return;
  }
  all_.push_back({at, severity, std::move(message)});
}

void Complaints::error(Mark at, std::string message) {
  ++errors_;
  add(at, Severity::Error, std::move(message));
}

void Complaints::lint(Mark at, std::string message) { add(at, Severity::Lint, std::move(message)); }

std::vector<Diagnostic> Complaints::in_order(const std::vector<std::string>& files) const {
  std::vector<const Complaint*> order;
  for (const Complaint& complaint : all_) order.push_back(&complaint);
  const auto place = [](const Complaint* c) { return std::tie(c->severity, c->at); };
  // All of them lie in one vector, so that addresses tell which was said first.
  std::sort(order.begin(), order.end(), [&](const Complaint* a, const Complaint* b) {
    return place(a) != place(b) ? place(a) < place(b) : a < b;
  });
  std::vector<Diagnostic> diagnostics;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Complaint& c = *order[i];
    const bool repeated = std::any_of(
        order.begin(), order.begin() + static_cast<std::ptrdiff_t>(i), [&](const Complaint* other) {
          return place(other) == place(&c) && other->message == c.message;
        });
    if (repeated) continue;
    const std::string file = c.at.file < files.size() ? files[c.at.file] : std::string();
    diagnostics.push_back({file, c.at.line, c.at.column, c.severity, c.message});
  }
  if (left_out_ > 0) {
    const std::string file = files.empty() ? std::string() : files.front();
    const Severity severity = has_errors() ? Severity::Error : Severity::Lint;
    diagnostics.push_back({file, 0, 0, severity, fmt::format("{} more are not shown", left_out_)});
  }
  return diagnostics;
}

}  // namespace stint::codec
