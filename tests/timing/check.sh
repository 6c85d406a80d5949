#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks that timing-safe code does not depend on secrets: valgrind runs it with the secret words and counts undefined,
# and reports each branch and each address that depends on one. Then one such branch is planted, and must be reported.
#
#   tests/timing/check.sh build/libprobity.a build/timing
#
# Three builds of the silent kernel are run: the library's own, which on a machine with wide vectors uses those; the
# code for machines without them; and what clang makes of it. The five files that make something public on purpose
# are built again each time, so that valgrind is told (src/base/public.h).
set -eu
library=$1
folder=$2
mkdir -p "$folder"
# valgrind reads DWARF 4 from either compiler
flint=${FLINT:-/usr/include/flint}
flags="-std=c11 -D_GNU_SOURCE -gdwarf-4 -Iinclude -Isrc -I. -isystem $flint -include base/widths.h -DPBY_TIMING_CHECK"
libraries="-lsqlite3 -ljansson -lsodium $([ -e "$flint/arb.h" ] || echo -lflint-arb) -lflint -lmpfr -lgmp -lm -lpthread"
outside='tests/timing/valgrind/secrets.c src/law/law_silent.c src/mechanism/run/timing_safe.c src/mechanism/shared/noise.c
    src/mechanism/response/family_response.c src/law/flips.c'
# the texts that the library was built from, without the attribute that asks for wide vectors
texts=$(dirname "$library")/kernel
kernel=
for name in silent silent_halves contraction fit response; do
    sed 's/__attribute__((target_clones("avx2", "default"))) //' "$texts/$name.i" > "$folder/$name.i"
    kernel="$kernel $folder/$name.i"
done
objects() {
    cc=$1
    made=
    for file in $kernel; do
        $cc -std=c11 -ffreestanding -fno-strict-aliasing -gdwarf-4 -O3 -c "$file" -o "${file%.i}.$cc.o"
        made="$made ${file%.i}.$cc.o"
    done
}
${CC:-cc} $flags -O2 $outside "$library" $libraries -o "$folder/library"
objects "${CC:-cc}"
${CC:-cc} $flags -O3 $outside $made "$library" $libraries -o "$folder/plain"
objects clang
clang $flags -O3 $outside $made "$library" $libraries -o "$folder/clang"

# $1 a build, then its arguments
report() {
    build=$1
    shift
    valgrind --tool=memcheck --error-exitcode=9 --undef-value-errors=yes --leak-check=no "$folder/$build" "$@" \
        > "$folder/$build$*.report" 2>&1
}

report library & first=$!
report plain & second=$!
report clang & third=$!
for run in library:$first plain:$second clang:$third; do
    if ! wait "${run#*:}"; then
        echo "timing: something depends on a secret (${run%:*}):" >&2
        cat "$folder/${run%:*}.report" >&2
        exit 1
    fi
done
status=0
report library --plant || status=$?
planted="$folder/library--plant.report"
if [ "$status" != 9 ] || ! grep -q 'Conditional jump.*uninitialised' "$planted" || ! grep -q pby_shrink "$planted"; then
    echo "timing: a planted branch on a secret was not reported" >&2
    cat "$planted" >&2
    exit 1
fi
echo "timing: no branch and no address depends on a secret, in three builds; a planted branch was reported"
