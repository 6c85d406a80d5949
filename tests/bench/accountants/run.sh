#!/bin/sh
# SPDX-License-Identifier: MIT
# The same training runs by several accountants; those that pip does not fetch are left out. Opacus comes without
# what it depends on: its accountants need no torch.
set -e
if [ -x "$PYTHON" ]; then
  for package in scipy dp-accounting prv-accountant autodp '--no-deps opacus'; do
    "$PYTHON" -m pip install -q $package >/dev/null 2>&1 || echo "no $package: its column is left out"
  done
else
  PYTHON=python3
fi
exec "$PYTHON" "$(dirname "$0")/table.py" "$PROBITY"
