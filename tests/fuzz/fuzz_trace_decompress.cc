// Any bytes unpack to at most the cap, or are refused with a message.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/assert.h"
#include "codec/trace/decompress.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kCap = std::size_t{1} << 20U;
  const auto text = stint::codec::unpack(std::string(data, data + size), kCap);
  if (text) {
    STINT_ASSERT(text->size() <= kCap || text->size() == size);
  } else {
    STINT_ASSERT(!text.error().message.empty());
  }
  return 0;
}
