#include "result.h"

#include <fmt/format.h>

#include "measure.h"

namespace stint::bench {

namespace {

std::string object(const Numbers& numbers) {
  std::string text;
  for (const auto& [name, value] : numbers) {
    text += fmt::format("{}\"{}\": {:.6g}", text.empty() ? "" : ", ", name, value);
  }
  return text;
}

}  // namespace

Work::Work(const engine::Engine& engine)
    : before_(engine.counters()), allocations_(allocations()) {}

Numbers Work::per(const engine::Engine& engine, std::size_t operations) const {
  const std::uint64_t allocated = allocations() - allocations_;
  const engine::Counters now = engine.counters();
  const auto each = [&](std::uint64_t amount) {
    return static_cast<double>(amount) / static_cast<double>(operations);
  };
  return {{"passes", each(now.passes - before_.passes)},
          {"candidates", each(now.candidates - before_.candidates)},
          {"searches", each(now.searches - before_.searches)},
          {"starts", each(now.starts - before_.starts)},
          {"matches", each(now.matches - before_.matches)},
          {"ranked", each(now.ranked - before_.ranked)},
          {"walked", each(now.walked - before_.walked)},
          {"allocations", each(allocated)}};
}

std::string json_line(const std::string& name, const Result& result) {
  return fmt::format(
      "{{\"name\": \"{}\", \"unit\": \"{}\", \"runs\": [{:.6g}], \"p99\": [{:.6g}], "
      "\"counters\": {{{}}}, \"others\": {{{}}}}}",
      name, result.unit, fmt::join(result.runs, ", "), fmt::join(result.p99, ", "),
      object(result.counters), object(result.others));
}

}  // namespace stint::bench
