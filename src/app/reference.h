// Pages of the reference that come from the tables of the readers.
#pragma once

#include <string>

namespace stint::app {

// Prints `config`, `config-schema`, `scenario-schema` or `gen`; returns the exit code.
[[nodiscard]] int print_reference(const std::string& page);

}  // namespace stint::app
