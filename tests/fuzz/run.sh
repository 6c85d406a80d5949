#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs one target from its corpus and a fixed seed, and fails on what it finds, or when it reaches fewer edges than
# tests/fuzz/edges.txt holds it to: a target that no longer reaches its code finds nothing.
# usage: run.sh PROGRAM NAME [RUNS]
set -eu
program=$1 name=$2 here=$(dirname "$0")
set -- $(sed -n "s/^$name  *//p" "$here/edges.txt") "${3:-}"
[ $# -ge 3 ] || { echo "fuzz: $name has no line in tests/fuzz/edges.txt"; exit 1; }
runs=${4:-$1} length=$2 floor=$3
rm -rf "$program.corpus" && mkdir -p "$program.corpus"
dict=$here/$name.dict
set -- -runs="$runs" -seed=1 -max_len="$length" -timeout=60 -artifact_prefix="$program-" "$program.corpus" "$here/corpus/$name"
[ ! -e "$dict" ] || set -- -dict="$dict" "$@"
"$program" "$@" >"$program.log" 2>&1 || { cat "$program.log"; exit 1; }
edges=$(sed -n 's/.*DONE  *cov: \([0-9]*\).*/\1/p' "$program.log")
if [ "${edges:-0}" -lt "$floor" ]; then
  echo "fuzz: $name reached ${edges:-0} edges in $runs runs, and is held to $floor (tests/fuzz/edges.txt)"
  exit 1
fi
echo "fuzzed: $name, $runs runs, $edges edges"
