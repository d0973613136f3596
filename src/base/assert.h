// Assertions are product code: they stay on in release builds and abort with the failed expression.
//
// Only programmer errors reach them; bad input is a Result (base/result.h), an expected outcome a
// value.
//
//   STINT_ASSERT(usage >= 0);
#pragma once

namespace stint::base {

// Prints the failed expression with its place to stderr and aborts. Never returns.
[[noreturn]] void assertion_failed(const char* expression, const char* file, int line);

}  // namespace stint::base

#define STINT_ASSERT(expression)       \
  ((expression) ? static_cast<void>(0) \
                : ::stint::base::assertion_failed(#expression, __FILE__, __LINE__))
