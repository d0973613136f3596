// The policy tests of the project's shared folder and our own: who must be refused is, where and
// how its head says; all others are read, or name what this version does not do yet.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "codec/scenario/scenario.h"

namespace stint::codec {
namespace {

namespace fs = std::filesystem;

#ifdef STINT_SOURCE_DIR
const char* const kSourceDir = STINT_SOURCE_DIR;
#else
const char* const kSourceDir = ".";
#endif

// `scenarios` of the shared folder (absent on a bare clone) and of ours, those that exist.
std::vector<fs::path> scenario_folders() {
  const char* shared = std::getenv("STINT_SHARED");
  const fs::path source = kSourceDir;
  std::vector<fs::path> folders;
  for (const fs::path& folder :
       {shared != nullptr ? fs::path(shared) / "scenarios" : source / "../shared/scenarios",
        source / "tests/scenarios"}) {
    if (fs::is_directory(folder)) folders.push_back(folder);
  }
  return folders;
}

std::vector<fs::path> yaml_files(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::is_directory(folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// One `# refused: LINE:COL words` line.
struct Demand {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::vector<std::string> words;
};

std::vector<Demand> demands_of(const std::string& text) {
  std::vector<Demand> demands;
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line) && line.starts_with("# refused: ")) {
    std::istringstream words(line.substr(11));
    Demand demand;
    char colon = 0;
    words >> demand.line >> colon >> demand.column;
    for (std::string word; words >> word;) demand.words.push_back(word);
    demands.push_back(demand);
  }
  return demands;
}

bool answers(const Diagnostic& d, const Demand& demand) {
  if (d.severity != Severity::Error || d.line != demand.line || d.column != demand.column)
    return false;
  return std::all_of(demand.words.begin(), demand.words.end(), [&](const std::string& word) {
    return d.message.find(word) != std::string::npos;
  });
}

TEST(SharedScenarios, EveryRefusedFileIsRefusedWhereAndHowItsHeadSays) {
  const auto folders = scenario_folders();
  if (folders.empty()) GTEST_SKIP() << "no scenario folder here (set STINT_SHARED)";
  for (const fs::path& folder : folders) {
    for (const fs::path& path : yaml_files(folder / "refused")) {
      const std::string text = text_of(path);
      const auto result = read_scenario({path.filename().string(), text}, nullptr);
      EXPECT_FALSE(result.ok()) << path;
      const auto demands = demands_of(text);
      EXPECT_FALSE(demands.empty()) << path;
      for (const Demand& demand : demands) {
        const bool is_met = std::any_of(result.diagnostics.begin(), result.diagnostics.end(),
                                        [&](const Diagnostic& d) { return answers(d, demand); });
        EXPECT_TRUE(is_met) << path << " " << demand.line << ":" << demand.column;
      }
      const auto is_error = [](const Diagnostic& d) { return d.severity == Severity::Error; };
      EXPECT_EQ(static_cast<std::size_t>(
                    std::count_if(result.diagnostics.begin(), result.diagnostics.end(), is_error)),
                demands.size())
          << path << ": an error that nobody asked for";
    }
  }
}

TEST(SharedScenarios, AllOthersAreReadOrNameWhatIsNotAvailable) {
  const auto folders = scenario_folders();
  if (folders.empty()) GTEST_SKIP() << "no scenario folder here (set STINT_SHARED)";
  std::string waiting;
  for (const fs::path& folder : folders) {
    for (const fs::path& path : yaml_files(folder)) {
      if (path.parent_path().filename() == "refused") continue;
      const auto result = read_scenario({path.filename().string(), text_of(path)}, nullptr);
      if (result.ok()) continue;
      for (const Diagnostic& d : result.diagnostics) {
        if (d.severity == Severity::Lint) continue;
        EXPECT_NE(d.message.find("is not available in this version"), std::string::npos)
            << path << to_string(d);
        waiting += fmt::format("{}\n", to_string(d));
      }
    }
  }
  if (!waiting.empty()) GTEST_LOG_(INFO) << "files that wait for later versions:\n" << waiting;
}

}  // namespace
}  // namespace stint::codec
