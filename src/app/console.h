// What goes to the terminal: results to stdout, complaints and progress to stderr.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "codec/diagnostic.h"

namespace stint::app {

void print(std::string_view text);
// `stint: text`, to stderr.
void complain(std::string_view text);
// Prints the error and returns its exit code.
int complain(const base::Error& error);
// One line per diagnostic, to stderr; returns whether any is an error.
bool print_diagnostics(const std::vector<codec::Diagnostic>& diagnostics);

// Whether stderr is a terminal.
[[nodiscard]] bool stderr_is_terminal();

// From now on Ctrl-C only sets a flag, so that nothing is left half written.
void catch_interrupts();
[[nodiscard]] bool interrupted();

}  // namespace stint::app
