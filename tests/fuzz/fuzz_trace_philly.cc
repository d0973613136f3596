// Any text is read or refused with places; what is read survives the way through the plain table.
#include <cstddef>
#include <cstdint>
#include <string>

#include "codec/trace/philly.h"
#include "fuzz_trace_check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  stint::fuzz::check_result(stint::codec::read_philly(
      text, "fuzz", {.cpu_per_gpu = 6500, .memory_mib_per_gpu = 65'536, .task_size = 8}));
  return 0;
}
