#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the two programs for an architecture as files that need no library and no loader, and writes their sums.
#   usage: static.sh BUILD ARCH        ARCH: x86_64 or aarch64; the programs go to BUILD/static/ARCH
set -eu
cd "$(dirname "$0")/../../.."
case $2 in
x86_64 | aarch64) ;;
*) echo "make static: ARCH '$2': expected x86_64 or aarch64" >&2; exit 2 ;;
esac
docs/packaging/ports/port.sh "$2-linux-musl" "$1" probity probity-verify
mkdir -p "$1/static/$2"
cp "$1/port/$2-linux-musl/probity" "$1/port/$2-linux-musl/probity-verify" "$1/static/$2"
cd "$1/static/$2"
sha256sum probity probity-verify >SHA256SUMS
echo "  $1/static/$2: probity ($(stat -c %s probity) bytes), probity-verify ($(stat -c %s probity-verify) bytes)"
