#!/bin/sh
# SPDX-License-Identifier: MIT
# The programs of make static need nothing of the system, and answer as the ones of this machine do.
#   usage: static.sh BUILD ARCH...        BUILD holds the programs for this machine, BUILD/static/ARCH the static ones
# Programs for another machine run under qemu. Where it is missing their form is looked at, and a word says that they did not run.
set -eu
cd "$(dirname "$0")/../.."
build=$1
shift
[ $# -gt 0 ] || { echo "usage: static.sh BUILD ARCH..." >&2; exit 2; }

wrong() {
  echo "static: $*" >&2
  exit 1
}

# $1 a program, $2 its machine as readelf calls it
form() {
  readelf -h "$1" | grep -q "Machine:.*$2" || wrong "$1: expected a program for $2"
  ! readelf -l "$1" | grep -q INTERP || wrong "$1: asks for a loader"
  ! readelf -d "$1" 2>/dev/null | grep -q NEEDED || wrong "$1: asks for libraries"
  readelf -lW "$1" | grep -q 'GNU_STACK.* RW ' || wrong "$1: its stack can be executed"
  ! grep -qF "$PWD" "$1" || wrong "$1: the folder of its builder is named in it"
}

for arch in "$@"; do
  case $arch in
  x86_64) machine=X86-64 ;;
  aarch64) machine=AArch64 ;;
  *) wrong "ARCH '$arch': expected x86_64 or aarch64" ;;
  esac
  for name in probity probity-verify; do form "$build/static/$arch/$name" "$machine"; done
  (cd "$build/static/$arch" && sha256sum --quiet -c SHA256SUMS) || wrong "$arch: SHA256SUMS has other sums"
  emulator=
  if [ "$arch" != "$(uname -m)" ]; then
    emulator=$(command -v "qemu-$arch-static" || command -v "qemu-$arch" || true)
    if [ -z "$emulator" ]; then
      echo "static: $arch: NOT RUN: neither qemu-$arch-static nor qemu-$arch is installed (packages qemu-user-static, qemu-user)"
      continue
    fi
  fi
  # make dist takes programs that were run here, and no others.
  tests/system/answers.py --here "$build" --other "$build/static/$arch" ${emulator:+--emulator "$emulator"}
  python3 docs/packaging/passed.py end "$build" "check-static-$arch"
done
