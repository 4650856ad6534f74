# Finds the libraries that have no CMake package which we could use. A library in a folder of CMAKE_PREFIX_PATH comes first.
# The installed package softalign uses this file, too.

# Finds NAME, with pkg-config's knowledge of MODULE if it is installed. Sets the cache variable VARIABLE_LIBRARY.
# VARIABLE_INCLUDEDIR is the folder of the headers, if pkg-config knows it.
function(softalign_find_library variable name module)
  if(NOT CMAKE_CROSSCOMPILING)  # pkg-config describes this machine
    find_package(PkgConfig QUIET)
    if(PKG_CONFIG_FOUND)
      pkg_check_modules(${variable} QUIET ${module})
    endif()
  endif()
  find_library(${variable}_LIBRARY ${name} HINTS ${${variable}_LIBDIR})
endfunction()

# Sets the cache variable SOFTALIGN_OPENBLAS_LIBRARY. Outside of CMAKE_PREFIX_PATH, only the OpenMP build of OpenBLAS is
# found, because it shares one thread pool with our own loops. The pthread build, which Debian's alternatives prefer, spins
# against it. Both have one soname. Programs in the build folder find the OpenMP build by the rpath that CMake adds.
# Installed files have no absolute rpath, and programs warn if the dynamic linker chooses the pthread build.
function(softalign_find_openblas)
  set(folders /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-openmp /usr/lib64/openblas-openmp /usr/lib/openblas-openmp)
  if(NOT CMAKE_CROSSCOMPILING)  # Debian's CMake package of OpenBLAS has absolute paths
    find_package(OpenBLAS CONFIG QUIET HINTS ${folders} PATH_SUFFIXES cmake/openblas
                 NO_SYSTEM_ENVIRONMENT_PATH NO_CMAKE_SYSTEM_PATH)
    foreach(file ${OpenBLAS_LIBRARIES})
      if(IS_ABSOLUTE ${file})
        get_filename_component(folder ${file} DIRECTORY)
        list(PREPEND folders ${folder})
      endif()
    endforeach()
  endif()
  find_library(SOFTALIGN_OPENBLAS_LIBRARY openblas HINTS ${folders} NO_SYSTEM_ENVIRONMENT_PATH NO_CMAKE_SYSTEM_PATH)
endfunction()
