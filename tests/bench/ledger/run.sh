#!/bin/sh
# SPDX-License-Identifier: MIT
# A ledger: charges a second to a file and to a PostgreSQL server, and the processor time of `ledger spend` behind many entries.
set -eu
python3 "$(dirname "$0")/spends.py" "$PROBITY"
