#!/bin/sh
# SPDX-License-Identifier: MIT
# check.sh BUILD: builds a wheel for this machine, installs it in an environment that has seen nothing of the tree,
# and runs the tests of tests/python. What pip cannot fetch is left out with a word.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
fresh=$build/python/fresh

wheels=$build/python/wheels

if ! "$here/../../src/python/wheel.sh" "$build" plain >"$build/python-wheel.log" 2>&1; then
    if grep -q 'No matching distribution' "$build/python-wheel.log"; then
        echo "python: skipped, pip cannot fetch what the wheel is built with"
        exit 0
    fi
    cat "$build/python-wheel.log"
    exit 1
fi
[ -x "$fresh/bin/pip" ] || python3 -m venv "$fresh"
pip() { "$fresh/bin/pip" -q --disable-pip-version-check "$@"; }
pip install --force-reinstall --no-deps "$wheels"/*.whl
pip install "$wheels"/*.whl
if ! pip install --only-binary :all: -r "$here/requirements.txt" 2>"$build/python-packages.log"; then
    while read -r package; do
        pip install --only-binary :all: "$package" 2>>"$build/python-packages.log" ||
            echo "python: without $package, which pip cannot fetch"
    done <"$here/requirements.txt"
fi
if [ ! -x "$fresh/bin/pytest" ]; then
    echo "python: the wheel installs; its tests are skipped without pytest"
    exit 0
fi
cd "$build" && "$fresh/bin/pytest" -q -p no:cacheprovider "$here"
