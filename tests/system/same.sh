#!/bin/sh
# SPDX-License-Identifier: MIT
# Two builds of the tree give the same bytes: in folders of different names, by two users, in another language, time zone and
# umask. The command, the verifier and both libraries are compared without what serves a debugger; the build id, which the
# linker takes from everything, stays in. What only gcc's optimiser at link time reads is left out too (as Debian does), since it
# has random names.  usage: same.sh
# Needs root for the second user; without it both builds are the caller's, and it says so.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT
made='probity probity-verify libprobity.so libprobity.a'

# copy FOLDER: what git knows, as it is here; without a repository all but what was built
copy() {
    mkdir -p "$1"
    if git rev-parse --git-dir >/dev/null 2>&1; then git ls-files -z; else find . -type f -not -path './build/*' -print0; fi |
        tar -c --null --files-from=- | tar -x -C "$1"
}

# build FOLDER WORD...: the words run make there, with nothing from a cache and nothing of the caller's environment
build() {
    folder=$1
    shift
    (cd "$folder" && env -i PATH="$PATH" HOME="$folder" CCACHE_DISABLE=1 "$@" >"$work/log" 2>&1) ||
        { tail -n 20 "$work/log" >&2; echo "same: $folder does not build" >&2; exit 1; }
}

goals='make --no-print-directory build build/probity-verify'
other="$work/another/folder_with_a_much_longer_name"
copy "$work/one"
copy "$other"
# shellcheck disable=SC2086
build "$work/one" LC_ALL=C TZ=UTC sh -c "umask 022; exec $goals"

user=
if [ "$(id -u)" = 0 ]; then
    user='setpriv --reuid=nobody --regid=nogroup --clear-groups'
    chown -R nobody:nogroup "$work/another"
fi
# shellcheck disable=SC2086
build "$other" LC_ALL=C.UTF-8 TZ=Pacific/Auckland $user sh -c "umask 077; exec $goals"

bare() { strip --strip-unneeded -R '.gnu.lto_*' -R '.gnu.debuglto_*' -N __gnu_lto_v1 -o "$2" "$1"; }
for name in $made; do
    bare "$work/one/build/$name" "$work/first"
    bare "$other/build/$name" "$work/second"
    cmp "$work/first" "$work/second" || { echo "same: $name differs between two builds" >&2; exit 1; }
    echo "same: $name $(sha256sum <"$work/first" | cut -c 1-64)$(readelf -n "$work/first" 2>/dev/null | sed -n 's/.*Build ID: /, build id /p' | head -n 1)"
done
echo "same: two folders, $([ -n "$user" ] && echo 'two users' || echo 'one user (root makes it two)'), the same bytes"
