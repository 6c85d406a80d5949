#!/bin/sh
# The main job on a built-in example: certify, release, verify, audit.  usage: demo.sh COMMAND
set -eu
probity=$(realpath "$1")
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say() { printf '\n\033[1m%s\033[0m\n' "$1"; }
run() { printf '$ probity %s\n' "$*"; "$probity" "$@"; }

say 'What does the mechanism cost? Exactly, and as the paper bounds it:'
run loss stlap:eps=1/2,q=40 --epsilon 1/2

say 'A certificate of that, which anyone can check again from nothing:'
cp "$here/vectors/example.csv" "$work/counts.csv"
cd "$work"
run certify stlap:eps=1/2,q=40 --epsilon 1/2 -o certificate.json
cat certificate.json
run verify certificate.json

say 'One private release under it (true counts on the left, released on the right):'
run release certificate.json counts.csv -o released.csv
paste -d '|' counts.csv released.csv | awk -F'|' '{ printf "  %-32s %s\n", $1, $2 }'

say 'A certificate that was tampered with is refused:'
sed 's/q=40/q=39/' certificate.json > forged.json
printf '$ probity verify forged.json\n'
if "$probity" verify forged.json; then echo 'a forged certificate was accepted' >&2; exit 1; fi

# $1 is the rate of the noise that the program really adds; both programs claim epsilon 1/2.
audit() {
    "$probity" audit --epsilon 1/2 -n 100000 --inputs 10 11 --command \
        "'$probity' draw geometric:eps=$1 -n {n} | awk -v x={input} '{ print \$1 + x }'"
}

say 'An audit of a count with the noise that was promised, from its outputs alone:'
audit 1/2

say 'And of one that adds half of the noise it promised:'
if audit 1; then echo 'a broken mechanism was not caught' >&2; exit 1; fi
