// Any text as a host list: names that are all different and legal, or an error that names the list.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>

#include "base/assert.h"
#include "base/hostlist.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto names = stint::base::expand_host_list(text);
  if (!names) {
    STINT_ASSERT(names.error().message.find("host list") != std::string::npos);
    return 0;
  }
  STINT_ASSERT(!names->empty() && names->size() <= stint::base::kHostListMax);
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : *names) {
    STINT_ASSERT(!name.empty() && name.size() <= stint::base::kHostNameMax);
    STINT_ASSERT(name.find_first_of(" \t\n[],") == std::string::npos);
    STINT_ASSERT(seen.insert(name).second);
  }
  return 0;
}
