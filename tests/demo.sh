#!/bin/sh
# SPDX-License-Identifier: MIT
# The main job on a built-in example: certify, release, verify, audit.  usage: demo.sh COMMAND
set -eu
probity=$(realpath "$1")
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say() { printf '\n\033[1m%s\033[0m\n' "$1"; }
run() { printf '$ probity %s\n' "$*"; "$probity" "$@"; }
must_refuse() { if run "$@"; then echo "demo: this should have been refused: $*" >&2; exit 1; fi; }

say 'What does the mechanism cost? Exactly, and as the paper bounds it:'
run loss stlap:eps=1/2,q=40 --epsilon 1/2

say 'A certificate of that, and of the accuracy on so many records, which anyone can check again from nothing:'
cp "$here/vectors/ages.csv" "$work/ages.csv"
cd "$work"
patients=$(awk -F, 'NR > 1 { n += $2 } END { print n }' ages.csv)
run certify stlap:eps=1/2,q=40 --epsilon 1/2 --records "$patients" --support 11 -o certificate.json
cat certificate.json
run verify certificate.json

say 'A certificate that was tampered with is refused:'
sed 's/q=40/q=39/' certificate.json > forged.json
must_refuse verify forged.json

say 'One private release under it (true counts on the left, released on the right):'
run release certificate.json ages.csv -o released.csv
paste -d '|' ages.csv released.csv | awk -F'|' '{ printf "  %-16s %s\n", $1, $2 }'

say 'The oldest age group that the release shows, and the oldest with at least 100 patients:'
run stat max released.csv
run stat max_k --k 100 released.csv

say 'What these are good for: exact for the data less a part alpha of the records, with certainty:'
run accuracy stlap:eps=1/2,q=40 --n "$patients" --support 11 --statistic max,max_k --k 100

# Made-up neighbours: the second has one record more.
printf '20,60\n30,75\n40,50\n' > fewer.csv
printf '20,60\n30,76\n40,50\n' > more.csv
# Nothing is seeded: that one of these audits ends otherwise has a chance below 2e-10.
claim='--epsilon 1/2 --delta 1.5e-5 --error 1e-10'

say 'An audit of twenty thousand releases of neighbours, from their outputs alone:'
run audit --release stlap:eps=1/2,q=40 --inputs fewer.csv more.csv -n 20000 $claim

say 'And of a mechanism that makes the same claim with a quarter of the noise:'
must_refuse audit --release stlap:eps=2,q=40 --inputs fewer.csv more.csv -n 20000 $claim
