#include "app/trace_input.h"

#include <fmt/format.h>

#include "app/console.h"
#include "app/read_file.h"
#include "codec/trace/decompress.h"

namespace stint::app {

namespace {

base::Result<codec::TraceOptions> options_of(const TraceFlags& flags) {
  codec::TraceOptions options;
  if (!flags.format.empty()) options.format = codec::format_of(flags.format);
  options.limits = flags.limits == "run"    ? codec::LimitMode::Run
                   : flags.limits == "none" ? codec::LimitMode::None
                                            : codec::LimitMode::File;
  options.as = flags.as == "gpu" ? codec::SwfResource::Gpu : codec::SwfResource::Cpu;
  options.task_size = flags.task_size;
  if (!flags.cpu_per_gpu.empty()) {
    STINT_TRY(options.cpu_per_gpu, base::parse_count(flags.cpu_per_gpu));
  }
  if (!flags.memory_per_gpu.empty()) {
    STINT_TRY(options.memory_mib_per_gpu, base::parse_memory(flags.memory_per_gpu));
  }
  return options;
}

}  // namespace

TraceInput read_trace_file(const std::string& path, const TraceFlags& flags) {
  const auto options = options_of(flags);
  if (!options) return {std::nullopt, complain(options.error())};
  auto bytes = read_file(path);
  if (!bytes) return {std::nullopt, complain(bytes.error())};
  auto text = codec::unpack(std::move(*bytes));
  if (!text) return {std::nullopt, complain(std::move(text.error()).in(path))};
  codec::TraceResult trace = codec::read_trace(*text, path, *options);
  if (!trace) {
    print_diagnostics(trace.error());
    return {std::nullopt, kRefused};
  }
  return {std::move(*trace), kOk};
}

}  // namespace stint::app
