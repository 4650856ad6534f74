# Debian's cross compiler for arm64, and qemu to run the programs that it builds: ./test.sh arm64, see docs/install.md. The
# libraries are in a separate folder (.ci/arm64_libraries.sh), so that the machine's packages do not change.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

set(SOFTALIGN_ARM64_LIBRARIES ${CMAKE_CURRENT_LIST_DIR}/../build-arm64/libraries CACHE PATH "arm64's /usr, with libraries")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES SOFTALIGN_ARM64_LIBRARIES)
set(CMAKE_FIND_ROOT_PATH ${SOFTALIGN_ARM64_LIBRARIES})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_CXX_FLAGS_INIT "-isystem ${SOFTALIGN_ARM64_LIBRARIES}/usr/include")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,-rpath-link,${SOFTALIGN_ARM64_LIBRARIES}/usr/lib/aarch64-linux-gnu:${SOFTALIGN_ARM64_LIBRARIES}/lib/aarch64-linux-gnu")
set(CMAKE_SKIP_RPATH ON)  # qemu finds the libraries in its own root folder, and OpenBLAS there in a folder that needs a name
string(APPEND CMAKE_EXE_LINKER_FLAGS_INIT " -Wl,-rpath,/usr/lib/aarch64-linux-gnu/openblas-openmp")
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L ${SOFTALIGN_ARM64_LIBRARIES})
