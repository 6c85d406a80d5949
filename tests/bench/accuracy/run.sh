#!/bin/sh
# SPDX-License-Identifier: MIT
# Distances of two laws: on the line, a million atoms in all, and in the plane; peer: qsort of as many doubles as there
# are atoms on the line, and pairs in the plane.
"$BENCH/lossy"
"$BENCH/metric"
