#!/bin/sh
# SPDX-License-Identifier: MIT
# Every source of src passes the checks of .clang-tidy. The arguments are the flags that it is compiled with.
set -eu
cd "$(dirname "$0")/.."
find src -name '*.c' | sort | xargs -P "$(nproc)" -I{} sh -c 'f=$1; shift; clang-tidy --quiet "$f" -- "$@" 2>/dev/null' sh {} "$@"
echo "lint: $(find src -name '*.c' | wc -l) files"
