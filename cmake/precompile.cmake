# Precompiled headers, for the presets that are built every day (STINT_PCH). The others go without, so a file that
# forgets an include of its own is found there.
#
# Libraries are compiled as -fPIC, programs as -fPIE, and a precompiled header serves only one kind.
function(stint_precompile_library target)
  if(NOT STINT_PCH)
    return()
  endif()
  if(NOT TARGET stint_pch)
    add_library(stint_pch STATIC ${PROJECT_SOURCE_DIR}/cmake/empty.cc)
    target_link_libraries(stint_pch PRIVATE stint_flags fmt::fmt tl::expected)
    target_precompile_headers(stint_pch PRIVATE <algorithm> <array> <cstdint> <functional> <map> <memory> <optional>
      <set> <span> <string> <string_view> <utility> <vector> <fmt/format.h> <tl/expected.hpp>)
  endif()
  target_precompile_headers(${target} REUSE_FROM stint_pch)
endfunction()

# The same for a GoogleTest program.
function(stint_precompile_test target)
  if(NOT STINT_PCH)
    return()
  endif()
  if(NOT TARGET stint_test_pch)
    add_executable(stint_test_pch ${PROJECT_SOURCE_DIR}/cmake/empty.cc)
    target_link_libraries(stint_test_pch PRIVATE stint_flags fmt::fmt tl::expected GTest::gmock GTest::gtest_main)
    target_precompile_headers(stint_test_pch PRIVATE <algorithm> <array> <cstdint> <filesystem> <fstream> <map> <memory>
      <optional> <span> <string> <string_view> <utility> <vector> <fmt/format.h> <tl/expected.hpp> <gmock/gmock.h>
      <gtest/gtest.h>)
  endif()
  target_precompile_headers(${target} REUSE_FROM stint_test_pch)
endfunction()
