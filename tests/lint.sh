#!/bin/sh
# SPDX-License-Identifier: MIT
# Every source of src passes the checks of .clang-tidy; with SINCE=COMMIT in the environment only those that changed since.
# The arguments are the flags that a source is compiled with.
set -eu
cd "$(dirname "$0")/.."
if [ -n "${SINCE:-}" ] && ! git rev-parse --quiet --verify "$SINCE^{commit}" >/dev/null; then
    echo "lint: SINCE '$SINCE': expected a commit" >&2
    exit 2
fi
list() {
    if [ -n "${SINCE:-}" ]; then
        git diff --name-only --diff-filter=d "$SINCE" -- 'src/*.c'
    else
        find src -name '*.c'
    fi | sort
}
# Python's adapter is a part of what cffi generates, and no source by itself; src/web/wasi stands in for a C library that
# lacks what this machine's has.
files=$(list | grep -vE '^src/(python|web/wasi)/' || true)
[ -n "$files" ] || { echo "lint: no source changed"; exit 0; }
printf '%s\n' "$files" |
    xargs -P "$(nproc)" -I{} sh -c 'f=$1; shift; clang-tidy --quiet "$f" -- "$@" 2>/dev/null' sh {} "$@"
echo "lint: $(printf '%s\n' "$files" | wc -l) files"
