#include "base/assert.h"

#include <cstdio>
#include <cstdlib>

namespace stint::base {

void assertion_failed(const char* expression, const char* file, int line) {
  std::fprintf(stderr, "stint: assertion failed: %s (%s:%d)\n", expression, file, line);
  std::abort();
}

}  // namespace stint::base
