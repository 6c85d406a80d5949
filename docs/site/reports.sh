#!/bin/sh
# SPDX-License-Identifier: MIT
# Two reports for the site to show: a mechanism explained, and an audit of noise that is too small for its claim. The
# noise comes from seeds, so that the pages are the same every time.  usage: reports.sh PROBITY FOLDER
set -eu
probity=$(realpath "$1")
mkdir -p "$2"
cd "$2"
"$probity" explain stlap:eps=1/2,q=40 --report explain.html >/dev/null
for side in left right; do
    seed=$(printf '%s' $side | sha256sum | cut -c 1-64)
    "$probity" draw geometric:eps=1/2 -n 20000 --seed "$seed" 2>/dev/null >$side.txt
done
awk '{ print $1 + 1 }' right.txt >moved.txt
status=0
"$probity" audit left.txt moved.txt --epsilon 1/10 --name 'a count with noise of epsilon 1/2' --report audit.html \
    >/dev/null 2>&1 || status=$?
[ $status = 1 ] || { echo "reports: the audit ended with status $status" >&2; exit 1; }
rm left.txt right.txt moved.txt
