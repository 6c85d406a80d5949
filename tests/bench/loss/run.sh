#!/bin/sh
# SPDX-License-Identifier: MIT
# Compositions beside dp_accounting, which peer.py asks in a process of its own.
set -e
[ -x "$PYTHON" ] || PYTHON=python3
exec "$PYTHON" "$(dirname "$0")/peer.py" "$BENCH/compose"
