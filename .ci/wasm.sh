#!/usr/bin/env bash
# Builds the engine as a module for browsers and Node, build-wasm/softalign.js and softalign.wasm, and tests it in Node: the
# C++ tests of autograd, layers and models/search. If build/ has the native programs, it compares the module with them, and
# tests live pages and the site of the course in Chromium, and live pages in Firefox. With CI=true, it also builds these
# programs and installs Firefox.
#   .ci/wasm.sh            builds and tests
#   .ci/wasm.sh module     only builds the module
set -euo pipefail
what=${1:-all}
more_packages=(emscripten)
command -v node >/dev/null || more_packages+=(nodejs)
[ "${CI:-}" = true ] && more_packages+=(firefox-esr)
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
export NODE_PATH=/usr/share/nodejs  # for emcc with a Node that is not Debian's
if [ -n "${CMAKE_CXX_COMPILER_LAUNCHER:-}" ]; then  # emcc calls ccache itself
  launcher=$CMAKE_CXX_COMPILER_LAUNCHER
  export EM_COMPILER_WRAPPER=$launcher
  unset CMAKE_CXX_COMPILER_LAUNCHER
fi

.ci/wasm_libraries.sh build-wasm/libraries
cmake --preset wasm -DSOFTALIGN_WERROR="$([ "${CI:-}" = true ] && echo ON || echo OFF)"
cmake --build build-wasm -j "$jobs" --target module
[ "$what" = module ] && exit

cmake --build build-wasm -j "$jobs" --target test_autograd test_layers test_search
for tests in autograd layers search; do
  echo "The tests of $tests in Node:"
  SOFTALIGN_SLOW=1 node "build-wasm/tests/test_$tests.js" "~[threads]~[processes]"  # this build has one thread
done
programs=(make_corpus train translate caption answer entail align evaluate convert view)
if [ "${CI:-}" = true ]; then
  cmake --preset release -B build ${launcher:+-DCMAKE_CXX_COMPILER_LAUNCHER="$launcher"}
  cmake --build build -j "$jobs" --target "${programs[@]}"
fi
for program in "${programs[@]}"; do
  [ -x "build/$program" ] && continue
  echo "The module was not compared with the native programs, because build/$program does not exist. ./test.sh builds it."
  exit
done
export SOFTALIGN_BUILD=build PYTHONPATH=tests/apps
for tests in live/test_live viewer/test_live_page viewer/test_site; do
  python3 "tests/$tests.py"
done
BROWSER=firefox python3 tests/viewer/test_live_page.py
