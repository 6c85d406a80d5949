#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the wheel of an architecture for every Linux with glibc 2.28 or a newer one, its libraries compiled from Debian's sources:
# Debian's own FLINT is linked with NTL and a C++ library, which would ask for a newer glibc.
#   usage: wheels.sh BUILD ARCH        ARCH: x86_64 or aarch64; the wheel goes to BUILD/wheels
set -eu
cd "$(dirname "$0")/../../.."
case $2 in
x86_64 | aarch64) ;;
*) echo "make python: ARCH '$2': expected x86_64 or aarch64" >&2; exit 2 ;;
esac
docs/packaging/ports/port.sh "$2-linux-gnu.2.28" "$1" install
port=$(cd "$1/port/$2-linux-gnu.2.28" && pwd)

# Debian's pyconfig.h includes the one of the machine that is compiled for. Both machines have integers of the same sizes, so the
# extension, which uses Python's stable interface alone, takes the one that is here.
headers=$port/python
rm -rf "$headers"
mkdir -p "$headers"
for folder in /usr/include/"$(uname -m)"-linux-gnu/python3*; do
  [ ! -d "$folder" ] || { mkdir -p "$headers/$2-linux-gnu" && ln -s "$folder" "$headers/$2-linux-gnu/"; }
done
CC=$port/bin/clang CFLAGS="-I$headers" src/python/wheel.sh "$1" port "$port/stage" "manylinux_2_28_$2"
