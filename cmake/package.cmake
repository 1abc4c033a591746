# The libraries that user programs link, and what `make install` installs.
#
# Both libraries export only the names that public headers declare, mc_*.

add_library(motorcade_shared SHARED ${library_objects} $<TARGET_OBJECTS:studio>)
set_target_properties(motorcade_shared PROPERTIES OUTPUT_NAME motorcade
                      VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
                      LINKER_LANGUAGE C LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
target_link_libraries(motorcade_shared PRIVATE motorcade::dependencies
                                               motorcade::studio_dependencies)
target_link_options(motorcade_shared PRIVATE -Wl,--no-undefined)

# In an archive, hidden names can still collide with those of the program. So all objects are merged
# into one, in which they are local.
set(one_object ${CMAKE_BINARY_DIR}/motorcade.o)
add_custom_command(OUTPUT ${one_object}
                   COMMAND ${CMAKE_LINKER} -r -o ${one_object}
                           --whole-archive $<TARGET_FILE:motorcade_internal>
                   COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${one_object}
                   DEPENDS motorcade_internal VERBATIM)
add_library(motorcade_static STATIC ${one_object})
set_target_properties(motorcade_static PROPERTIES
                      OUTPUT_NAME motorcade LINKER_LANGUAGE C
                      ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
target_link_libraries(motorcade_static PRIVATE motorcade::dependencies
                                               motorcade::studio_dependencies)

if(TARGET motorcade_mpi)
  add_dependencies(motorcade_static motorcade_mpi) # what `make` builds always has this library
endif()

install(TARGETS motorcade_command RUNTIME)
install(TARGETS motorcade_shared EXPORT motorcade-targets
        LIBRARY INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS motorcade_static EXPORT motorcade-static-targets
        ARCHIVE INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/motorcade ${CMAKE_BINARY_DIR}/include/motorcade
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE THIRD_PARTY.md README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY concepts models scenarios schema DESTINATION ${CMAKE_INSTALL_DATADIR}/motorcade)
# The programs of the reports, under their own names: src/cli/main.c knows them.
foreach(program medusa dynavis1 dynavis2 dynavisiden dynavis-gas)
  install(CODE "file(CREATE_LINK motorcade
    \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/${program} SYMBOLIC)")
endforeach()

# Manual pages and shell completion, by the installed command's own help; left out without Python.
find_package(Python3 QUIET COMPONENTS Interpreter)
if(Python3_FOUND)
  install(CODE "execute_process(COMMAND \"${Python3_EXECUTABLE}\" \"${CMAKE_SOURCE_DIR}/scripts/manual\"
    \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\" \"$<TARGET_FILE:motorcade_command>\" ${mpi_program}
    COMMAND_ERROR_IS_FATAL ANY)")
endif()

# pkg-config. The files find their prefix from their own location: `cmake --install --prefix` may
# differ from the configuration.
set(pc_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH up_from_pc ${CMAKE_INSTALL_PREFIX}/${pc_folder} ${CMAKE_INSTALL_PREFIX})
set(pc_requires "${hdf5_package} libfyaml lapack sleef zlib librsvg-2.0 pangocairo expat kissfft-float")
set(pc_studio no)
if(MOTORCADE_STUDIO)
  string(APPEND pc_requires " libwebsockets jansson")
  set(pc_studio yes)
endif()
set(pc_libraries "-lsundials_cvode -lamd -ldl -lpthread -lm")
if(NOT hdf5_package)
  find_package(HDF5 REQUIRED COMPONENTS C)
  list(JOIN HDF5_C_LIBRARIES " " hdf5_libraries)
  string(PREPEND pc_libraries "${hdf5_libraries} ")
endif()
foreach(name motorcade motorcade-static)
  configure_file(cmake/${name}.pc.in ${name}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/${name}.pc DESTINATION ${pc_folder})
endforeach()

# find_package(motorcade).
include(CMakePackageConfigHelpers)
set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/motorcade)
set_target_properties(motorcade_shared PROPERTIES EXPORT_NAME motorcade)
set_target_properties(motorcade_static PROPERTIES EXPORT_NAME static)
foreach(targets motorcade-targets motorcade-static-targets)
  install(EXPORT ${targets} NAMESPACE motorcade:: DESTINATION ${config_folder})
endforeach()
configure_package_config_file(cmake/motorcade-config.cmake.in motorcade-config.cmake
                              INSTALL_DESTINATION ${config_folder})
write_basic_package_version_file(motorcade-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/motorcade-config.cmake
              ${CMAKE_BINARY_DIR}/motorcade-config-version.cmake
              cmake/motorcade-dependencies.cmake
        DESTINATION ${config_folder})
