#!/bin/sh
# The lossy distance of two laws on the line, a million atoms in all; peer: qsort of as many doubles.
"$BENCH/lossy"
