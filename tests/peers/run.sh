#!/bin/sh
# SPDX-License-Identifier: MIT
# Other libraries, each in an environment of its own, and the table of what they show.  usage: run.sh PROBITY FOLDER WHEEL PART [OUT]
set -eu
probity=$1 folder=$2 wheel=$3 part=$4
cd "$(dirname "$0")/../.."
mkdir -p "$folder"
for list in tests/peers/requirements/*.txt; do
    peer=$(basename "$list" .txt)
    stamp=$folder/$peer/$(sha256sum "$list" | cut -c1-16)
    [ -e "$stamp" ] && continue
    if python3 -m venv "$folder/$peer" >"$folder/$peer.log" 2>&1 &&
        "$folder/$peer/bin/python" -m pip install -q -r "$list" >>"$folder/$peer.log" 2>&1; then
        touch "$stamp"
    else
        echo "no $peer: python3 -m venv or pip failed (see $folder/$peer.log); it is skipped"
        rm -rf "${folder:?}/$peer"
    fi
done
for python in "$folder"/*/bin/python; do
    "$python" -m pip install -q --disable-pip-version-check --force-reinstall --no-deps "$wheel"
    "$python" -m pip install -q --disable-pip-version-check "$wheel"
done
python3 tests/peers/table.py "$probity" "$folder" "$part" ${5:+"$5"}
