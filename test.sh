#!/usr/bin/env bash
# Installs missing packages, builds everything, runs every test.
#   ./test.sh            the release build
#   ./test.sh sanitize   the same tests under the address and undefined-behaviour sanitizers
#   ./test.sh threads    the tests that use several threads, under the thread sanitizer, compiled by clang
#   ./test.sh haswell    a build for processors with AVX2 and no AVX-512
#   ./test.sh arm64      the C++ tests under emulation, built by Debian's cross compiler for arm64
# With CI=true, warnings are errors, and ./test.sh tests the Python package and runs the sanitizers too.
set -euo pipefail
variant=${1:-release}
case $variant in
  threads) more_packages=(clang libomp-dev) ;;
  arm64) more_packages=(g++-aarch64-linux-gnu qemu-user) ;;
esac
source "$(dirname "${BASH_SOURCE[0]}")/.ci/setup.sh"

# configure_and_build PRESET FOLDER [cmake options]
configure_and_build() {
  local preset=$1 folder=$2
  shift 2
  cmake --preset "$preset" -B "$folder" -DSOFTALIGN_BY_FOLDER=ON \
    -DSOFTALIGN_WERROR="$([ "${CI:-}" = true ] && echo ON || echo OFF)" "$@"
  cmake --build "$folder" -j "$jobs"
}

run_tests() { ctest --test-dir "$1" --output-on-failure -j "$jobs"; }

# Warnings stay warnings, because g++ warns about its own library in instrumented code.
build_sanitized() { configure_and_build sanitize build-sanitize -DSOFTALIGN_BENCHMARKS=OFF -DSOFTALIGN_WERROR=OFF "$@"; }

# Prints the output of failed tests, and then the closing lines of ctest, from this log of ctest.
closing_lines() {
  awk '/^ *[0-9]+\/[0-9]+ Test /{failed = /\*\*\*/} /^ +Start |tests passed,/{failed = 0} failed' "$1"
  sed -n '/tests passed,/,$p' "$1"
}

# Builds and runs the sanitizers' tests while the tests of the release build run. Both use the tests that the release build
# has compiled. The output ends with the closing lines of the release build's ctest, or of the sanitizers' ctest if it
# failed.
sanitize_beside_tests() {
  local log=build-sanitize/log tests=0 sanitizers=0
  mkdir -p build-sanitize
  export OMP_WAIT_POLICY=passive  # a waiting thread leaves its core to the other build
  set -m  # a separate process group, which can be ended as one
  (build_sanitized -DSOFTALIGN_TEST_OBJECTS="$PWD/build" && run_tests build-sanitize) >"$log" 2>&1 &
  beside=$!
  set +m
  trap 'kill -- "-$beside" 2>/dev/null || true' EXIT
  run_tests build 2>&1 | tee build/log || tests=$?
  wait "$beside" || sanitizers=$?
  trap - EXIT
  cat "$log"
  if [ "$sanitizers" -ne 0 ]; then
    closing_lines "$log"
    return "$sanitizers"
  fi
  closing_lines build/log
  return "$tests"
}

case $variant in
  release)
    if [ "${CI:-}" = true ]; then
      # Another Python in the PATH may lack Debian's packages.
      configure_and_build release build -DSOFTALIGN_PYTHON=ON -DPython3_EXECUTABLE=/usr/bin/python3
      sanitize_beside_tests
    else
      configure_and_build release build
      run_tests build
    fi
    ;;
  sanitize)
    build_sanitized
    run_tests build-sanitize
    ;;
  haswell)
    configure_and_build release build-haswell -DSOFTALIGN_ARCH=haswell -DSOFTALIGN_BENCHMARKS=OFF
    run_tests build-haswell
    ;;
  threads)  # clang's OpenMP is used, because the sanitizer understands its waiting; BLAS is not instrumented
    cmake --preset threads
    cmake --build build-threads -j "$jobs" --target test_autograd test_threads
    export TSAN_OPTIONS="ignore_noninstrumented_modules=1 halt_on_error=1" OMP_NUM_THREADS=2
    build-threads/tests/test_autograd
    build-threads/tests/test_threads
    ;;
  arm64)
    .ci/arm64_libraries.sh build-arm64/libraries
    configure_and_build arm64 build-arm64 -DSOFTALIGN_WERROR=OFF
    run_tests build-arm64
    ;;
  *)
    echo "usage: ./test.sh [release|sanitize|threads|haswell|arm64]" >&2
    exit 2
    ;;
esac
