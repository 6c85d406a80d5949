#!/bin/sh
# Every public header stands alone, in C11 and in C++17, without a warning; and of all headers, the library's own among
# them, no two give one name two meanings.  usage: headers.sh [INCLUDE [SOURCE]]
set -eu
include=$(realpath "${1:-$(dirname "$0")/../include}")
source=$(realpath "${2:-$(dirname "$0")/../src}")
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

cd "$source"
{
    echo '#include <probity.h>'
    find . -name '*.h' | sort | sed 's/.*/#include "&"/'
} | gcc -std=c11 -D_GNU_SOURCE $strict "-I$include" -I. -I.. -x c - || { echo "src: a name with two meanings" >&2; exit 1; }
echo "headers: $count, each alone, in C11 and C++17; all of src together"
