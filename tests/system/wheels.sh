#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs a wheel in a bare root of a Debian release, which has Python and none of the libraries that
# Probity computes with, and uses it.
#   usage: wheels.sh RELEASE WHEEL        for example: wheels.sh trixie build/wheels/probity-*_x86_64.whl
# The root's system is kept in ROOTS (~/.cache/probity-roots). Needs root and mmdebstrap; MIRROR=URI as in bare.sh.
set -eu
release=${1:?usage: wheels.sh RELEASE WHEEL}
wheel=$(realpath "${2:?usage: wheels.sh RELEASE WHEEL}")
cd "$(dirname "$0")/../.."
[ "$(id -u)" = 0 ] || { echo "wheels: run this as root: it enters another root" >&2; exit 3; }
sh tests/system/need.sh build mmdebstrap

cache=${ROOTS:-${XDG_CACHE_HOME:-$HOME/.cache}/probity-roots}
base=$cache/$release-python.tar
root=$PWD/build/roots/$release-python
mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -m 1 '/debian/$')}
[ -n "$mirror" ] || { echo "wheels: no mirror of Debian among apt's sources; name one with MIRROR=URI" >&2; exit 3; }
mkdir -p "$cache"
if [ ! -f "$base" ]; then
  mmdebstrap --quiet --format=tar --mode=root --variant=minbase --include=python3,python3-venv,ca-certificates "$release" "$base.part" "$mirror"
  mv "$base.part" "$base"
fi
rm -rf --one-file-system "$root"
mkdir -p "$root"
trap 'rm -rf --one-file-system "$root"' EXIT
tar -x -p --numeric-owner -C "$root" -f "$base"

# The way in which this machine reaches the network is no part of the system under test: names, certificates, and where
# pip looks.
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
for f in /etc/pip.conf /etc/ssl/certs/ca-certificates.crt; do [ ! -f "$f" ] || cp -L "$f" "$root$f"; done
mkdir "$root/root/given"

# Nothing in the wheel looks for a library outside of it, or remembers where it was built.
mkdir "$root/root/unpacked"
(cd "$root/root/unpacked" && python3 -m zipfile -e "$wheel" .)
find "$root/root/unpacked" -type f | while read -r f; do readelf -d "$f" 2>/dev/null || true; done |
  sed -n 's/.*R\(UN\)\{0,1\}PATH.*\[\(.*\)\]/\2/p' | tr ':' '\n' | { ! grep -v '^$ORIGIN'; } || { echo "wheels: a RUNPATH of the builder" >&2; exit 1; }
! grep -rlF "$PWD" "$root/root/unpacked" || { echo "wheels: the builder's folder is named in these" >&2; exit 1; }

cp "$wheel" tests/system/wheel.py "$root/root/given"
cp -R tests/vectors "$root/root/given/vectors"

# Mounts are private to the processes below and vanish with them.
root=$root unshare --mount --pid --fork sh -eu -c '
  mount --make-rprivate /
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  exec chroot "$root" env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
    ${PIP_CERT:+PIP_CERT="$PIP_CERT"} sh -eu -c "
      cd /root
      python3 -m venv fresh
      fresh/bin/pip install -q --disable-pip-version-check given/*.whl
      fresh/bin/python given/wheel.py given/vectors"' || { echo "wheels: $release: failed" >&2; exit 1; }
