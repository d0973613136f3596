// Test results in the JUnit XML form that CI systems read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stint::app {

struct JunitFile {
  std::string path;
  std::uint64_t passed = 0;
  std::vector<std::string> failures;
  std::string refused;  // why the file was refused; empty if it was not
};

[[nodiscard]] std::string junit_xml(const std::vector<JunitFile>& files);

}  // namespace stint::app
