#!/bin/sh
# SPDX-License-Identifier: MIT
# Compositions beside dp_accounting, which pip fetches when it can; without it our own times stand alone.
set -e
if [ -x "$PYTHON" ]; then
  "$PYTHON" -c 'import dp_accounting' 2>/dev/null || "$PYTHON" -m pip install -q dp-accounting || \
    echo "no dp_accounting: its columns are left empty"
else
  PYTHON=python3
fi
exec "$PYTHON" "$(dirname "$0")/peer.py" "$BENCH/compose"
