// Errors as values: bad input and outside failures travel as Result, never as exceptions.
//
//   Result<Millis> parse_duration(std::string_view text);
//   STINT_TRY(const Millis grace, parse_duration("5m"));
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

namespace stint::base {

// Closed list; each code maps once to an exit code (DESIGN §7).
enum class ErrorCode {
  Usage,    // the command line is wrong: exit 64
  Refused,  // input that may not be accepted: exit 2
  Failed,   // an outside failure (file, device): exit 1
};

// What went wrong: `message` says what and how to mend it, without a full stop; `context` is the
// chain of places (innermost first) that it passed through, such as "file:line:col".
struct Error {
  ErrorCode code = ErrorCode::Refused;
  std::string message;
  std::vector<std::string> context;

  [[nodiscard]] Error in(std::string place) && {
    context.push_back(std::move(place));
    return std::move(*this);
  }
};

// Exit code of the program for an error of this kind.
[[nodiscard]] int exit_code(ErrorCode code);

// "outer: inner: message".
[[nodiscard]] std::string to_string(const Error& error);

template <class T>
using Result = tl::expected<T, Error>;

[[nodiscard]] inline tl::unexpected<Error> refuse(std::string message) {
  return tl::unexpected<Error>(Error{ErrorCode::Refused, std::move(message), {}});
}
[[nodiscard]] inline tl::unexpected<Error> fail(std::string message) {
  return tl::unexpected<Error>(Error{ErrorCode::Failed, std::move(message), {}});
}

}  // namespace stint::base

#define STINT_CONCAT_INNER(a, b) a##b
#define STINT_CONCAT(a, b) STINT_CONCAT_INNER(a, b)
#define STINT_TRY_IMPL(result, declaration, expression)                                  \
  auto result = (expression);                                                            \
  if (!result) return ::tl::unexpected<::stint::base::Error>(std::move(result).error()); \
  declaration = std::move(*result)
// Declares a variable from a Result, or returns its error from the enclosing function.
#define STINT_TRY(declaration, expression) \
  STINT_TRY_IMPL(STINT_CONCAT(stint_try_, __LINE__), declaration, expression)
