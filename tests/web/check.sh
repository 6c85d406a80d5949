#!/bin/sh
# SPDX-License-Identifier: MIT
# The WebAssembly module answers as the command does, and the pages work in a browser.   usage: check.sh BUILD [LOSSES]
set -eu
cd "$(dirname "$0")/../.."
# The edits that a forger would try, which the suite makes and seals again.
rm -rf "$1/web/forged"
mkdir -p "$1/web/forged"
PROBITY="$1/probity" PROBITY_FORGED="$1/web/forged" "$1/suite" --filter 'resealed/*' --timeout 900 >"$1/web/forged.log" 2>&1 || { cat "$1/web/forged.log" >&2; exit 1; }
node tests/web/compare.mjs "$1" "${2:-300}"
node tests/web/package.mjs "$1"
node tests/web/pages.mjs "$1"
