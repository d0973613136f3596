# All tests and their tiers (ctest labels): quick with each build, full before a change is sent.
#
#   src/FOLDER/**/NAME_test.cc     unit tests beside the code       FOLDER_test     quick
#   tests/scenarios/FOLDER/        policy tests, `stint test`       scenarios/…     quick
#   tests/cli/NAME.{sh,py}         the program from outside         cli/NAME        quick
#   tests/cli/NAME_test.cc         the same in C++                  cli_test        quick
#   include/stint/*.h              each compiles alone              (part of the build)
#   tools/tidy.py                  style and layering               tidy            quick
#   tests/property/*.cc            random worlds                    property_test   full
#   tests/differential/*.cc        engine against the reference     differential_test  full
#   tests/oracle/*.cc              numbers that must come out       oracle_test     full
#   bench/limits.json              counters of fixed workloads      bench/gates     full
#   tests/fuzz/fuzz_NAME.cc        see tests/fuzz/CMakeLists.txt    fuzz/NAME       fuzz
#
# Tests that read the shared traces look in $STINT_SHARED, else beside the clone in ../shared, and are skipped by
# name where neither exists.
find_package(GTest REQUIRED)
include(GoogleTest)

set(STINT_RC_PARAMS "seed=1 max_success=1000" CACHE STRING
  "Seed and number of random worlds of the property tests, as rapidcheck's RC_PARAMS")

# stint_test_program(NAME LABEL … SECONDS … PREFIX … SOURCES … USES … ENVIRONMENT …): a GoogleTest program, one
# ctest case per TEST, named PREFIX/Suite.Name. Without sources there is no program.
function(stint_test_program name)
  cmake_parse_arguments(ARG "" "LABEL;SECONDS;PREFIX" "SOURCES;USES;ENVIRONMENT" ${ARGN})
  if(NOT ARG_SOURCES)
    return()
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_compile_definitions(${name} PRIVATE STINT_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE ${ARG_USES} stint_flags GTest::gmock GTest::gtest_main)
  stint_precompile_test(${name})
  set(properties LABELS ${ARG_LABEL} TIMEOUT ${ARG_SECONDS})
  if(ARG_ENVIRONMENT)
    list(APPEND properties ENVIRONMENT "${ARG_ENVIRONMENT}")
  endif()
  gtest_discover_tests(${name} TEST_PREFIX "${ARG_PREFIX}/" DISCOVERY_MODE PRE_TEST
    PROPERTIES ${properties})
endfunction()

