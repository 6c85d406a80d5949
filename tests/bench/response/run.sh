#!/bin/sh
# SPDX-License-Identifier: MIT
# Ten million randomised responses beside numpy's in floating point, in one run: answers in memory, processor time.
set -eu
here=$(dirname "$0")
sh "$PEER" numpy "$here/peer.py" >"$BENCH/peer" && sed 1q "$BENCH/peer"
printf '%-28s %10s %14s %10s\n' 'spec' 'ms' 'numpy, ms' 'of numpy'
for spec in rr:eps=1 rr:odds=3 krr:eps=3/2,k=3 krr:eps=2,k=100; do
    own=$("$BENCH/response" "$spec")
    peer=$(awk -v spec="$spec" '$1 == spec { print $2 }' "$BENCH/peer")
    printf '%-28s %10s %14s %10s\n' "$spec" "$own" "$peer" \
        "$([ -z "$peer" ] || awk "BEGIN { printf \"%.2f\", $own / $peer }")"
done
