// The verbs of `stint`: options as parsed, and what each verb does with them.
//
// Every verb returns the exit code (DESIGN §7): 0 ok, 1 failed or "no", 2 refused input, 64 usage.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace stint::app {

inline constexpr int kOk = 0;
inline constexpr int kFailed = 1;
inline constexpr int kRefused = 2;
inline constexpr int kUsage = 64;
inline constexpr int kInterrupted = 130;

struct TestOptions {
  std::vector<std::string> paths;
  std::string junit;
  bool digest = false;
};
[[nodiscard]] int run_test(const TestOptions& options);

struct CheckOptions {
  std::vector<std::string> files;
  bool strict = false;
};
[[nodiscard]] int run_check(const CheckOptions& options);

// How a trace is read; shared by `sim` and `import`.
struct TraceFlags {
  std::string format;  // csv | swf | philly; empty = by content
  std::string limits = "file";
  std::string as = "cpu";
  std::uint32_t task_size = 0;
  std::string cpu_per_gpu;
  std::string memory_per_gpu;
};

struct SimOptions {
  std::vector<std::string> files;
  std::vector<std::string> traces;
  TraceFlags flags;
  std::string queue_map;
  bool auto_queues = false;
  std::string out;
  std::string record;
  std::string until;
  std::string warmup = "0s";
  std::string sample = "1h";
  std::string output = "table";  // table | json
};
[[nodiscard]] int run_sim(const SimOptions& options);

struct DrfOptions {
  std::string file;
  std::string ties = "last-served";
  std::string output = "table";  // table | json
};
[[nodiscard]] int run_drf(const DrfOptions& options);

struct ImportOptions {
  std::string file;
  TraceFlags flags;
  std::string out;  // empty = standard output
};
[[nodiscard]] int run_import(const ImportOptions& options);

struct GenOptions {
  std::string preset;
  std::uint64_t seed = 1;
  std::string out;
  bool show = false;
  // Parameters with an option of their own: key, value as typed; empty = not given.
  std::array<std::pair<std::string, std::string>, 4> direct{
      {{"jobs", ""}, {"days", ""}, {"nodes", ""}, {"load", ""}}};
  std::vector<std::string> set;  // KEY=VALUE
};
[[nodiscard]] int run_gen(const GenOptions& options);

struct ReferenceOptions {
  std::string page;  // cli | config | config-schema | scenario-schema | gen
};

}  // namespace stint::app
