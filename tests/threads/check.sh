#!/bin/sh
# SPDX-License-Identifier: MIT
# check.sh OUT VERSION LIBS: what threads may share, under ThreadSanitizer. The sources of ledgers, sessions and files are
# instrumented, and what they call in the library of OUT is not: a race between two of their accesses is seen.
set -eu
out=$1
version=$2
shift 2
compiler=${CC:-gcc}
folder=$out/threads
rm -rf "$folder" && mkdir -p "$folder/obj" "$folder/files"
flags="-std=c11 -D_GNU_SOURCE -DPBY_VERSION=\"$version\" -Iinclude -Isrc -I. -isystem ${FLINT:-/usr/include/flint} -include mpfr.h -O1 -g"
objects=
for source in src/certificate/ledger/*.c src/session/*.c src/io/sole.c src/io/file.c src/io/digest.c src/base/*.c \
    src/entropy/*.c tests/threads/threads.c; do
    object=$folder/obj/$(echo "$source" | tr / _).o
    $compiler $flags -fsanitize=thread -c -o "$object" "$source"
    objects="$objects $object"
done
$compiler -fsanitize=thread -o "$folder/threads" $objects "$out/libprobity.a" "$@"
TSAN_OPTIONS="halt_on_error=1 exitcode=66" "$folder/threads" "$folder/files"
rm -rf "$folder"
