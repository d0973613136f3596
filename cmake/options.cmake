# Build options and the flags that every target of ours gets. The presets (CMakePresets.json) set them;
# a plain `cmake -S . -B build` is what packagers want: their own flags, no warnings as errors.
option(STINT_BUILD_TESTS "Build unit, scenario, property and oracle tests" OFF)
option(STINT_BUILD_FUZZERS "Build libFuzzer targets (clang only)" OFF)
option(STINT_BUILD_BENCH "Build benchmarks" OFF)
option(STINT_WERROR "Treat warnings as errors (presets switch it on)" OFF)
option(STINT_HARDEN "Fortified calls, checked containers, stack guards, PIE, full RELRO" OFF)
option(STINT_ONE_UNIT "Compile the engine as one unit, so that its functions see each other (release)" OFF)
option(STINT_PCH "Precompile the headers that most files include (dev: half the build time)" OFF)
option(STINT_ENGINE_NO_EXCEPTIONS "Compile the engine with -fno-exceptions" OFF)
set(STINT_SANITIZE "" CACHE STRING "Value of -fsanitize=, e.g. address,undefined")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

# Compile cache and fast linker, where they are installed and nobody chose otherwise.
find_program(STINT_CCACHE ccache)
if(STINT_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  # With precompiled headers ccache caches nothing unless it is told that they are all right.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${STINT_CCACHE})
endif()
include(CheckLinkerFlag)
check_linker_flag(CXX -fuse-ld=mold STINT_MOLD_WORKS)

# No path of the building machine in assertions, test messages or debug information. Directory options
# stand before those of targets, so that the more exact maps of cmake/folder.cmake win.
add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)

add_library(stint_flags INTERFACE)
target_compile_options(stint_flags INTERFACE
  -ffp-contract=off
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wold-style-cast -Wnon-virtual-dtor
  -Woverloaded-virtual -Wcast-align -Wcast-qual -Wdouble-promotion -Wformat=2 -Wundef -Wimplicit-fallthrough)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(stint_flags INTERFACE -Wduplicated-cond -Wlogical-op -Wuseless-cast)
  # Nobody replaces our functions at load time: calls inside a file may be inlined.
  target_compile_options(stint_flags INTERFACE -fno-semantic-interposition)
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # False positives of GCC 12 (bugs 105329, 105651).
    target_compile_options(stint_flags INTERFACE -Wno-error=restrict)
  endif()
endif()
if(STINT_PCH)
  target_compile_options(stint_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endif()
if(STINT_WERROR)
  target_compile_options(stint_flags INTERFACE -Werror)
endif()
if(STINT_MOLD_WORKS)
  target_link_options(stint_flags INTERFACE -fuse-ld=mold)
endif()

if(STINT_HARDEN)
  # Debian's compilers may define _FORTIFY_SOURCE themselves: undefine it first, or GCC warns.
  target_compile_options(stint_flags INTERFACE
    -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -D_GLIBCXX_ASSERTIONS -fstack-protector-strong)
  target_link_options(stint_flags INTERFACE -Wl,-z,relro -Wl,-z,now)
  include(CheckPIESupported)
  check_pie_supported(LANGUAGES CXX)
endif()
if(STINT_SANITIZE)
  target_compile_options(stint_flags INTERFACE
    -fsanitize=${STINT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(stint_flags INTERFACE -fsanitize=${STINT_SANITIZE})
endif()
