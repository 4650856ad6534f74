# cpack -G DEB: one package per component of cmake --install. dpkg-shlibdeps finds the packages of the linked libraries.
set(binary_version ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(SOFTALIGN_MAINTAINER "softalign contributors <softalign@packages.invalid>" CACHE STRING "maintainer of the Debian packages")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME softalign)
set(CPACK_PACKAGE_VENDOR softalign)
set(CPACK_PACKAGE_CONTACT "${SOFTALIGN_MAINTAINER}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL programs libraries development)
if(SOFTALIGN_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(same_version "(= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
set(libraries_package libsoftalign${binary_version})

# The first line of a description is the summary.
function(softalign_package component name section depends description)
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${depends}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${description}" PARENT_SCOPE)
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${description}" PARENT_SCOPE)
endfunction()
softalign_package(programs softalign science "${libraries_package} ${same_version}"
"trains translation models on a CPU and shows their attention
The programs train sequence-to-sequence models with attention, translate,
align words, score alignments, and draw attention in a web page. The package
also has small corpora and the documents.")
# Only the OpenMP build of OpenBLAS shares its threads with softalign.
softalign_package(libraries ${libraries_package} libs libopenblas0-openmp
"attention models on a CPU (shared libraries)
The libraries have an automatic differentiation engine, layers, models and
data formats. The dynamic linker chooses the engine for SSE2, AVX2 or AVX-512.")
softalign_package(development libsoftalign-dev libdevel
"${libraries_package} ${same_version}, libfmt-dev, libjpeg-dev, libopenblas-openmp-dev, libpng-dev, libsentencepiece-dev, libutf8proc-dev, nlohmann-json3-dev, zlib1g-dev"
"attention models on a CPU (headers)
Headers and CMake files, for programs that open trained models or build
models from the layers of softalign.")
if(SOFTALIGN_PYTHON)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  math(EXPR next "${Python3_VERSION_MINOR} + 1")
  softalign_package(python python3-softalign python
  "${libraries_package} ${same_version}, python3 (>= 3.${Python3_VERSION_MINOR}), python3 (<< 3.${next}), python3-numpy"
"attention models on a CPU (Python)
The Python package opens and trains models, links words, draws attention,
and has the automatic differentiation engine for teaching.")
endif()

# What dpkg needs to know about the shared libraries.
set(shlibs)
foreach(library autograd data layers models run)
  string(APPEND shlibs "libsoftalign_${library} ${binary_version} ${libraries_package} ${same_version}\n")
endforeach()
file(WRITE ${PROJECT_BINARY_DIR}/debian/shlibs "${shlibs}")
file(WRITE ${PROJECT_BINARY_DIR}/debian/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRARIES_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/debian/shlibs ${PROJECT_BINARY_DIR}/debian/triggers)

# Files that only packages have, and their compression.
file(READ LICENSE license)
string(REGEX MATCH "Copyright[^\n]*" copyright "${license}")
string(REGEX REPLACE "^.*Copyright[^\n]*\n+" "" license "${license}")
string(REGEX REPLACE "\n$" "" license "${license}")
string(REGEX REPLACE "^Copyright (\\([cC]\\) )?" "" copyright "${copyright}")
string(REPLACE "\n\n" "\n.\n" license "${license}")
string(REPLACE "\n" "\n " license "${license}")
file(WRITE ${PROJECT_BINARY_DIR}/debian/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: softalign

Files: *
Copyright: ${copyright}
License: Expat

License: Expat
 ${license}
")
foreach(component ${CPACK_COMPONENTS_ALL})
  string(TOUPPER ${component} upper)
  list(APPEND packages ${component}=${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
endforeach()
configure_file(.ci/package_files.cmake.in ${PROJECT_BINARY_DIR}/debian/package_files.cmake @ONLY)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_BINARY_DIR}/debian/package_files.cmake)
include(CPack)
