// stint_bench NAME…: runs the workloads of these names, one line of JSON each; `--list` names all.
// `tools/bench.py` calls it, once for each name so that each has a fresh heap.
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "workloads.h"

namespace stint::bench {

namespace {

struct Bench {
  std::string name;
  std::function<Result()> run;
};

// Names say the size: nodes behind `steady`, waiting jobs behind the others.
std::vector<Bench> benches() {
  std::vector<Bench> all;
  for (const std::int64_t nodes : {1'000, 10'000, 100'000}) {
    all.push_back({fmt::format("steady-{}", nodes), [=] { return steady(nodes, {}); }});
  }
  const Effort some{.runs = 5, .operations = 2'000};
  for (const std::uint32_t jobs : {1'000U, 10'000U, 100'000U, 1'000'000U}) {
    all.push_back({fmt::format("backlog-{}", jobs), [=] { return backlog(1'000, 0, jobs, some); }});
  }
  for (const std::uint32_t jobs : {1'000U, 10'000U, 100'000U}) {
    all.push_back(
        {fmt::format("backlog-nested-{}", jobs), [=] { return backlog(1'000, 5, jobs, some); }});
  }
  all.push_back({"cold", [] { return cold(10'000, 100'000, 5); }});
  all.push_back(
      {"blocked", [] { return blocked(10'000, 100'000, {.runs = 5, .operations = 1'000}); }});
  const Effort many{.runs = 5, .operations = 20'000};
  all.push_back({"share", [=] { return share({}, many); }});
  all.push_back({"share-guaranteed", [=] { return share({.guarantees = true}, many); }});
  all.push_back(
      {"share-nested", [=] { return share({.departments = 10, .guarantees = true}, many); }});
  all.push_back({"memory-waiting", [] { return memory_waiting(1'000'000); }});
  all.push_back({"memory-finished", [] { return memory_finished(1'000'000); }});
  all.push_back({"heap", [] { return heap(100'000, {.runs = 5, .operations = 200'000}); }});

  // Small and the same for ever: bench/limits.json says how much work each may cost.
  const Effort few{.runs = 1, .operations = 2'000, .may_end_early = false};
  const Effort fewer{.runs = 1, .operations = 200, .may_end_early = false};
  all.push_back({"gate-steady", [=] { return steady(500, few); }});
  all.push_back({"gate-backlog", [=] { return backlog(200, 0, 5'000, fewer); }});
  all.push_back({"gate-backlog-nested", [=] { return backlog(200, 5, 1'000, fewer); }});
  all.push_back({"gate-cold", [] { return cold(500, 10'000, 1); }});
  all.push_back({"gate-blocked", [=] { return blocked(200, 10'000, fewer); }});
  const Crowds small{.queues = 20, .users = 50};
  all.push_back({"gate-share", [=] { return share(small, few); }});
  Crowds nested = small;
  nested.departments = 5;
  nested.guarantees = true;
  all.push_back({"gate-share-nested", [=] { return share(nested, few); }});
  all.push_back({"gate-heap", [] { return heap(10'000, {.runs = 1, .operations = 20'000}); }});
  return all;
}

int run_all(const std::vector<std::string_view>& names) {
  const std::vector<Bench> all = benches();
  for (const std::string_view name : names) {
    bool known = name == "--list";
    for (const Bench& bench : all) {
      if (name == "--list") fmt::print("{}\n", bench.name);
      if (name != bench.name) continue;
      known = true;
      fmt::print("{}\n", json_line(bench.name, bench.run()));
      std::fflush(stdout);
    }
    if (!known) {
      fmt::print(stderr, "stint_bench: there is no `{}`; --list names all\n", name);
      return 64;
    }
  }
  return 0;
}

}  // namespace

}  // namespace stint::bench

int main(int argc, char** argv) {
  return stint::bench::run_all(std::vector<std::string_view>(argv + 1, argv + argc));
}
