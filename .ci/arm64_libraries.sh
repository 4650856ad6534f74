#!/usr/bin/env bash
# .ci/arm64_libraries.sh FOLDER unpacks Debian's arm64 libraries that softalign needs into FOLDER. apt uses lists of its own
# in FOLDER, so neither the machine's packages nor its architectures change.
set -euo pipefail
folder=$(mkdir -p "$1" && cd "$1" && pwd)
[ -d "$folder/usr/lib/aarch64-linux-gnu" ] && exit 0

packages=(libxtensor-dev libxtensor-blas-dev libxsimd-dev libopenblas-openmp-dev nlohmann-json3-dev libcli11-dev
          libfmt-dev libutf8proc-dev libsentencepiece-dev zlib1g-dev libpng-dev libjpeg-dev libssl-dev libedit-dev catch2 libgomp1 libstdc++6)
apt=$folder/apt
mkdir -p "$apt/lists/partial" "$apt/archives/partial"
touch "$apt/status"  # an empty status file, so that apt fetches all dependencies, too
options=(-q -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State="$apt" -o Dir::State::status="$apt/status"
         -o Dir::Cache="$apt" -o APT::Sandbox::User= -o Debug::NoLocking=1)
apt-get "${options[@]}" update
apt-get "${options[@]}" --yes --no-install-recommends --download-only install "${packages[@]}"
rm "$apt"/archives/{libc6-dev,linux-libc-dev}_*.deb  # the cross compiler has its own
for package in "$apt"/archives/*.deb; do dpkg -x "$package" "$folder"; done
rm -r "$apt"
# Headers of one architecture, such as OpenSSL's, are copied to the folder where the cross compiler looks for them.
cp -r "$folder/usr/include/aarch64-linux-gnu/." "$folder/usr/include"
