#!/bin/sh
# SPDX-License-Identifier: MIT
# Exact draws beside other samplers, in one run: medians, and ratios against each peer.
set -eu
here=$(dirname "$0")
peers=$(mktemp)
trap 'rm -f "$peers"' EXIT
for peer in numpy opendp diffprivlib; do sh "$PEER" "$peer" "$here/peers.py" "$peer" >>"$peers" || :; done

ratio() { awk "BEGIN { printf \"%.2f\", $1 / $2 }"; }
of() { awk -F '\t' -v name="$1" '$1 == name { print $2 }' "$peers"; }
# $1 ns, $2 a peer's name: how many times faster than it, or nothing where it is not installed
faster() { peer=$(of "$2"); if [ -n "$peer" ]; then echo "  $(awk "BEGIN { printf \"%.0f\", $peer / $1 }") times faster than $2 ($peer ns)"; fi; }

numpy=$(of 'numpy laplace')
echo "numpy Generator.laplace: ${numpy:--} ns a draw, in floating point"
printf '%-22s %-12s %8s %10s %8s %10s\n' spec path 'ns' 'of numpy' words 'entropy'
for spec in geometric:eps=1/10 'stlap:eps=1/2,q=40'; do
    for path in fast timing-safe; do
        set -- $("$BENCH/draw" "$path" "$spec")
        printf '%-22s %-12s %8s %10s %8s %5s bits\n' "$spec" "$path" "$1" "$([ -z "$numpy" ] || ratio "$1" "$numpy")" "$2" "$3"
    done
done
set -- $("$BENCH/draw" fast geometric:eps=1/10)
faster "$1" 'opendp discrete laplace'
faster "$1" 'ibm geometric'
set -- $("$BENCH/draw" fast dgauss:sigma2=100)
echo "dgauss:sigma2=100: $1 ns a draw"
faster "$1" 'opendp discrete gaussian'
faster "$1" 'ibm discrete gaussian'
set -- $("$BENCH/draw" threads geometric:eps=1/10 1) $("$BENCH/draw" threads geometric:eps=1/10 2)
echo "threads: $1 ns a draw on one, $3 on two: $(ratio "$1" "$3") times by the clock"
echo "  by processor time, $2 ns on one and $4 on two: $(ratio "2 * $2" "$4") times with both cores free"
echo "first draw of stlap:eps=1/2,q=1000: $("$BENCH/draw" first stlap:eps=1/2,q=1000) ms"
for spec in geometric:eps=1/10 'stlap:eps=1/2,q=40'; do
    set -- $("$BENCH/welch" "$spec")
    echo "fixed against random, Welch's t over a million draws of $spec: $1 timing-safe, $2 quick"
done
