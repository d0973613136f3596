# A folder of src/ is a target; what it may include is what it is linked to.
#
# Includes are written from src/ (`#include "base/result.h"`), so a plain -I src would show every folder
# to every other. Instead each folder has an include root of its own in the build tree, which holds one
# symbolic link, and passes it on to the targets that use it: a forbidden include does not compile.
# tools/tidy.py checks the same table by reading, and what a compiler cannot see (system headers).

# Creates the include root of src/NAME and adds it to TARGET for itself and its users.
function(stint_include_root target name)
  set(root ${PROJECT_BINARY_DIR}/layers/${name})
  file(MAKE_DIRECTORY ${root})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/src/${name} ${root}/${name} SYMBOLIC)
  target_include_directories(${target} PUBLIC ${root})
  # Messages say src/…, whatever the build folder is called.
  target_compile_options(${target} PUBLIC -ffile-prefix-map=${root}/=src/)
endfunction()

# stint_folder(NAME USES … PRIVATE_USES …): the library of src/NAME, all its .cc files but the tests.
function(stint_folder name)
  cmake_parse_arguments(ARG "" "" "USES;PRIVATE_USES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cc)
  list(FILTER sources EXCLUDE REGEX "_(test|bench)\\.cc$")
  add_library(stint_${name} STATIC ${sources})
  stint_include_root(stint_${name} ${name})
  target_link_libraries(stint_${name} PUBLIC ${ARG_USES} PRIVATE stint_flags ${ARG_PRIVATE_USES})
  stint_precompile_library(stint_${name})
endfunction()

# stint_app(NAME USES … PRIVATE_USES …): the program of src/app. All but main.cc is the library
# stint_app, so that tests can link it.
function(stint_app name)
  cmake_parse_arguments(ARG "" "" "USES;PRIVATE_USES" ${ARGN})
  stint_folder(app USES ${ARG_USES} PRIVATE_USES ${ARG_PRIVATE_USES})
  get_target_property(sources stint_app SOURCES)
  list(FILTER sources EXCLUDE REGEX "/main\\.cc$")
  set_target_properties(stint_app PROPERTIES SOURCES "${sources}")
  add_executable(${name} ${PROJECT_SOURCE_DIR}/src/app/main.cc)
  target_link_libraries(${name} PRIVATE stint_app stint_flags ${ARG_PRIVATE_USES})
endfunction()
