#include "app/console.h"

#include <csignal>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace stint::app {

namespace {
volatile std::sig_atomic_t g_interrupted = 0;
extern "C" void on_interrupt(int /*signal*/) { g_interrupted = 1; }
}  // namespace

void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void complain(std::string_view text) {
  std::fflush(stdout);
  fmt::print(stderr, "stint: {}\n", text);
}

int complain(const base::Error& error) {
  complain(base::to_string(error));
  return base::exit_code(error.code);
}

bool print_diagnostics(const std::vector<codec::Diagnostic>& diagnostics) {
  bool any_error = false;
  std::fflush(stdout);
  for (const codec::Diagnostic& diagnostic : diagnostics) {
    fmt::print(stderr, "{}\n", codec::to_string(diagnostic));
    any_error = any_error || diagnostic.severity == codec::Severity::Error;
  }
  return any_error;
}

bool stderr_is_terminal() { return isatty(STDERR_FILENO) == 1; }

void catch_interrupts() { std::signal(SIGINT, on_interrupt); }

bool interrupted() { return g_interrupted != 0; }

}  // namespace stint::app
