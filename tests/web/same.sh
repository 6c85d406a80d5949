#!/bin/sh
# SPDX-License-Identifier: MIT
# Two builds of the WebAssembly module and its pages give the same bytes: BUILD/web, and one from nothing in a folder of another name, by
# another user where the caller is root, in another language, time zone and umask. Fetched files are taken from BUILD, where each is checked
# by its digest again; so is the build for this machine, which make same compares. All that is in the module is compiled anew.
#   usage: same.sh BUILD      after make web
set -eu
cd "$(dirname "$0")/../.."
build=$(cd "$1" && pwd)
work=$(mktemp -d)
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT
tree=$work/another/folder_with_a_much_longer_name
apt=build/port/sources/apt/files

mkdir -p "$tree/$apt"
if git rev-parse --git-dir >/dev/null 2>&1; then git ls-files -z; else find . -type f -not -path './build/*' -print0; fi |
  tar -c --null --files-from=- | tar -x -C "$tree"
cp "$build/port/sources/apt/files/"* "$tree/$apt/"
find "$build" -mindepth 1 -maxdepth 1 -not -name port -not -name web -exec cp -a {} "$tree/build/" \;
sums=$(cd "$build/web" && sha256sum probity.wasm verify.html loss.html recheck.html)

user=
if [ "$(id -u)" = 0 ]; then
  user='setpriv --reuid=nobody --regid=nogroup --clear-groups'
  chown -R nobody:nogroup "$work/another"
fi
# shellcheck disable=SC2086
(cd "$tree" && env -i PATH="$PATH" HOME="$tree" CCACHE_DISABLE=1 LC_ALL=C.UTF-8 TZ=Pacific/Auckland ${JOBS:+JOBS=$JOBS} $user \
  sh -c 'umask 077; exec make --no-print-directory web' >"$work/log" 2>&1) ||
  { tail -n 20 "$work/log" >&2; echo "same: $tree does not build" >&2; exit 1; }
cd "$tree/build/web"
echo "$sums" | sha256sum -c || { echo "same: the module or a page differs between two builds" >&2; exit 1; }
echo "same: two folders, $([ -n "$user" ] && echo 'two users' || echo 'one user (root makes it two)'), the same module and pages:"
echo "$sums"
