#!/bin/sh
# SPDX-License-Identifier: MIT
# From raw records in CSV to noisy counts by group, of each user at most three: beside pandas, Polars and DuckDB, whose
# choice of a user's records and noise are floating point. Seconds of processor time of whole processes, in one run.
set -eu
here=$(dirname "$0")
rows=${ROWS:-10000000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
awk -v n="$rows" 'BEGIN {
    srand(1); print "shop,customer,amount"
    for (i = 0; i < n; i++) printf "shop%03d,c%d,%d\n", 200 * rand() * rand(), n / 5 * rand(), 100 * rand()
}' >"$folder/records.csv"
awk 'BEGIN { for (i = 0; i < 200; i++) printf "shop%03d\n", i }' >"$folder/shops.txt"

# The processor time of a command, of whose threads all count.
cost() {
    command time -o "$folder/time" -f '%U %S' "$@" >/dev/null
    awk 'END { printf "%.2f", $1 + $2 }' "$folder/time"
}

ours=$(cost "$PROBITY" release geometric:eps=1,sensitivity=3 "$folder/records.csv" --by shop --user customer \
    --contributions 3 --filter "$folder/shops.txt" --quiet)
printf '%-34s %10s %10s\n' "$rows records to counts" 'seconds' 'of ours'
printf '%-34s %10s\n' probity "$ours"
for peer in pandas polars duckdb; do
    sh "$PEER" "$peer" -c "import numpy, $peer" || continue
    theirs=$(cost sh "$PEER" "$peer" "$here/peer.py" "$peer" "$folder") || continue
    printf '%-34s %10s %10s\n' "$peer" "$theirs" "$(awk "BEGIN { printf \"%.2f\", $theirs / $ours }")"
done
