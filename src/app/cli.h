// The command line: which verbs and options there are. Help, reference and completions come from
// here.
#pragma once

#include <string>

namespace stint::app {

// Parses and runs; returns the exit code.
[[nodiscard]] int run_command_line(int argc, char** argv);

}  // namespace stint::app
