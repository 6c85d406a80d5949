#!/bin/sh
# SPDX-License-Identifier: MIT
# A million RAPPOR reports of 128 bits beside the same in numpy, in one run: with chances of few binary digits, and of
# many.
set -eu
here=$(dirname "$0")
printf '%-66s %10s %10s %9s\n' 'spec' 'ours, ms' 'numpy, ms' 'of numpy'
for chances in '1/2 3/4 1/4' '1/3 4/5 1/7'; do
    set -- $chances
    spec=rappor:bits=128,hashes=2,f=$1,p=$2,q=$3,reports=1
    peer=$(sh "$PEER" numpy "$here/peer.py" "$(awk "BEGIN { print $1 }")" "$(awk "BEGIN { print $2 }")" \
        "$(awk "BEGIN { print $3 }")" | head -1)
    ours=$("$BENCH/rappor" "$spec")
    printf '%-66s %10s %10s %9s\n' "$spec" "$ours" "$peer" \
        "$([ -z "$peer" ] || awk "BEGIN { printf \"%.2f\", $ours / $peer }")"
done
