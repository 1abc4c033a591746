# motorcade_fmu.so: the binary inside every unit that `motorcade fmu` writes (docs/fmu.md).
#
# It holds what a run needs of the library, and of the libraries below it their static versions, so
# that a unit needs nothing but libc and libm where it runs. SLEEF has no static version on Debian:
# a unit carries libsleef.so.3 beside its binary, where $ORIGIN finds it.

set(fmu_archives "")
set(fmu_missing "")
foreach(name fyaml lapack_pic blas amd suitesparseconfig sundials_cvode sundials_nvecserial
             sundials_generic expat z)
  find_library(MOTORCADE_FMU_${name} lib${name}.a)
  mark_as_advanced(MOTORCADE_FMU_${name})
  list(APPEND fmu_archives ${MOTORCADE_FMU_${name}})
  if(NOT MOTORCADE_FMU_${name})
    list(APPEND fmu_missing lib${name}.a)
  endif()
endforeach()
if(fmu_missing)
  message(STATUS "motorcade fmu will not be able to write units: no ${fmu_missing}")
  return()
endif()

file(GLOB fmi_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/fmi/*.c)
add_library(motorcade_fmu MODULE ${fmi_sources})
motorcade_use(motorcade_fmu)
set_target_properties(motorcade_fmu PROPERTIES PREFIX "" C_VISIBILITY_PRESET hidden
                      LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}
                      BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "\$ORIGIN")
target_compile_options(motorcade_fmu PRIVATE ${no_locale})
# A thin archive: the linker's map then names the files by their folders.
set(fmu_parts ${CMAKE_BINARY_DIR}/fmu_parts.a)
add_custom_command(OUTPUT ${fmu_parts}
                   COMMAND ${CMAKE_COMMAND} -E rm -f ${fmu_parts}
                   COMMAND ${CMAKE_AR} rcsT ${fmu_parts} ${library_objects}
                   DEPENDS ${library_objects} COMMAND_EXPAND_LISTS VERBATIM)
add_custom_target(fmu_parts DEPENDS ${fmu_parts})
target_link_libraries(motorcade_fmu PRIVATE ${fmu_parts} ${fmu_archives}
                                            PkgConfig::MOTORCADE_sleef Threads::Threads m)
add_dependencies(motorcade_fmu fmu_parts)
set_target_properties(motorcade_fmu PROPERTIES LINK_DEPENDS ${fmu_parts})
target_link_options(motorcade_fmu PRIVATE -Wl,--gc-sections -Wl,--exclude-libs,ALL
                    -Wl,--no-undefined -Wl,--as-needed -s
                    -Wl,--wrap=stdin -Wl,--wrap=stdout -Wl,--wrap=stderr)
install(TARGETS motorcade_fmu LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/motorcade)

# The sources of a unit: the files that the linker took, as its map lists them.
find_package(Python3 QUIET COMPONENTS Interpreter)
if(Python3_FOUND AND CMAKE_C_COMPILER_ID STREQUAL GNU)
  set(fmu_map ${CMAKE_BINARY_DIR}/motorcade_fmu.map)
  set(fmu_source_files ${CMAKE_BINARY_DIR}/motorcade_fmu_sources.zip)
  target_link_options(motorcade_fmu PRIVATE -Wl,-Map=${fmu_map})
  set_property(TARGET motorcade_fmu APPEND PROPERTY LINK_DEPENDS
               ${CMAKE_SOURCE_DIR}/cmake/fmu_sources.py)
  add_custom_command(TARGET motorcade_fmu POST_BUILD
                     COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/cmake/fmu_sources.py
                             ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR} ${fmu_map} ${fmu_source_files}
                     BYPRODUCTS ${fmu_source_files} ${fmu_map} VERBATIM)
  install(FILES ${fmu_source_files} DESTINATION ${CMAKE_INSTALL_LIBDIR}/motorcade)
else()
  message(STATUS "units will have no sources: they need Python and GCC")
endif()
