#include "app/junit.h"

#include <fmt/format.h>

namespace stint::app {

namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        // Control characters have no place in XML 1.0.
        out += static_cast<unsigned char>(c) < 0x20 && c != '\n' ? '?' : c;
    }
  }
  return out;
}

}  // namespace

std::string junit_xml(const std::vector<JunitFile>& files) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (const JunitFile& file : files) {
    const std::string name = escaped(file.path);
    const std::size_t errors = file.refused.empty() ? 0 : 1;
    text +=
        fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n", name,
                    file.passed + file.failures.size() + errors, file.failures.size(), errors);
    for (std::uint64_t i = 0; i < file.passed; ++i) {
      text += fmt::format("    <testcase classname=\"{}\" name=\"passed {}\"/>\n", name, i + 1);
    }
    for (const std::string& failure : file.failures) {
      text += fmt::format(
          "    <testcase classname=\"{}\" name=\"{}\"><failure message=\"{}\"/></testcase>\n", name,
          escaped(failure), escaped(failure));
    }
    if (errors > 0) {
      text +=
          fmt::format("    <testcase classname=\"{}\" name=\"read\"><error>{}</error></testcase>\n",
                      name, escaped(file.refused));
    }
    text += "  </testsuite>\n";
  }
  return text + "</testsuites>\n";
}

}  // namespace stint::app
