#!/bin/sh
# Exact draws beside NumPy's floating-point Generator.laplace, in one run.
set -eu
here=$(dirname "$0")
peer=
if "$PYTHON" -c 'import numpy' 2>/dev/null; then peer=$("$PYTHON" "$here/numpy_laplace.py"); fi
printf '%-26s %12s %12s %12s %8s\n' spec 'ns a draw' 'numpy ns' 'first, ms' ratio
for spec in geometric:eps=1/10 stlap:eps=1/2,q=40; do
    set -- $("$BENCH/draw" "$spec")
    if [ -n "$peer" ]; then ratio=$(awk "BEGIN { printf \"%.2f\", $1 / $peer }"); else ratio='no numpy'; fi
    printf '%-26s %12s %12s %12s %8s\n' "$spec" "$1" "${peer:--}" "$2" "$ratio"
done
