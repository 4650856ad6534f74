#!/usr/bin/env bash
# Builds the engine as a module for browsers and Node, build-wasm/softalign.js and softalign.wasm, and tests it in Node: the
# C++ tests of autograd and models/search, and a comparison with the native programs, if build/ has them.
#   .ci/wasm.sh            builds and tests
#   .ci/wasm.sh module     only builds the module
set -euo pipefail
what=${1:-all}
more_packages=(emscripten)
command -v node >/dev/null || more_packages+=(nodejs)
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
export NODE_PATH=/usr/share/nodejs  # for emcc with a Node that is not Debian's
unset CMAKE_CXX_COMPILER_LAUNCHER

.ci/wasm_libraries.sh build-wasm/libraries
cmake --preset wasm -DSOFTALIGN_WERROR="$([ "${CI:-}" = true ] && echo ON || echo OFF)"
cmake --build build-wasm -j "$jobs" --target module
[ "$what" = module ] && exit

cmake --build build-wasm -j "$jobs" --target test_autograd test_search
for tests in autograd search; do
  echo "The tests of $tests in Node:"
  SOFTALIGN_SLOW=1 node "build-wasm/tests/test_$tests.js" "~[threads]~[processes]"  # this build has one thread
done
if [ -x build/translate ] && [ -x build/train ] && [ -x build/align ]; then
  SOFTALIGN_BUILD=build PYTHONPATH=tests/apps python3 tests/live/test_live.py
else
  echo "The module was not compared with the native programs, because build/ has none; ./test.sh builds them."
fi
