#!/bin/sh
# SPDX-License-Identifier: MIT
# One choice among a million candidates of distinct scores, exact, beside other exponential mechanisms in floating
# point or with their own exact noise. Processor time of both, in one run, data in memory.
set -eu
here=$(dirname "$0")
own=$("$BENCH/choose")
echo "exponential:eps=1/10000, a million scores: $own s"
for peer in opendp diffprivlib; do
    if seconds=$(sh "$PEER" "$peer" "$here/peers.py" "$peer"); then
        echo "  $(awk "BEGIN { printf \"%.0f\", $seconds / $own }") times faster than $peer ($seconds s)"
    fi
done
