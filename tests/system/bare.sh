#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes a bare root of a Debian release, clones the last commit into it, and runs goals of make there, as somebody does who
# has just got the machine.
#   usage: bare.sh RELEASE GOAL...        for example: bare.sh trixie demo check
# The root holds Debian's minimal system, make and git, and nothing else: what the goals need they install. Base system
# and packages are kept in ROOTS (~/.cache/probity-roots), so that a second run fetches little; the root itself is made
# anew in build/roots each time. KEEP=1 leaves it behind. Needs root and mmdebstrap. MIRROR=URI names another mirror than the one apt uses here.
set -eu
cd "$(dirname "$0")/../.."
release=${1:?usage: bare.sh RELEASE GOAL...}
shift
[ "$(id -u)" = 0 ] || { echo "bare: run this as root: it mounts /proc and enters another root" >&2; exit 3; }
sh tests/system/need.sh build mmdebstrap

cache=${ROOTS:-${XDG_CACHE_HOME:-$HOME/.cache}/probity-roots}
base=$cache/$release.tar
kept=$cache/$release.packages
root=$PWD/build/roots/$release
mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -m 1 '/debian/$')}
[ -n "$mirror" ] || { echo "bare: no mirror of Debian among apt's sources; name one with MIRROR=URI" >&2; exit 3; }
mkdir -p "$kept"

if [ ! -f "$base" ]; then
  mmdebstrap --quiet --format=tar --mode=root --variant=minbase --include=make,git,ca-certificates "$release" "$base.part" "$mirror"
  mv "$base.part" "$base"
fi
rm -rf --one-file-system "$root"
mkdir -p "$root"
tar -x -p --numeric-owner -C "$root" -f "$base"

# The way in which this machine reaches the network is no part of the system under test: names, certificates, and where
# pip looks.
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
for f in /etc/pip.conf /etc/ssl/certs/ca-certificates.crt; do [ ! -f "$f" ] || cp -L "$f" "$root$f"; done
git clone -q . "$root/root/probity"

# Mounts are private to the processes below and vanish with them.
trap '[ -n "${KEEP:-}" ] || rm -rf --one-file-system "$root"' EXIT
status=0
root=$root kept=$kept unshare --mount --pid --fork sh -eu -c '
  mount --make-rprivate /
  mount --bind "$root" "$root" # only what is mounted can be the root of a namespace, as the tools of make prove make one
  mount -t proc proc "$root/proc"
  mount --rbind /sys "$root/sys"
  mount --rbind /dev "$root/dev"
  mount --bind "$kept" "$root/var/cache/apt/archives"
  [ -d "$kept/partial" ] || mkdir "$kept/partial"
  exec chroot "$root" env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb \
    LANG=C.UTF-8 ${PIP_CERT:+PIP_CERT="$PIP_CERT"} ${CI:+CI="$CI"} sh -eu -c "
      cd /root/probity
      for goal in \"\$@\"; do
        echo \"bare: make \$goal\"
        make \$goal
      done" sh "$@"' sh "$@" || status=$?
[ "$status" = 0 ] || { echo "bare: $release: make $*: exit status $status" >&2; exit "$status"; }
echo "bare: $release: make $*: passed"
