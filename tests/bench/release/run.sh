#!/bin/sh
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
