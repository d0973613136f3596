#include <filesystem>

#include <fmt/format.h>

#include "app/console.h"
#include "app/verbs.h"
#include "app/write_file.h"
#include "base/quote.h"
#include "sim/gen/gen_presets.h"
#include "sim/gen/gen_show.h"
#include "sim/gen/gen_write.h"

namespace stint::app {

namespace {

// What is written at once: large enough that the file system is not the brake.
constexpr std::size_t kChunk = std::size_t{1} << 20U;

// The short options are parameters like the others.
base::Result<void> apply(const GenOptions& options, sim::GenSettings& settings) {
  for (const auto& [key, value] : options.direct) {
    if (value.empty()) continue;
    if (auto done = settings.set(key, value, true); !done) return done;
  }
  for (const std::string& pair : options.set) {
    const std::size_t equals = pair.find('=');
    if (equals == std::string::npos) {
      return base::refuse(fmt::format("--set {}: want KEY=VALUE", base::quote(pair)));
    }
    auto done = settings.set(pair.substr(0, equals), pair.substr(equals + 1), true);
    if (!done) return tl::unexpected(std::move(done.error()).in("--set"));
  }
  return {};
}

// The command that gives the same files again.
std::string made_by(const GenOptions& options) {
  std::string text = fmt::format("stint gen --preset {} --seed {}", options.preset, options.seed);
  for (const auto& [key, value] : options.direct) {
    if (!value.empty()) text += fmt::format(" --{} {}", key, value);
  }
  for (const std::string& pair : options.set) text += fmt::format(" --set \"{}\"", pair);
  // A line break would end the comment that this stands in.
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  return text;
}

int write_rows(const sim::GenPlan& plan, std::uint64_t seed, PendingFile& trace) {
  const sim::GenRows rows(plan);
  sim::GenJobs jobs(plan, seed);
  std::string text = rows.header();
  while (const sim::GenJob* job = jobs.next()) {
    rows.append(*job, text);
    if (text.size() < kChunk) continue;
    if (interrupted()) return kInterrupted;
    trace.write(text);
    text.clear();
  }
  trace.write(text);
  return kOk;
}

int write_world(const GenOptions& options, const sim::GenPlan& plan) {
  const std::filesystem::path folder(options.out);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    return complain(base::Error{base::ErrorCode::Failed,
                                fmt::format("{}: cannot be made: {}", options.out, error.message()),
                                {}});
  }
  auto cluster = PendingFile::create((folder / "cluster.yaml").string());
  if (!cluster) return complain(cluster.error());
  auto trace = PendingFile::create((folder / "trace.csv").string());
  if (!trace) return complain(trace.error());
  catch_interrupts();
  if (const int code = write_rows(plan, options.seed, *trace); code != kOk) return code;
  cluster->write(sim::gen_cluster_yaml(plan, made_by(options)));
  if (auto done = trace->commit(); !done) return complain(done.error());
  if (auto done = cluster->commit(); !done) return complain(done.error());
  print(
      fmt::format("{}: {} jobs in {} days of {} teams and {} people, {} nodes, {} GPUs, load {}\n"
                  "stint sim {} --trace {}\n",
                  options.out, plan.model.jobs, base::format_decimal(plan.model.days_milli, 3),
                  plan.teams.size(), plan.users.size(), plan.model.nodes, plan.gpus,
                  base::format_decimal(plan.model.load_milli, 3),
                  (folder / "cluster.yaml").string(), (folder / "trace.csv").string()));
  return kOk;
}

}  // namespace

int run_gen(const GenOptions& options) {
  auto settings = sim::gen_settings(options.preset);
  if (!settings) {
    complain(settings.error());
    return kUsage;
  }
  if (auto done = apply(options, *settings); !done) return complain(done.error());
  const auto plan = sim::plan_gen(*settings);
  if (!plan) return complain(plan.error());
  if (options.show) {
    print(sim::show_gen(*settings, *plan));
    return kOk;
  }
  if (options.out.empty()) {
    complain("nowhere to write: give --out DIR, or --show to see the parameters");
    return kUsage;
  }
  return write_world(options, *plan);
}

}  // namespace stint::app
