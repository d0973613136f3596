// The only file that sees CLI11.
#include "app/cli.h"

#include <algorithm>
#include <array>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/console.h"
#include "app/reference.h"
#include "app/verbs.h"
#include "base/quote.h"
#include "base/suggest.h"
#include "sim/gen/gen_presets.h"

namespace stint::app {

namespace {

constexpr const char* kVersion = "stint 0.1.0";

void add_trace_flags(CLI::App& verb, TraceFlags& flags) {
  verb.add_option("--format", flags.format,
                  "Format of the trace; recognised by its content if not given")
      ->check(CLI::IsMember({"csv", "swf", "philly"}));
  verb.add_option("--limits", flags.limits,
                  "Time limits of the jobs: the file's, exactly the run time, or none")
      ->check(CLI::IsMember({"file", "run", "none"}))
      ->capture_default_str();
  verb.add_option("--as", flags.as, "SWF: what a processor is")
      ->check(CLI::IsMember({"cpu", "gpu"}))
      ->capture_default_str();
  verb.add_option(
          "--task-size", flags.task_size,
          "SWF, Philly: split a job into tasks of at most N processors or GPUs; 0 = one task")
      ->capture_default_str();
  verb.add_option("--cpu-per-gpu", flags.cpu_per_gpu,
                  "Philly: CPUs that come with each GPU, e.g. 4");
  verb.add_option("--memory-per-gpu", flags.memory_per_gpu,
                  "Philly: memory that comes with each GPU, e.g. 32Gi");
}

void add_test(CLI::App& app, TestOptions& options) {
  CLI::App* verb = app.add_subcommand("test", "Run scenario files and judge their expectations");
  verb->add_option("PATH", options.paths, "Scenario files, or folders searched for *.yaml")
      ->required();
  verb->add_option("--junit", options.junit, "Also write the results as JUnit XML to this file");
  verb->add_flag("--digest", options.digest, "Print the digest of all decisions of each file");
  verb->footer(
      "Prints a line per expectation that fails, then `N passed, N failed`.\n"
      "Exit code: 0 all passed, 1 some failed, 2 a file was refused.\n\n"
      "Example: stint test tests/scenarios/1-turn");
}

void add_check(CLI::App& app, CheckOptions& options) {
  CLI::App* verb =
      app.add_subcommand("check", "Check configuration or scenario files, all errors at once");
  verb->add_option("FILE", options.files, "A scenario, or configuration files merged left to right")
      ->required();
  verb->add_flag("--strict", options.strict, "Warnings count as failure (exit code 1)");
  verb->footer(
      "Exit code: 0 ok, 1 warnings under --strict, 2 refused.\n\n"
      "Example: stint check examples/research/cluster.yaml");
}

void add_sim(CLI::App& app, SimOptions& options) {
  CLI::App* verb = app.add_subcommand("sim", "Simulate a trace, or the jobs of a scenario");
  verb->add_option("CONFIG", options.files,
                   "Configuration files merged left to right, or one scenario")
      ->required();
  // One value each time, or the files of CONFIG that follow would be taken for traces.
  verb->add_option("--trace", options.traces,
                   "Trace to run: csv, SWF or Philly, also .gz and .zst; given several times, each "
                   "is run and the numbers are averaged")
      ->allow_extra_args(false);
  add_trace_flags(*verb, options.flags);
  verb->add_option("--queue-map", options.queue_map,
                   "File of `FROM TO` lines: queues of the trace to queues here");
  verb->add_flag("--auto-queues", options.auto_queues,
                 "Add queues that the tree lacks: flat, weight 1");
  verb->add_option("--until", options.until,
                   "Stop at this time, e.g. 14d; without it, run to the end");
  verb->add_option("--warmup", options.warmup,
                   "Do not count this span after the first submission, nor jobs submitted in it")
      ->capture_default_str();
  verb->add_option("--out", options.out,
                   "Write jobs.csv, timeline.csv and metrics.json to this folder; with several "
                   "traces to 1, 2, … in it");
  verb->add_option("--record", options.record,
                   "Write journal and snapshots to this new folder, as a live store would; with "
                   "several traces to 1, 2, … in it");
  verb->add_option("--sample", options.sample, "Distance of the rows of timeline.csv")
      ->capture_default_str();
  verb->add_option("-o,--output", options.output, "What to print")
      ->check(CLI::IsMember({"table", "json"}))
      ->capture_default_str();
  verb->footer(
      "Examples: stint sim examples/research/cluster.yaml --trace examples/research/trace.csv.gz\n"
      "          stint sim cluster.yaml --trace log.swf.gz --auto-queues --out result");
}

void add_drf(CLI::App& app, DrfOptions& options) {
  CLI::App* verb = app.add_subcommand("drf", "Work out dominant resource fairness step by step");
  verb->add_option("FILE", options.file,
                   "YAML: capacity, and users with demand, weight, tasks, last_served")
      ->required();
  verb->add_option("--ties", options.ties,
                   "Who goes first on a tie. `name` and `count` show well-known faults beside the "
                   "right answer")
      ->check(CLI::IsMember({"name", "count", "last-served"}))
      ->capture_default_str();
  verb->add_option("-o,--output", options.output, "What to print")
      ->check(CLI::IsMember({"table", "json"}))
      ->capture_default_str();
  verb->footer("Example: stint drf examples/drf/two-users.yaml --ties name");
}

void add_import(CLI::App& app, ImportOptions& options) {
  CLI::App* verb = app.add_subcommand("import", "Convert a trace to the plain csv table");
  verb->add_option("TRACE", options.file, "Trace to read: SWF, Philly or csv, also .gz and .zst")
      ->required();
  add_trace_flags(*verb, options.flags);
  verb->add_option("--out", options.out,
                   "File to write; without it the table goes to standard output");
  verb->footer(
      "What was read and rejected, by kind, goes to standard error.\n\n"
      "Example: stint import philly.csv --out trace.csv");
}

void add_gen(CLI::App& app, GenOptions& options) {
  CLI::App* verb = app.add_subcommand("gen", "Invent a cluster and a workload like a known one");
  std::vector<std::string_view> presets;
  for (const sim::GenPreset& preset : sim::gen_presets()) presets.push_back(preset.name);
  verb->add_option("--preset", options.preset,
                   fmt::format("What to imitate: {}", fmt::join(presets, ", ")))
      ->required();
  verb->add_option("--seed", options.seed, "The same seed gives the same bytes everywhere")
      ->capture_default_str();
  verb->add_option("--out", options.out, "Folder for cluster.yaml and trace.csv");
  constexpr std::array kMeanings{"Rows of the trace", "Days that the submissions span",
                                 "Nodes of the cluster",
                                 "GPU time asked for, as a share of the cluster's, e.g. 0.9"};
  for (std::size_t i = 0; i < kMeanings.size(); ++i) {
    auto& [key, value] = options.direct[i];
    verb->add_option("--" + key, value, kMeanings[i]);
  }
  verb->add_option("--set", options.set, "KEY=VALUE: change a parameter; may be repeated")
      ->allow_extra_args(false);
  verb->add_flag("--show", options.show, "Print all parameters and their values, write nothing");
  verb->footer(
      "Of jobs, days, nodes and stretch one follows from the others and the load.\n\n"
      "Examples: stint gen --preset philly --seed 7 --out world\n"
      "          stint gen --preset year --jobs 100000 --nodes 1250 --out small\n"
      "          stint gen --preset helios --set sweep_share=0.2 --set \"gangs=1:50 8:50\" --show");
}

void add_reference(CLI::App& app, ReferenceOptions& options) {
  CLI::App* verb = app.add_subcommand(
      "reference", "Print a page of the reference from the program's own tables");
  verb->add_option("PAGE", options.page, "Which page")
      ->required()
      ->check(CLI::IsMember({"cli", "config", "config-schema", "scenario-schema", "gen"}));
}

std::string option_name(const CLI::Option& option) {
  return option.get_positional() ? option.get_name() : option.get_name(false, true);
}

// docs/reference/cli.md, from the same declarations as `--help`.
std::string cli_page(const CLI::App& app) {
  std::string page = "# Command line\n\n<!-- generated by `stint reference cli` -->\n\n";
  page += fmt::format("{}\n", app.get_description());
  for (const CLI::App* verb : app.get_subcommands({})) {
    page += fmt::format("\n## stint {}\n\n{}.\n\n", verb->get_name(), verb->get_description());
    page += "| argument | meaning | default |\n|---|---|---|\n";
    for (const CLI::Option* option : verb->get_options()) {
      if (option->get_name() == "--help") continue;
      page += fmt::format(
          "| `{}` | {} | {} |\n", option_name(*option), option->get_description(),
          option->get_default_str().empty() ? "" : fmt::format("`{}`", option->get_default_str()));
    }
    if (!verb->get_footer().empty())
      page += fmt::format("\n```text\n{}\n```\n", verb->get_footer());
  }
  page += "\nExit codes: 0 ok, 1 failed or \"no\", 2 refused input, 64 usage, 130 interrupted.\n";
  return page;
}

// A verb that does not exist is named before anything else is complained about.
bool knows_verb(const CLI::App& app, const char* word) {
  if (word[0] == '-') return true;
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands({})) verbs.push_back(verb->get_name());
  if (std::find(verbs.begin(), verbs.end(), word) != verbs.end()) return true;
  const auto near = base::did_you_mean(word, verbs);
  complain(near ? fmt::format("unknown verb {}, did you mean {}?", base::quote(word), *near)
                : fmt::format("unknown verb {}; there are {}", base::quote(word),
                              fmt::join(verbs, ", ")));
  return false;
}

int usage(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) return app.exit(error);
  complain(error.what());
  complain("`stint --help` lists the verbs, `stint VERB --help` their options");
  return kUsage;
}

}  // namespace

