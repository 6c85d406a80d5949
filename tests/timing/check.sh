#!/bin/sh
# Whether timing-safe code depends on secrets: valgrind runs it with the secret words and counts undefined, and
# reports each branch and each address that depends on one. Then one such branch is planted, and must be
# reported.
#
#   tests/timing/check.sh build/libprobity.a build/timing
#
# The kernel is taken from the library as it is. The two files that make something public on purpose are built
# again, so that valgrind is told (src/public.h).
set -eu
library=$1
folder=$2
mkdir -p "$folder"
flags='-std=c11 -D_GNU_SOURCE -O2 -g -Iinclude -Isrc -I. -isystem /usr/include/flint -DPBY_TIMING_CHECK'
libraries='-lsqlite3 -ljansson -lsodium -lflint-arb -lflint -lmpfr -lgmp -lm -lpthread'
${CC:-cc} $flags tests/timing/valgrind/secrets.c src/law/silent.c src/mechanism/silent.c "$library" $libraries -o "$folder/secrets"

report() {
    valgrind --tool=memcheck --error-exitcode=9 --undef-value-errors=yes --leak-check=no "$folder/secrets" "$@" \
        > "$folder/report" 2>&1
}

if ! report; then
    echo "timing: something depends on a secret:" >&2
    cat "$folder/report" >&2
    exit 1
fi
status=0
report --plant || status=$?
if [ "$status" != 9 ] || ! grep -q 'Conditional jump.*uninitialised' "$folder/report" || ! grep -q pby_shrink "$folder/report"; then
    echo "timing: a planted branch on a secret was not reported" >&2
    cat "$folder/report" >&2
    exit 1
fi
echo "timing: no branch and no address depends on a secret; a planted branch was reported"
