#!/bin/sh
# Every public header stands alone, in C11 and in C++17, without a warning.  usage: headers.sh [INCLUDE]
set -eu
include=${1:-$(dirname "$0")/../include}
strict='-Wall -Wextra -Wpedantic -Werror -fsyntax-only'
count=0
cd "$include"
for header in probity.h probity/*.h; do
    # Twice: the second time shows that it is guarded.
    unit=$(printf '#include <%s>\n#include <%s>\n' "$header" "$header")
    for compiler in gcc clang; do
        printf '%s\n' "$unit" | $compiler -std=c11 $strict -I. -x c - || { echo "$header: not C11 ($compiler)" >&2; exit 1; }
        printf '%s\n' "$unit" | $compiler -std=c++17 $strict -I. -x c++ - ||
            { echo "$header: not C++17 ($compiler)" >&2; exit 1; }
    done
    case $header in
    probity.h) ;;
    *) grep -q "^#include \"$header\"" probity.h || { echo "$header: probity.h does not include it" >&2; exit 1; } ;;
    esac
    count=$((count + 1))
done
echo "headers: $count, each alone, in C11 and C++17"
