// Any text as a number, amount or duration: what is taken is written back and read as the same.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/amount.h"
#include "base/assert.h"
#include "base/time.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto count = stint::base::parse_count(text)) {
    STINT_ASSERT(*count >= 0 && *count <= stint::base::kAmountMax);
    STINT_ASSERT(stint::base::parse_count(stint::base::format_count(*count)) == *count);
  }
  if (const auto memory = stint::base::parse_memory(text)) {
    STINT_ASSERT(*memory >= 0 && *memory <= stint::base::kAmountMax);
    STINT_ASSERT(stint::base::parse_memory(stint::base::format_memory(*memory)) == *memory);
  }
  if (const auto span = stint::base::parse_duration(text)) {
    STINT_ASSERT(*span >= 0 && *span <= stint::base::kSpanMax);
    STINT_ASSERT(stint::base::parse_duration(stint::base::format_duration(*span)) == *span);
  }
  for (int decimals = 0; decimals <= 6; ++decimals) {
    const auto number = stint::base::parse_decimal(text, decimals, stint::base::kAmountMax);
    if (!number) continue;
    const auto again = stint::base::parse_decimal(stint::base::format_decimal(*number, decimals),
                                                  decimals, stint::base::kAmountMax);
    STINT_ASSERT(again == *number);
  }
  return 0;
}
