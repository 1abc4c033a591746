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
target_link_libraries(motorcade_fmu PRIVATE $<TARGET_FILE:motorcade_internal> ${fmu_archives}
                                            PkgConfig::MOTORCADE_sleef Threads::Threads m)
add_dependencies(motorcade_fmu motorcade_internal)
target_link_options(motorcade_fmu PRIVATE -Wl,--gc-sections -Wl,--exclude-libs,ALL
                    -Wl,--no-undefined -Wl,--as-needed -s
                    -Wl,--wrap=stdin -Wl,--wrap=stdout -Wl,--wrap=stderr)
install(TARGETS motorcade_fmu LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/motorcade)
