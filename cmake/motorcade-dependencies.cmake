# The libraries Motorcade uses, as the targets motorcade::dependencies and, for the studio,
# motorcade::studio_dependencies.
#
# Used twice: CMakeLists.txt builds with it, and it is installed with motorcade-config.cmake for
# programs that link the static library, which needs all of them.
#
#   motorcade_find_dependencies(STUDIO MISSING HDF5)
#
# STUDIO: whether those of the studio are needed. Sets MISSING to the names of what was not found
# ("": nothing), and HDF5 to its name in pkg-config: hdf5-serial on Debian, hdf5 elsewhere; "" where
# only CMake finds it.

find_package(PkgConfig QUIET) # its commands need its variables where they are called

# Adds a target PkgConfig::MOTORCADE_<package>, where the package is found, to a list.
macro(motorcade_find_package package list)
  if(PKG_CONFIG_EXECUTABLE)
    pkg_check_modules(MOTORCADE_${package} QUIET IMPORTED_TARGET ${package})
  endif()
  list(APPEND ${list} PkgConfig::MOTORCADE_${package})
endmacro()

# Makes a target that links all of a list, or adds the names of those that do not exist to `lost`.
macro(motorcade_gather target list)
  set(found ON)
  foreach(library IN LISTS ${list})
    if(library MATCHES "NOTFOUND$|::" AND NOT TARGET ${library})
      string(REGEX REPLACE "^(PkgConfig::MOTORCADE_|hdf5::|MOTORCADE_)|_LIBRARY-NOTFOUND$" ""
                           name ${library})
      list(APPEND lost ${name})
      set(found OFF)
    endif()
  endforeach()
  if(found AND NOT TARGET ${target})
    add_library(${target} INTERFACE IMPORTED)
    target_link_libraries(${target} INTERFACE ${${list}})
  endif()
endmacro()

function(motorcade_find_dependencies studio missing hdf5)
  set(lost "")
  find_package(Threads QUIET)
  find_package(SUNDIALS QUIET COMPONENTS cvode)
  find_library(MOTORCADE_AMD_LIBRARY amd)
  mark_as_advanced(MOTORCADE_AMD_LIBRARY)
  set(libraries SUNDIALS::cvode ${MOTORCADE_AMD_LIBRARY} Threads::Threads ${CMAKE_DL_LIBS} m)
  foreach(package libfyaml lapack sleef zlib librsvg-2.0 pangocairo expat kissfft-float)
    motorcade_find_package(${package} libraries)
  endforeach()

  set(hdf5_name "")
  foreach(package hdf5-serial hdf5)
    if(NOT hdf5_name)
      set(hdf5_library "")
      motorcade_find_package(${package} hdf5_library)
      if(TARGET ${hdf5_library})
        set(hdf5_name ${package})
      endif()
    endif()
  endforeach()
  if(NOT hdf5_name)
    find_package(HDF5 QUIET COMPONENTS C)
    set(hdf5_library hdf5::hdf5)
  endif()
  list(APPEND libraries ${hdf5_library})
  motorcade_gather(motorcade::dependencies libraries)

  set(studio_libraries "")
  if(studio)
    foreach(package libwebsockets jansson)
      motorcade_find_package(${package} studio_libraries)
    endforeach()
  endif()
  motorcade_gather(motorcade::studio_dependencies studio_libraries)

  list(JOIN lost ", " lost)
  set(${missing} "${lost}" PARENT_SCOPE)
  set(${hdf5} "${hdf5_name}" PARENT_SCOPE)
endfunction()
