#!/bin/sh
# SPDX-License-Identifier: MIT
# wheel.sh BUILD VERSION SOVERSION: the wheel of the Python package, with the shared library of BUILD in it, into
# BUILD/wheels. cffi and setuptools come from pip, into BUILD/python.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$(cd "$1" && pwd)
version=$2
library=libprobity.so.$3

builder=$build/python/builder
if [ ! -x "$builder/bin/pip" ]; then
    python3 -m venv "$builder"
fi
"$builder/bin/pip" install -q --disable-pip-version-check -r "$here/requirements.txt"

# setuptools writes beside the sources: it gets a copy of them.
copy=$build/python/source
rm -rf "$copy" "$build/wheels"
mkdir -p "$copy" "$build/wheels"
cp -R "$here/." "$copy"
strip --strip-debug -o "$copy/probity/$library" "$build/$library"

PROBITY_VERSION=$version PROBITY_INCLUDE=$root/include PROBITY_LIB=$build \
    "$builder/bin/pip" wheel -q --disable-pip-version-check --no-build-isolation --no-deps -w "$build/wheels" "$copy"
ls "$build/wheels"/*.whl
