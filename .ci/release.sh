#!/usr/bin/env bash
# Collects the files of a release in a new folder: the source archive, and of the other parts those that have been built.
#   .ci/release.sh [FOLDER]   the default is release-VERSION
# The parts come from .ci/packages.sh (Debian packages), .ci/wasm.sh module (npm package), and ./demo.sh (live page).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
version=$(sed -n 's/^project(softalign VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
folder=${1:-release-$version}
if [ -e "$folder" ]; then
  echo "$folder exists already. Remove it, or name another folder" >&2
  exit 2
fi
if [ -n "$(git status --porcelain)" ]; then
  echo "The source archive has committed files only, and there are others (git status). Commit or remove them" >&2
  exit 1
fi
mkdir -p "$(dirname "$folder")"
made=$(mktemp -d "$folder.XXXXXX")
trap 'rm -rf "$made"' EXIT

git archive --format=tar --prefix="softalign-$version/" HEAD | gzip -9n >"$made/softalign-$version.tar.gz"
missing=()
committed=$(git log -1 --format=%ct)
# Notes a part that was built before the last commit.
older() { if [ "$(stat -c %Y "$1")" -lt "$committed" ]; then missing+=("$1 is older than the last commit"); fi; }

debs=(build-packages/*_"$version"-*.deb)
if [ -e "${debs[0]}" ]; then
  cp "${debs[@]}" "$made"
  older "${debs[0]}"
else
  missing+=("not built: Debian packages, by .ci/packages.sh")
fi

if [ -e build-wasm/softalign.wasm ]; then
  npm=$(mktemp -d "$made/npm.XXXXXX")
  cp build-wasm/softalign.js build-wasm/softalign.wasm LICENSE "$npm"
  cp apps/live/live.h "$npm/functions.h"
  cat >"$npm/package.json" <<END
{
  "name": "softalign",
  "version": "$version",
  "description": "attention models in a browser or Node: translation, alignments and training",
  "main": "softalign.js",
  "files": ["softalign.js", "softalign.wasm", "functions.h"],
  "license": "MIT"
}
END
  (cd "$npm" && npm pack --silent --pack-destination .. >/dev/null)
  mv "$made/softalign-$version.tgz" "$made/softalign-npm-$version.tgz"
  rm -r "$npm"
  older build-wasm/softalign.wasm
else
  missing+=("not built: npm package, by .ci/wasm.sh module")
fi

if [ -e build-wasm/softalign.wasm ] && [ -x build/view ] && [ -d runs/demo ]; then
  build/view --run runs/demo --live --out "$made/softalign-live.html"
else
  missing+=("not built: live page, by .ci/wasm.sh module and then ./demo.sh")
fi

(cd "$made" && sha256sum -- * >SHA256SUMS)
chmod 755 "$made"
mv -T "$made" "$folder"
trap - EXIT
echo "$folder:"
ls -l "$folder"
for part in ${missing[@]+"${missing[@]}"}; do echo "note: $part"; done
