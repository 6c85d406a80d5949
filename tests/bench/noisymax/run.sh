#!/bin/sh
# SPDX-License-Identifier: MIT
# A noisy maximum of a million distinct scores beside numpy's argmax of the scores with Laplace noise, in one run.
set -eu
here=$(dirname "$0")
peer=
if answer=$(sh "$PEER" numpy "$here/peer.py"); then
    set -- $answer
    peer=$1
    echo "$2 $3, argmax(x + laplace): $peer ms, in floating point"
fi
printf '%-36s %12s %12s %12s %10s\n' 'spec' 'add, ms' 'first, ms' 'again, ms' 'of numpy'
for spec in noisymax:eps=1/10 noisymax:eps=1/10,noise=one-sided; do
    set -- $("$BENCH/noisymax" "$spec")
    printf '%-36s %12s %12s %12s %10s\n' "$spec" "$@" \
        "$([ -z "$peer" ] || awk "BEGIN { printf \"%.2f\", $2 / $peer }")"
done
