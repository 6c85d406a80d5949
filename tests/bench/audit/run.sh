#!/bin/sh
# SPDX-License-Identifier: MIT
# Samples and seconds to detection, and the table beside DP-Sniper's numbers.
set -eu
"$BENCH/audit"
