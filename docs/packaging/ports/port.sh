#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds Probity for another machine or C library than the one here, with zig cc and all its libraries out of Debian's sources.
#   usage: port.sh TARGET BUILD GOAL...    for example: port.sh aarch64-linux-musl build probity probity-verify
# The Makefile makes the GOALs in BUILD/port/TARGET. The kernel is compiled from the text that Frama-C reads, as everywhere.
# JOBS=N compiles on N cores, and BEFORE='nice -n 10' stands before each long command.
set -eu
cd "$(dirname "$0")/../../.."
ports=docs/packaging/ports
target=$1
mkdir -p "$2/port"
build=$(cd "$2/port" && pwd)
shift 2
dir=$build/$target
jobs=${JOBS:-$(nproc)}
before=${BEFORE:-}

$ports/fetch.sh "$build/sources"
JOBS=$jobs $ports/libraries.sh "$target" "$build"

# musl is linked into the program. A library leaves glibc to the program that loads it.
case $target in
*-musl) link='-static -s' ;;
*) link='-s' ;;
esac
# zig's clang is newer than the one that reads the sources strictly, and warns where a double meets a constant of an enumeration.
made() {
  MAKEFLAGS= $before make --no-print-directory -j"$jobs" BUILD="$dir" SANITIZE= CC="$dir/bin/clang" AR="$dir/bin/ar" JOINED= \
    CFLAGS='-O2 -Wno-enum-float-conversion' FLINT="$dir/deps/include/flint" LDFLAGS="$link" \
    LIBS="-L$dir/deps/lib -lsqlite3 -ljansson -lsodium -lflint -lmpfr -lgmp -lm -lpthread -ldl" "$@"
}
made objects
# FLINT's sources are looked for again only when an object is new; its objects stay.
archive=$dir/deps/lib/libflint.a
if [ ! -f "$archive" ] || [ -n "$(find "$dir/obj" -name '*.o' -newer "$archive" -print -quit)" ]; then
  # shellcheck disable=SC2086
  find "$dir/obj" -name '*.o' | sort | xargs $before python3 $ports/reached.py --sources "$build/sources" --target "$dir" --jobs "$jobs"
fi
for goal in "$@"; do made "$dir/$goal"; done