int run_command_line(int argc, char** argv) {
  CLI::App app{
      "Stint decides whose job runs next on a shared GPU cluster, and proves that it follows the "
      "policy"};
  app.name("stint");
  app.require_subcommand(1);
  app.set_version_flag("--version", kVersion);
  app.failure_message(CLI::FailureMessage::simple);
  TestOptions test;
  CheckOptions check;
  SimOptions sim;
  DrfOptions drf;
  ImportOptions import;
  GenOptions gen;
  ReferenceOptions reference;
  add_test(app, test);
  add_check(app, check);
  add_sim(app, sim);
  add_drf(app, drf);
  add_import(app, import);
  add_gen(app, gen);
  add_reference(app, reference);
  if (argc > 1 && !knows_verb(app, argv[1])) return kUsage;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return usage(app, error);
  }
  if (app.got_subcommand("test")) return run_test(test);
  if (app.got_subcommand("check")) return run_check(check);
  if (app.got_subcommand("sim")) return run_sim(sim);
  if (app.got_subcommand("drf")) return run_drf(drf);
  if (app.got_subcommand("import")) return run_import(import);
  if (app.got_subcommand("gen")) return run_gen(gen);
  if (reference.page == "cli") {
    print(cli_page(app));
    return kOk;
  }
  return print_reference(reference.page);
}

}  // namespace stint::app
