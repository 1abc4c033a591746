# motorcade-mpi: sweeps and large runs on several processes (docs/clusters.md). Built where MPI is
# found; the command and the libraries need none.

set(mpi_program "")
find_package(MPI QUIET COMPONENTS C)
if(NOT MPI_C_FOUND)
  message(STATUS "motorcade-mpi will not be built: no MPI")
  return()
endif()

file(GLOB mpi_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/mpi/*.c)
add_executable(motorcade_mpi ${mpi_sources} $<TARGET_OBJECTS:cli>)
set_target_properties(motorcade_mpi PROPERTIES OUTPUT_NAME motorcade-mpi)
motorcade_use(motorcade_mpi)
target_link_libraries(motorcade_mpi PRIVATE motorcade_internal MPI::MPI_C)
install(TARGETS motorcade_mpi RUNTIME)
set(mpi_program "\"$<TARGET_FILE:motorcade_mpi>\"") # has manual pages, too: cmake/package.cmake
