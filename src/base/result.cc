#include "base/result.h"

#include <fmt/format.h>

namespace stint::base {

int exit_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::Usage:
      return 64;
    case ErrorCode::Refused:
      return 2;
    case ErrorCode::Failed:
      return 1;
  }
  return 1;
}

std::string to_string(const Error& error) {
  std::string text = error.message;
  for (const std::string& place : error.context) text = fmt::format("{}: {}", place, text);
  return text;
}

}  // namespace stint::base