# Unit tests of one folder see what the folder sees.
function(stint_folder_tests folder)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${folder}/*_test.cc)
  stint_test_program(${folder}_test LABEL quick SECONDS 60 PREFIX ${folder}
    SOURCES ${sources} USES stint_${folder} ${ARGN})
endfunction()
stint_folder_tests(base)
stint_folder_tests(model)
stint_folder_tests(engine)
stint_folder_tests(codec)
stint_folder_tests(sim)
stint_folder_tests(app)

file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/property/*.cc)
if(sources)
  find_package(rapidcheck REQUIRED)
  stint_test_program(property_test LABEL full SECONDS 900 PREFIX property
    SOURCES ${sources} USES stint_sim rapidcheck rapidcheck_gtest ENVIRONMENT "RC_PARAMS=${STINT_RC_PARAMS}")
endif()

# It takes its worlds from the property tests.
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/differential/*.cc)
if(sources)
  list(APPEND sources ${PROJECT_SOURCE_DIR}/tests/property/world.cc ${PROJECT_SOURCE_DIR}/tests/property/world_text.cc)
  stint_test_program(differential_test LABEL full SECONDS 900 PREFIX differential
    SOURCES ${sources} USES stint_sim rapidcheck)
  target_include_directories(differential_test PRIVATE ${PROJECT_SOURCE_DIR}/tests/property)
endif()

file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/oracle/*.cc)
stint_test_program(oracle_test LABEL full SECONDS 900 PREFIX oracle
  SOURCES ${sources} USES stint_sim ZLIB::ZLIB)

# Scenarios: one case per folder. Files that wait for a later part of the product stand in waiting.txt as
# `FOLDER/FILE.yaml  reason`; a line that names no file is an error, so the list cannot rot.
set(scenarios ${PROJECT_SOURCE_DIR}/tests/scenarios)
set(waiting)
if(EXISTS ${scenarios}/waiting.txt)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${scenarios}/waiting.txt)
  file(STRINGS ${scenarios}/waiting.txt lines REGEX "^[^#]")
  foreach(line IN LISTS lines)
    if(NOT line MATCHES "^([^ ]+\\.yaml) +([^ ].*)$" OR NOT EXISTS ${scenarios}/${CMAKE_MATCH_1})
      message(FATAL_ERROR "tests/scenarios/waiting.txt: want `FOLDER/FILE.yaml  reason` of an existing file: ${line}")
    endif()
    list(APPEND waiting ${scenarios}/${CMAKE_MATCH_1})
  endforeach()
endif()
file(GLOB folders CONFIGURE_DEPENDS LIST_DIRECTORIES true ${scenarios}/*)
foreach(folder IN LISTS folders)
  cmake_path(GET folder FILENAME name)
  if(NOT IS_DIRECTORY ${folder} OR name STREQUAL "refused")
    continue()  # Files that must be refused: tests/cli/refused.py.
  endif()
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${folder}/*.yaml)
  if(waiting)
    list(REMOVE_ITEM files ${waiting})
  endif()
  if(files)
    add_test(NAME scenarios/${name} COMMAND stint test ${files})
    set_tests_properties(scenarios/${name} PROPERTIES LABELS quick TIMEOUT 300)
  endif()
endforeach()

# The program from outside. Scripts get $STINT, $STINT_SOURCE_DIR and an empty folder of their own to stand in.
find_program(STINT_PYTHON python3 REQUIRED)
file(GLOB scripts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/cli/*.sh ${PROJECT_SOURCE_DIR}/tests/cli/*.py)
foreach(script IN LISTS scripts)
  cmake_path(GET script STEM name)
  cmake_path(GET script EXTENSION extension)
  set(shell bash)
  if(extension STREQUAL ".py")
    set(shell ${STINT_PYTHON})
  endif()
  set(folder ${PROJECT_BINARY_DIR}/tests/cli/${name})
  add_test(NAME cli/${name} COMMAND ${CMAKE_COMMAND} -E env STINT=$<TARGET_FILE:stint>
    STINT_SOURCE_DIR=${PROJECT_SOURCE_DIR} bash -c "rm -rf \"$1\" && mkdir -p \"$1\" && cd \"$1\" && \"$2\" \"$3\"" cli
    ${folder} ${shell} ${script})
  set_tests_properties(cli/${name} PROPERTIES LABELS quick TIMEOUT 120 SKIP_RETURN_CODE 77)
endforeach()
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/cli/*_test.cc)
stint_test_program(cli_test LABEL quick SECONDS 120 PREFIX cli SOURCES ${sources} USES stint_app)
if(TARGET cli_test)
  target_compile_definitions(cli_test PRIVATE STINT_BINARY="$<TARGET_FILE:stint>")
  add_dependencies(cli_test stint)
endif()

# Public headers: each compiles alone, with nothing but include/ to see.
file(GLOB headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/include/stint/*.h)
foreach(header IN LISTS headers)
  string(MAKE_C_IDENTIFIER ${header} name)
  set(source ${PROJECT_BINARY_DIR}/headers_alone/${name}.cc)
  file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${header}\"\n")
  list(APPEND alone ${source})
endforeach()
if(alone)
  add_library(headers_alone OBJECT ${alone})
  target_include_directories(headers_alone PRIVATE ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(headers_alone PRIVATE stint_flags tl::expected fmt::fmt)
endif()

# Work that fixed workloads may cost, by counters that are the same on every machine.
add_test(NAME bench/gates
  COMMAND ${STINT_PYTHON} ${PROJECT_SOURCE_DIR}/tools/bench.py --program $<TARGET_FILE:stint_bench> --gates)
set_tests_properties(bench/gates PROPERTIES LABELS full TIMEOUT 120)

# Style, layering and form, and the proof that each of these checks can fail.
add_test(NAME tidy COMMAND ${STINT_PYTHON} ${PROJECT_SOURCE_DIR}/tools/tidy.py)
add_test(NAME tidy/self-test COMMAND ${STINT_PYTHON} ${PROJECT_SOURCE_DIR}/tools/tidy.py --self-test)
set_tests_properties(tidy tidy/self-test PROPERTIES LABELS quick TIMEOUT 60)
