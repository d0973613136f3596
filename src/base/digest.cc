#include "base/digest.h"

#include <fmt/format.h>

namespace stint::base {

std::string Digest::hex() const { return fmt::format("{:016x}", state_); }

}  // namespace stint::base
