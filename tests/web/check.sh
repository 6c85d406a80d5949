#!/bin/sh
# SPDX-License-Identifier: MIT
# The WebAssembly module answers as the command does, and the pages work in a browser.   usage: check.sh BUILD [LOSSES]
set -eu
cd "$(dirname "$0")/../.."
node tests/web/compare.mjs "$1" "${2:-300}"
node tests/web/package.mjs "$1"
node tests/web/pages.mjs "$1"
