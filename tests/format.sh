#!/bin/sh
# SPDX-License-Identifier: MIT
# Every C and C++ source and header is laid out as .clang-format says, and no line is longer than 110 columns. Releases of
# clang-format differ in details: the tree is held to that of Debian 12.
set -eu
cd "$(dirname "$0")/.."

release=14
tool=$(command -v clang-format-$release || command -v clang-format)
found=$("$tool" --version | sed 's/.*version \([0-9]*\).*/\1/')
if [ "$found" != $release ]; then
  echo "format: skipped: clang-format $found is here, and the tree is laid out by $release"
  exit 0
fi

sources=$(find src include acsl proofs tests docs/examples docs/prove \( -name '*.[ch]' -o -name '*.[ch]pp' \) | sort)
# shellcheck disable=SC2086
"$tool" --dry-run --Werror $sources
# shellcheck disable=SC2086
long=$(awk 'length > 110 { print FILENAME ":" FNR ": longer than 110 columns" }' $sources)
if [ -n "$long" ]; then
  echo "$long" >&2
  exit 1
fi
echo "format: $(echo "$sources" | wc -l) files"
