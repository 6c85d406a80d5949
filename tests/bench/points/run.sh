#!/bin/sh
# SPDX-License-Identifier: MIT
# The time of a private point: the fbquantile of ten million records and values is to take at most 3 seconds, depth
# of G = 100 a second and of G = 256 half a minute.
set -e
"$BENCH/points"
