#!/bin/sh
# SPDX-License-Identifier: MIT
# Every public header stands alone, in C11 and in C++17, without a warning, and probity.hpp in C++17; every function there says which pointers
# must not be NULL and that its result may not be thrown away; and of all headers, the library's own among them, no two
# give one name two meanings. FLINT is the folder of its headers.  usage: headers.sh [INCLUDE [SOURCE]]
set -eu
include=$(realpath "${1:-$(dirname "$0")/../include}")
source=$(realpath "${2:-$(dirname "$0")/../src}")
strict='-Wall -Wextra -Wpedantic -Werror -fsyntax-only'
count=0
cd "$include"
for header in probity.h probity/*.h probity/experimental/*.h; do
    # Twice: the second time shows that it is guarded.
    unit=$(printf '#include <%s>\n#include <%s>\n' "$header" "$header")
    for compiler in gcc clang; do
        printf '%s\n' "$unit" | $compiler -std=c11 $strict -I. -x c - || { echo "$header: not C11 ($compiler)" >&2; exit 1; }
        printf '%s\n' "$unit" | $compiler -std=c++17 $strict -I. -x c++ - ||
            { echo "$header: not C++17 ($compiler)" >&2; exit 1; }
    done
    case $header in
    probity.h | probity/compat.h) ;; # what replaced functions is asked for by name
    *) grep -q "^#include \"$header\"" probity.h || { echo "$header: probity.h does not include it" >&2; exit 1; } ;;
    esac
    case $header in
    probity.h | probity/experimental/*) ;;
    *) ! grep -q 'include "probity/experimental' "$header" || { echo "$header: it is stable, and includes an experimental one" >&2; exit 1; } ;;
    esac
    count=$((count + 1))
done

for compiler in gcc clang; do
    printf '#include <probity.hpp>\n#include <probity.hpp>\n' | $compiler -std=c++17 $strict -I. -x c++ - ||
        { echo "probity.hpp: not C++17 ($compiler)" >&2; exit 1; }
done

# As clang reads them. A pby_error may always be NULL, and so may what is freed, and all that pby_verify takes; two
# functions have a second result.
clang -std=c11 -fsyntax-only -I. -Xclang -ast-dump -x c probity.h | awk '
    function tell(what) { print name ": " what > "/dev/stderr"; bad = 1 }
    function judge()
    {
        if (name == "")
            return
        seen++
        if (!void && !checked && name !~ /^pby_(bucketing_counts|entropy_recorded)$/)
            tell("without PBY_CHECKED")
        if (pointers && !nonnull && name !~ /_(free|close)$|^pby_(verify|value_text|value_rational)$/)
            tell("without PBY_NONNULL")
    }
    /^[|`]-/ { judge(); name = "" }
    /^[|`]-FunctionDecl .* pby_[a-z0-9_]+ / {
        match($0, / pby_[a-z0-9_]+ \047/)
        name = substr($0, RSTART + 1, RLENGTH - 3)
        void = substr($0, RSTART + RLENGTH) ~ /^void \(/
        checked = nonnull = pointers = 0
    }
    /^[|`] [|`]-ParmVarDecl .*\*/ && !/pby_error \*\047$/ { pointers++ }
    /^[|`] [|`]-WarnUnusedResultAttr/ { checked = 1 }
    /^[|`] [|`]-NonNullAttr/ { nonnull = 1 }
    END { judge(); if (seen < 100) { name = "headers"; tell("hardly any functions found") } exit bad }' || exit 1

cd "$source"
{
    echo '#include <probity.h>'
    # Those of web/wasi stand in for headers of another system.
    find . -name '*.h' -not -path './web/wasi/*' | sort | sed 's/.*/#include "&"/'
} | gcc -std=c11 -D_GNU_SOURCE $strict "-I$include" -I. -I.. ${FLINT:+-isystem "$FLINT"} -x c - || { echo "src: a name with two meanings" >&2; exit 1; }
echo "headers: $count, each alone, in C11 and C++17, every function annotated; all of src together"
