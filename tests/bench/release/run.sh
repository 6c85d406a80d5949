#!/bin/sh
# SPDX-License-Identifier: MIT
# A release of ten million bars, by its parts, beside parsing and writing the same bars with no noise. A threshold
# release is sorted by name, which costs little when the input is.
set -eu
bars=${BARS:-10000000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf '%-34s %12s %12s %12s %16s %8s\n' "spec, $bars bars" 'parse, ns' 'draw, ns' 'write, ns' 'parse+write, ns' ratio
for run in 'stlap:eps=1/2,q=40 sorted' 'threshold:eps=1,T=20 sorted' 'threshold:eps=1,T=900 shuffled' \
    'threshold:eps=1,T=20 shuffled'; do
    spec=${run% *} order=${run#* }
    costs=$("$BENCH/release" "$spec" "$bars" "$folder/bars.csv" "$order")
    set -- $costs
    printf '%-34s %12s %12s %12s %16s %8s\n' "$spec, $order" "$@"
done

# By the clock and in processor time: from file to file, from batches of Arrow's in memory to others, and Polars.
here=$(dirname "$0")
spec=stlap:eps=1/2,q=40
awk -v n="$bars" 'BEGIN { for (i = 0; i < n; i++) printf "k%08x,%d\n", (i * 40503) % 4294967291, i * 7919 % 1000 }' \
    >"$folder/bars.csv"
printf '\n%-34s %12s %12s\n' "$spec, $bars bars" 'clock, s' 'processor, s'
command time -o "$folder/time" -f '%e %U %S' "$PROBITY" release "$spec" "$folder/bars.csv" -o "$folder/out.csv" --quiet
awk 'END { printf "%-34s %12.2f %12.2f\n", "CSV to CSV", $1, $2 + $3 }' "$folder/time"
set -- $("$BENCH/arrow" "$spec" "$bars")
printf '%-34s %12s %12s\n' 'Arrow to Arrow' "$@"
if answer=$(sh "$PEER" polars "$here/peer.py" "$folder/bars.csv" "$folder/out.csv"); then
    set -- $answer
    printf '%-34s %12s %12s\n' 'Polars, CSV to CSV, floating point' "$@"
fi
