// One complaint about a text: where it stands, what is wrong and how to mend it.
//
//   Diagnostic{"a.yaml", 3, 7, Severity::Error, "unknown key `wieght`, did you mean `weight`"}
//   prints as  a.yaml:3:7: error: unknown key `wieght`, did you mean `weight`
#pragma once

#include <cstdint>
#include <string>

#include <fmt/format.h>

namespace stint::codec {

// A lint is legal but odd; it never makes a file refused.
enum class Severity { Error, Lint };

// Line and column are 1-based; 0 = the file as a whole.
struct Diagnostic {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  Severity severity = Severity::Error;
  std::string message;
};

// `file:line:col: error: text`; a lint says `warning`.
[[nodiscard]] inline std::string to_string(const Diagnostic& diagnostic) {
  return fmt::format("{}:{}:{}: {}: {}", diagnostic.file, diagnostic.line, diagnostic.column,
                     diagnostic.severity == Severity::Error ? "error" : "warning",
                     diagnostic.message);
}

}  // namespace stint::codec
