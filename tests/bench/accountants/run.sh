#!/bin/sh
# The same training runs by several accountants; those that pip does not fetch are left out.
set -e
if [ -x "$PYTHON" ]; then
  for package in dp-accounting prv-accountant; do
    "$PYTHON" -m pip install -q "$package" >/dev/null 2>&1 || echo "no $package: its column is left empty"
  done
else
  PYTHON=python3
fi
exec "$PYTHON" "$(dirname "$0")/table.py" "$PROBITY"
