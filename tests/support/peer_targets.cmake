# Trees of rigid bodies, and other multibody programs as libraries peer_mujoco and peer_simbody, for
# tests and benchmarks.
#
# Sets MOTORCADE_PEERS to whether the programs are installed. C++ is enabled only for them. Their
# headers are system headers, and C++ files get our warnings except those that only apply to C.
if(NOT TARGET test_tree)
  add_library(test_tree STATIC ${CMAKE_CURRENT_LIST_DIR}/tree.c
              ${CMAKE_CURRENT_LIST_DIR}/closed.c ${CMAKE_CURRENT_LIST_DIR}/closed_model.c)
  motorcade_use(test_tree)
  target_include_directories(test_tree PUBLIC ${CMAKE_SOURCE_DIR}/tests)
  target_link_libraries(test_tree PUBLIC motorcade_internal)
endif()

include(CheckLanguage)
check_language(CXX)
find_path(MUJOCO_INCLUDE mujoco/mujoco.h)
find_library(MUJOCO_LIBRARY mujoco)
mark_as_advanced(MUJOCO_INCLUDE MUJOCO_LIBRARY)
pkg_check_modules(SIMBODY QUIET simbody)

set(MOTORCADE_PEERS OFF)
if(MOTORCADE_SANITIZE MATCHES "thread")
  message(STATUS "peers: not under ThreadSanitizer, which cannot see into them")
elseif(CMAKE_CXX_COMPILER AND MUJOCO_INCLUDE AND MUJOCO_LIBRARY AND SIMBODY_FOUND)
  set(MOTORCADE_PEERS ON)
  enable_language(CXX)
  # No NDEBUG: Debian builds Simbody without it, and one of Simbody's structs is smaller with it.
  set(CMAKE_CXX_FLAGS_RELEASE "-O2")
else()
  message(STATUS "peers: no C++, MuJoCo or Simbody here: nothing is compared with them")
endif()

# motorcade_peer(NAME SOURCE INCLUDES LIBRARIES [DEFINITIONS])
function(motorcade_peer name source includes libraries)
  if(TARGET ${name})
    return()
  endif()
  add_library(${name} STATIC ${source})
  if(source MATCHES "[.]cpp$")
    get_target_property(options ${name} COMPILE_OPTIONS)
    list(FILTER options EXCLUDE REGEX
         "^-W(pedantic|conversion|strict-prototypes|missing-prototypes)$")
    set_target_properties(${name} PROPERTIES COMPILE_OPTIONS "${options}" CXX_STANDARD 17)
  endif()
  target_include_directories(${name} SYSTEM PRIVATE ${includes})
  target_compile_definitions(${name} PRIVATE ${ARGN})
  target_link_libraries(${name} PRIVATE ${libraries} PUBLIC test_tree)
endfunction()

if(MOTORCADE_PEERS)
  motorcade_peer(peer_mujoco ${CMAKE_CURRENT_LIST_DIR}/peer_mujoco.c "${MUJOCO_INCLUDE}"
                 "${MUJOCO_LIBRARY}")
  motorcade_peer(peer_simbody ${CMAKE_CURRENT_LIST_DIR}/peer_simbody.cpp
                 "${SIMBODY_INCLUDE_DIRS}" "${SIMBODY_LINK_LIBRARIES}")
endif()
