# Debian's emscripten, for a module that runs in browsers and Node: .ci/wasm.sh, see docs/install.md. The libraries are in a
# separate folder (.ci/wasm_libraries.sh).
set(ENV{NODE_PATH} /usr/share/nodejs)  # emscripten's modules, for a Node that is not Debian's
include(/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)

set(SOFTALIGN_WASM_LIBRARIES ${CMAKE_CURRENT_LIST_DIR}/../build-wasm/libraries CACHE PATH "headers and libraries for wasm")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES SOFTALIGN_WASM_LIBRARIES)
list(APPEND CMAKE_FIND_ROOT_PATH ${SOFTALIGN_WASM_LIBRARIES})
set(CMAKE_POLICY_DEFAULT_CMP0074 NEW)
# xsimd 8.1 does not support wasm, but emscripten translates the intrinsics of SSE 4.1. libc++ 13 lacks parts of C++20.
set(wasm_flags "-msimd128 -msse4.1 -fwasm-exceptions -isystem ${SOFTALIGN_WASM_LIBRARIES}/include")
set(CMAKE_C_FLAGS_INIT "${wasm_flags}")
set(CMAKE_CXX_FLAGS_INIT "${wasm_flags} -include ${CMAKE_CURRENT_LIST_DIR}/wasm/newer_library.h")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-s ALLOW_MEMORY_GROWTH=1 -s INITIAL_MEMORY=64MB -s TOTAL_STACK=1MB --pre-js ${CMAKE_CURRENT_LIST_DIR}/wasm/node.js")
