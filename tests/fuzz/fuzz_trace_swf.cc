// Any text is read or refused with places; what is read survives the way through the plain table.
#include <cstddef>
#include <cstdint>
#include <string>

#include "codec/trace/swf.h"
#include "fuzz_trace_check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  stint::fuzz::check_result(stint::codec::read_swf(text, "fuzz"));
  stint::fuzz::check_result(stint::codec::read_swf(text, "fuzz", {.task_size = 8}));
  return 0;
}
