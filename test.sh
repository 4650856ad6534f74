#!/usr/bin/env bash
# Installs what is missing, builds everything, runs every test.
#   ./test.sh            the release build
#   ./test.sh sanitize   the same tests under the address and undefined-behaviour sanitizers
#   ./test.sh haswell    a build for processors with AVX2 and no AVX-512
#   ./test.sh arm64      Debian's cross compiler for arm64, the C++ tests under emulation
# With CI=true warnings are errors, and ./test.sh runs the sanitizers first.
set -euo pipefail
variant=${1:-release}
if [ "$variant" = arm64 ]; then more_packages=(g++-aarch64-linux-gnu qemu-user); fi
source "$(dirname "${BASH_SOURCE[0]}")/.ci/setup.sh"

# configure_build_test PRESET FOLDER [cmake options]
configure_build_test() {
  local preset=$1 folder=$2
  shift 2
  cmake --preset "$preset" -B "$folder" -DSOFTALIGN_WERROR="$([ "${CI:-}" = true ] && echo ON || echo OFF)" "$@"
  cmake --build "$folder" -j "$jobs"
  ctest --test-dir "$folder" --output-on-failure -j "$jobs"
}

case $variant in
  release)
    if [ "${CI:-}" = true ]; then "./$(basename "$0")" sanitize; fi
    configure_build_test release build
    ;;
  sanitize)  # warnings stay warnings: instrumented code makes g++ see some in its own library
    configure_build_test sanitize build-sanitize -DSOFTALIGN_BENCHMARKS=OFF -DSOFTALIGN_WERROR=OFF
    ;;
  haswell) configure_build_test release build-haswell -DSOFTALIGN_ARCH=haswell -DSOFTALIGN_BENCHMARKS=OFF ;;
  arm64)
    .ci/arm64_libraries.sh build-arm64/libraries
    configure_build_test arm64 build-arm64 -DSOFTALIGN_WERROR=OFF
    ;;
  *)
    echo "usage: ./test.sh [release|sanitize|haswell|arm64]" >&2
    exit 2
    ;;
esac
