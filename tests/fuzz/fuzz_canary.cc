// A target that must crash: if the fuzzer does not find these four bytes within seconds, the
// harness is blind.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 4 && data[0] == 's' && data[1] == 't' && data[2] == 'n' && data[3] == 't')
    std::abort();
  return 0;
}
