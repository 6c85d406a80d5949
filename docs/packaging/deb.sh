#!/bin/sh
# SPDX-License-Identifier: MIT
# The packages of Debian, into BUILD/deb: libprobity0, libprobity-dev, probity, probity-proofs and python3-probity.
#   usage: deb.sh BUILD VERSION
# The last commit is unpacked there and docs/packaging/debian copied to its top, where dpkg wants it. lintian may find no error.
set -eu
cd "$(dirname "$0")/../.."
out=$1/deb
upstream=$(echo "$2" | sed 's/-/~/')
packed=$(sed -n '1s/^probity (\(.*\)-[0-9]*).*/\1/p' docs/packaging/debian/changelog)
[ "$packed" = "$upstream" ] || { echo "deb: docs/packaging/debian/changelog is about $packed, expected $upstream" >&2; exit 2; }

rm -rf "$out"
mkdir -p "$out"
git archive --format=tar "--prefix=probity-$upstream/" HEAD | gzip -9n >"$out/probity_$upstream.orig.tar.gz"
tar -x -C "$out" -f "$out/probity_$upstream.orig.tar.gz"
cp -R docs/packaging/debian "$out/probity-$upstream/debian"
(cd "$out/probity-$upstream" && env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS dpkg-buildpackage -us -uc "-j$(nproc)") >"$out/log" 2>&1 ||
    { tail -n 30 "$out/log" >&2; echo "deb: dpkg-buildpackage failed, see $out/log" >&2; exit 1; }
rm -rf "$out/probity-$upstream"
lintian --fail-on error "$out"/*.changes >"$out/lintian" 2>&1 || { cat "$out/lintian" >&2; echo 'deb: lintian found an error' >&2; exit 1; }
ls "$out"/*.deb
