# shellcheck shell=bash
# demo.sh and test.sh source this file. It goes to the project's folder, installs missing packages and sets the number of
# jobs.
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

# Both variables replace OpenBLAS's own choice of kernels, usually by slower ones.
unset OPENBLAS_CORETYPE OPENBLAS_L2_SIZE

packages=(g++ cmake make python3 libxtensor-dev libxtensor-blas-dev libxsimd-dev libopenblas-openmp-dev
          nlohmann-json3-dev libcli11-dev libfmt-dev zlib1g-dev libpng-dev libjpeg-dev libssl-dev libedit-dev libutf8proc-dev
          libsentencepiece-dev catch2 libbenchmark-dev libopenmpi-dev openmpi-bin)
packages+=(${more_packages[@]+"${more_packages[@]}"})  # set by the script that sources this file
# The viewer's checks need a browser, the terminal's checks an emulator, and the Python package pybind11 and numpy. Outside of
# CI they are not installed, and the tests skip these checks with a message if they are missing.
if [ "${CI:-}" = true ]; then
  packages+=(chromium nodejs npm python3-pyte python3-markdown-it libjs-katex pybind11-dev python3-dev python3-numpy python3-torch)
fi

is_installed() {
  case $1 in
    g++ | cmake | make | python3 | chromium | npm) command -v "$1" >/dev/null ;;  # from any source
    nodejs) command -v node >/dev/null ;;
    *) [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ] ;;
  esac
}

install_missing_packages() {
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    echo "There is no apt-get here. softalign needs what these Debian packages hold: ${packages[*]}" >&2
    return  # the libraries may be there nevertheless; cmake names the first missing one
  fi
  local package missing=()
  for package in "${packages[@]}"; do
    is_installed "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  echo "Installing the Debian packages that are missing: ${missing[*]}"
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "This needs root and there is no sudo. As root: apt-get install ${missing[*]}" >&2
      exit 1
    fi
    as_root=(sudo)
  fi
  "${as_root[@]}" apt-get update -q
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
}

# One job per core, but no more than memory allows: a file that compiles xtensor takes up to 1 GB.
jobs=$(nproc)
memory=$(awk '/^MemAvailable/ {print int($2 / 1000000)}' /proc/meminfo 2>/dev/null || true)
if [ -n "$memory" ] && [ "$memory" -lt "$jobs" ]; then jobs=$((memory > 0 ? memory : 1)); fi

# With ccache, a second build takes seconds, even in a fresh clone in another folder.
if command -v ccache >/dev/null; then
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=true
fi
if command -v ninja >/dev/null; then export CMAKE_GENERATOR=Ninja; fi  # for new build folders

install_missing_packages
if [ "${CI:-}" = true ]; then
  npm ci --prefix tests/viewer --ignore-scripts --no-audit --no-fund
fi
