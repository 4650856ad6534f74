#!/usr/bin/env bash
# .ci/wasm_libraries.sh FOLDER: the libraries that the wasm build needs, in FOLDER/include and FOLDER/lib. Headers come
# from Debian's packages. utf8proc, zlib and libpng are compiled from Debian's sources. apt uses lists of its own in
# FOLDER, so the machine's packages and sources do not change.
set -euo pipefail
folder=$(mkdir -p "$1" && cd "$1" && pwd)
[ -e "$folder/complete" ] && exit 0

headers=(xtl-dev libxtensor-dev libxsimd-dev nlohmann-json3-dev libfmt-dev libfast-float-dev catch2)
sources=(utf8proc zlib libpng1.6)
apt=$folder/apt
mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$folder/include" "$folder/lib"
touch "$apt/status"
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
for kind in deb deb-src; do
  echo "$kind [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $suite main"
done >"$apt/sources.list"
options=(-q -o Dir::State="$apt" -o Dir::State::status="$apt/status" -o Dir::Cache="$apt" -o APT::Sandbox::User=
         -o Dir::Etc::SourceList="$apt/sources.list" -o Dir::Etc::SourceParts=- -o Debug::NoLocking=1)
apt-get "${options[@]}" update
cd "$apt"
apt-get "${options[@]}" download "${headers[@]}"
for package in ./*.deb; do dpkg -x "$package" unpacked; done
cp -r unpacked/usr/include/. "$folder/include"
mkdir -p "$folder/lib/cmake/Catch2"
cp unpacked/usr/lib/cmake/Catch2/{Catch,CatchAddTests}.cmake "$folder/lib/cmake/Catch2"
# Package files for find_package. Debian's own files name libraries of this machine, but this folder has only the headers.
header_package() {  # header_package PACKAGE TARGET [MORE]
  mkdir -p "$folder/lib/cmake/$1"
  printf 'add_library(%s INTERFACE IMPORTED)\n%s\n' "$2" "${3:-}" >"$folder/lib/cmake/$1/$1Config.cmake"
}
header_package xtensor xtensor
header_package xsimd xsimd
header_package nlohmann_json nlohmann_json::nlohmann_json
header_package fmt fmt::fmt 'target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)'
header_package Catch2 Catch2::Catch2 'list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})'
apt-get "${options[@]}" source --download-only "${sources[@]}"
for archive in ./*.orig.tar.*; do
  case $archive in *.asc) ;; *) tar -xf "$archive" ;; esac
done

export NODE_PATH=/usr/share/nodejs  # for emcc with a Node that is not Debian's
compile() {  # compile LIBRARY FOLDER SOURCES...: libLIBRARY.a of C sources
  local library=$1 at=$2 source objects=()
  shift 2
  for source in "$@"; do
    emcc -c -O2 -DUTF8PROC_STATIC -DHAVE_UNISTD_H -I"$folder/include" -I"$at" "$at/$source" -o "$apt/$library-$source.o"
    objects+=("$apt/$library-$source.o")
  done
  emar rcs "$folder/lib/lib$library.a" "${objects[@]}"
}
compile utf8proc "$(echo utf8proc-*/)" utf8proc.c
cp utf8proc-*/utf8proc.h "$folder/include"
compile z "$(echo zlib-*/)" adler32.c compress.c crc32.c deflate.c gzclose.c gzlib.c gzread.c gzwrite.c infback.c inffast.c inflate.c \
  inftrees.c trees.c uncompr.c zutil.c
cp zlib-*/zlib.h zlib-*/zconf.h "$folder/include"
png=$(echo libpng-*/)
cp "$png/scripts/pnglibconf.h.prebuilt" "$png/pnglibconf.h"
cp "$png"/png.h "$png"/pngconf.h "$png"/pnglibconf.h "$folder/include"
compile png "$png" png.c pngerror.c pngget.c pngmem.c pngpread.c pngread.c pngrio.c pngrtran.c pngrutil.c pngset.c pngtrans.c \
  pngwio.c pngwrite.c pngwtran.c pngwutil.c
cd "$folder"
rm -r "$apt"
touch complete
