#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the peers of tests/bench/peers.txt into an environment of their own.  usage: install.sh FOLDER
# The peers are optional: one that pip cannot fetch is named, and its ratios are left out.
set -eu
folder=$1 list=$(dirname "$0")/peers.txt
stamp=$folder/$(sha256sum "$list" | cut -c1-16)
[ -e "$stamp" ] && exit 0
rm -rf "${folder:?}"
if ! python3 -m venv "$folder" >"$folder.log" 2>&1; then
    echo "no peers: python3 -m venv failed (see $folder.log); all ratios are left out"
    rm -rf "${folder:?}"
    exit 0
fi
missing=
while read -r peer; do
    case $peer in '' | '#'*) continue ;; esac
    # shellcheck disable=SC2086 # a line may have an option in front of the requirement
    "$folder/bin/python3" -m pip install -q $peer >>"$folder.log" 2>&1 </dev/null || missing="$missing ${peer##* }"
done <"$list"
[ -z "$missing" ] || echo "pip could not fetch:$missing (see $folder.log); their ratios are left out"
# Without one of them the next run tries again.
[ -n "$missing" ] || touch "$stamp"
