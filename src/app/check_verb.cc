#include <fmt/format.h>

#include "app/console.h"
#include "app/sources.h"
#include "app/verbs.h"
#include "codec/scenario/scenario.h"

namespace stint::app {

namespace {

std::string in_words(const codec::Config& config) {
  std::string text = fmt::format("{} nodes", config.cluster.nodes.size());
  const model::Amounts capacity = config.cluster.capacity();
  for (std::size_t r = 0; r < capacity.size(); ++r) {
    const std::string& name = config.cluster.resources.names()[r];
    if (model::Resources::is_model(name)) continue;
    text += fmt::format(", {} {}",
                        model::Resources::is_memory(name) ? base::format_memory(capacity[r])
                                                          : base::format_count(capacity[r]),
                        name);
  }
  std::size_t leaves = 0;
  for (const model::Queue& queue : config.tree.queues)
    leaves += queue.is_leaf() && !queue.is_root() ? 1U : 0U;
  return text +
         fmt::format("; {} queues, {} of them leaves", config.tree.queues.size() - 1, leaves);
}

}  // namespace

int run_check(const CheckOptions& options) {
  std::vector<codec::SourceFile> sources;
  for (const std::string& path : options.files) {
    auto source = read_source(path);
    if (!source) return complain(source.error());
    sources.push_back(std::move(*source));
  }
  std::vector<codec::Diagnostic> diagnostics;
  std::string summary;
  if (sources.size() == 1 && looks_like_scenario(sources[0].text)) {
    auto read = codec::read_scenario(std::move(sources[0]), include_loader());
    diagnostics = std::move(read.diagnostics);
    if (read.ok()) {
      summary = fmt::format("{}; {} jobs, {} events, {} expectations", in_words(read.value->config),
                            read.value->jobs.size(), read.value->events.size(),
                            read.value->expect.size());
    }
  } else {
    auto read = codec::read_config(std::move(sources), include_loader());
    diagnostics = std::move(read.diagnostics);
    if (read.ok()) summary = in_words(*read.value);
  }
  if (print_diagnostics(diagnostics)) return kRefused;
  print(fmt::format("ok: {}\n", summary));
  if (options.strict && !diagnostics.empty()) {
    complain(fmt::format("{} warnings, and --strict allows none", diagnostics.size()));
    return kFailed;
  }
  return kOk;
}

}  // namespace stint::app
