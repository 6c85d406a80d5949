#!/bin/sh
# SPDX-License-Identifier: MIT
# The shared library exports what the public headers declare, no more and no less; and every name that the static one
# gives to a linker begins with pby_.  usage: symbols.sh STATIC SHARED [INCLUDE]
set -eu
static=$1
shared=$2
include=${3:-$(dirname "$0")/../include}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Functions as the compiler reads them, and variables as they stand: the compiler lists none.
echo '#include <probity.h>' | gcc -std=c11 -fsyntax-only "-I$include" -aux-info "$work/prototypes" -x c -
{
    sed -n "s|^/\* [^ ]*probity[^ ]*\.h:[0-9]*:[A-Z]* \*/ extern [^(]*[ *]\(pby_[a-z0-9_]*\) (.*|\1|p" "$work/prototypes"
    sed -n 's/^extern [^(]*[ *]\([a-z0-9_]*\)\(\[.*\)\{0,1\};.*/\1/p' "$include"/probity.h "$include"/probity/*.h "$include"/probity/experimental/*.h
} | sort -u >"$work/declared"
nm -D --defined-only "$shared" | awk '{ print $NF }' | sort -u >"$work/exported"

# Both lists are read from what other programs print: an empty one is a fault of this script.
for list in declared exported; do
    [ "$(wc -l <"$work/$list")" -gt 100 ] || { echo "symbols: $list: hardly any found" >&2; exit 1; }
done

tell()
{
    [ ! -s "$1" ] || { sed "s|^|symbols: $2: |" "$1" >&2; exit 1; }
}

comm -13 "$work/declared" "$work/exported" >"$work/extra"
comm -23 "$work/declared" "$work/exported" >"$work/missing"
tell "$work/extra" "exported, and declared in no public header"
tell "$work/missing" "declared in a public header, and not exported"

nm -g --defined-only "$static" | awk 'NF == 3 && $3 !~ /^pby_/ { print $3 }' >"$work/foreign"
tell "$work/foreign" "in the static library without pby_"
echo "symbols: $(wc -l <"$work/exported") exported, each declared; $(nm -g --defined-only "$static" |
    awk 'NF == 3' | wc -l) in the static library, each beginning with pby_"
