#!/usr/bin/env bash
# Installs what is missing, builds everything, runs every test.
#   ./test.sh            the release build
#   ./test.sh sanitize   the same tests under the address and undefined-behaviour sanitizers
#   ./test.sh haswell    a build for processors with AVX2 and no AVX-512
#   ./test.sh arm64      Debian's cross compiler for arm64, the C++ tests under emulation
# With CI=true warnings are errors, and ./test.sh runs the sanitizers too.
set -euo pipefail
variant=${1:-release}
if [ "$variant" = arm64 ]; then more_packages=(g++-aarch64-linux-gnu qemu-user); fi
source "$(dirname "${BASH_SOURCE[0]}")/.ci/setup.sh"

# configure_and_build PRESET FOLDER [cmake options]
configure_and_build() {
  local preset=$1 folder=$2
  shift 2
  cmake --preset "$preset" -B "$folder" -DSOFTALIGN_WERROR="$([ "${CI:-}" = true ] && echo ON || echo OFF)" "$@"
  cmake --build "$folder" -j "$jobs"
}

run_tests() { ctest --test-dir "$1" --output-on-failure -j "$jobs"; }

# The sanitizers' build and tests run beside the release build: alone, each leaves a core idle at its end.
sanitize_beside() {
  local log=build-sanitize/log status=0
  mkdir -p build-sanitize
  set -m  # a group of its own, which ends as a whole
  "./$(basename "$0")" sanitize >"$log" 2>&1 &
  sanitizers=$!
  set +m
  trap 'kill -- "-$sanitizers" 2>/dev/null || true' EXIT
  "$@"
  wait "$sanitizers" || status=$?
  trap - EXIT
  cat "$log"
  return "$status"
}

case $variant in
  release)
    build=(configure_and_build release build)
    if [ "${CI:-}" = true ]; then sanitize_beside "${build[@]}"; else "${build[@]}"; fi
    run_tests build
    ;;
  sanitize)  # warnings stay warnings: instrumented code makes g++ see some in its own library
    configure_and_build sanitize build-sanitize -DSOFTALIGN_BENCHMARKS=OFF -DSOFTALIGN_WERROR=OFF
    run_tests build-sanitize
    ;;
  haswell)
    configure_and_build release build-haswell -DSOFTALIGN_ARCH=haswell -DSOFTALIGN_BENCHMARKS=OFF
    run_tests build-haswell
    ;;
  arm64)
    .ci/arm64_libraries.sh build-arm64/libraries
    configure_and_build arm64 build-arm64 -DSOFTALIGN_WERROR=OFF
    run_tests build-arm64
    ;;
  *)
    echo "usage: ./test.sh [release|sanitize|haswell|arm64]" >&2
    exit 2
    ;;
esac
