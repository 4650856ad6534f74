#!/usr/bin/env bash
# Builds the Debian packages and tries them in a clean Debian 12. The output ends with a table of the checks.
#   .ci/packages.sh         builds the packages, checks them with lintian, installs them in a new Debian, and uses them there
#   .ci/packages.sh build   only builds the packages, and checks them with lintian
# The packages are in build-packages. The new Debian needs root, because it is a folder in which chroot runs programs.
set -euo pipefail
more_packages=(pybind11-dev python3-dev python3-numpy dpkg-dev lintian)
if [ "${1:-}" != build ]; then more_packages+=(debootstrap); fi
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
if [ "${1:-}" != build ] && [ "$(id -u)" -ne 0 ]; then
  echo "Only root can use chroot. Run $0 as root, or build the packages with $0 build" >&2
  exit 1
fi
build=$PWD/build-packages
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CMakeLists.txt)
export SOURCE_DATE_EPOCH
umask 022

cmake --preset packages
cmake --build "$build" -j "$jobs"
rm -f "$build"/*.deb
(cd "$build" && cpack)
echo "== lintian"
# Three warnings are expected: the package of the libraries has five of them, so its name cannot be that of one library;
# cpack always writes scripts that call ldconfig, next to the trigger; and the packages are not for Debian's own archive,
# whose first uploads close a bug.
lintian --fail-on error --tag-display-limit 0 \
  --suppress-tags package-name-doesnt-match-sonames,maintscript-calls-ldconfig,initial-upload-closes-no-bugs "$build"/*.deb
echo "lintian found no error in $(ls "$build"/*.deb | wc -l) packages"
[ "${1:-}" = build ] && exit

root=$build/debian
end() {
  umount "$root/proc" 2>/dev/null || true
  rm -rf --one-file-system "$root"
}
end
trap end EXIT
echo "== A new Debian 12"
mirror=$(apt-get indextargets --format '$(SITE)' 'Identifier: Packages' | head -n 1)  # of this machine
debootstrap --variant=minbase bookworm "$root" "$mirror" >"$build/debootstrap.log"
cp /etc/resolv.conf "$root/etc/"
mount -t proc proc "$root/proc"  # a program finds its data by /proc/self/exe
mkdir "$root/trial"
cp "$build"/*.deb "$root/trial"
cp -r tests/package "$root/trial/own"
mkdir "$root/trial/corpus"
for part in train valid; do head -n 400 "data/toy/$part.tsv" >"$root/trial/corpus/$part.tsv"; done
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    bash -euo pipefail -c "cd /trial; $1"; }

table="| check | result |"$'\n'"|---|---|"
failed=0
# check NAME COMMANDS: runs the commands in the new Debian, and adds a row to the table.
check() {
  echo "== $1"
  local start=$SECONDS result=passed
  inside "$2" || { result=FAILED; failed=1; }
  table+=$'\n'"| $1 | $result, $((SECONDS - start)) s |"
}

check "apt install ./*.deb" "apt-get -q update; apt-get -q -y --no-install-recommends install ./*.deb"
check "softalign --help" "softalign --help >help; head -n 5 help"
check "softalign train" "softalign train --data corpus --out run --epochs 10 --embedding 32 --hidden 64 | tail -n 3"
check "softalign translate" "echo 'i love you .' | softalign translate --run run | tee text; test -n \"\$(tail -n 1 text)\""
check "softalign train --dry-run on the installed corpus" "softalign train --dry-run >dry; head -n 3 dry"
check "python3: import softalign" "python3 -c 'import softalign
text = softalign.Run(\"run\").translate(\"i love you .\").text
print(text)
assert text == open(\"text\").read().splitlines()[-1]'"
inside "apt-get -q -y --no-install-recommends install man-db bash-completion g++ cmake make" >"$build/tools.log"
check "man softalign-train" "man softalign-train >page; head -n 4 page"
check "completions" "cd /usr/share
  . bash-completion/bash_completion
  . bash-completion/completions/softalign-train
  complete -p softalign-train
  ls zsh/vendor-completions/_softalign-train fish/vendor_completions.d/softalign-train.fish"
check "C++ program with find_package(softalign)" "cmake -S own -B own/build >/dev/null; cmake --build own/build -j $jobs
  own/build/translate_one run 'i love you .'"
echo "== Result"
echo "$table"
exit "$failed"
