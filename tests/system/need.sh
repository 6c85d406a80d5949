#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the packages that are missing, by their Debian names; says and does nothing when none is.
#   usage: need.sh BUILD PACKAGE...
# PACKAGE may be a list of alternatives, A|B: the first that is installed or that the system offers is taken. An
# alternative that begins with a slash is a file, which some other package of the list brings along: Debian 12 has Arb as
# a package of its own, and Debian 13 has it inside FLINT. An alternative may be several packages, A&B: Debian 12 has Frama-C
# and its provers, and elsewhere they come from a root of Debian 12, which other packages make.
#
# Goals of make run beside each other, and apt-get does not wait for another apt-get: a lock lets in one at a time.
set -eu
build=$1
shift

is_installed() {
  for package in $(echo "$1" | tr '&' ' '); do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || return 1
  done
}

# A package that others merely mention has a name and no candidate.
is_offered() {
  for package in $(echo "$1" | tr '&' ' '); do
    apt-cache policy "$package" 2>/dev/null | grep -q 'Candidate: [^(]' || return 1
  done
}

is_there() {
  case $1 in
  /*) [ -e "$1" ] ;;
  *) is_installed "$1" ;;
  esac
}

# The alternative that is to be installed; nothing where one of them is there.
choose() {
  alternatives=$(echo "$1" | tr '|' ' ')
  for a in $alternatives; do ! is_there "$a" || return 0; done
  for a in $alternatives; do
    case $a in
    /*) return 0 ;;
    *) if is_offered "$a"; then echo "$a"; return 0; fi ;;
    esac
  done
  echo "${1%%|*}"
}

missing=
for p in "$@"; do
  case $p in
  *'|'*) for a in $(echo "$p" | tr '|' ' '); do ! is_there "$a" || continue 2; done ;;
  *) ! is_installed "$p" || continue ;;
  esac
  missing="$missing $p"
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
  echo "probity: install these packages first (Debian names):$missing" >&2
  exit 1
fi
as=
[ "$(id -u)" = 0 ] || as=sudo
mkdir -p "$build"
exec 9>"$build/packages.lock"
flock 9
$as apt-get update -qq 9>&-
chosen=
for p in $missing; do chosen="$chosen $(choose "$p")"; done
chosen=$(echo $chosen | tr '&' ' ')
echo "installing: $chosen"
# shellcheck disable=SC2086
$as env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $chosen >/dev/null 9>&-
