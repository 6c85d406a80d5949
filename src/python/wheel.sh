#!/bin/sh
# SPDX-License-Identifier: MIT
# Packs the Python package. setuptools, cffi and what else packs it come from pip, into BUILD/python.
#   usage: wheel.sh BUILD plain                 a wheel for this machine, which needs its libraries, into BUILD/python/wheels
#          wheel.sh BUILD portable              a wheel that brings the libraries along, into BUILD/wheels
#          wheel.sh BUILD sdist                 the source distribution, with the library's sources in it, into BUILD/wheels
#          wheel.sh BUILD port STAGE PLATFORM   a wheel of what make install wrote to STAGE for a PLATFORM such as
#                                               manylinux_2_28_aarch64, for which CC compiles, into BUILD/wheels
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
mkdir -p "$1/python/wheels" "$1/wheels"
build=$(cd "$1" && pwd)
builder=$build/python/builder
[ -x "$builder/bin/pip" ] || python3 -m venv "$builder"
"$builder/bin/pip" install -q --disable-pip-version-check -r "$here/requirements.txt"

# setuptools writes beside the sources: it gets a copy of them.
copy=$build/python/source
copied() {
    rm -rf "$copy"
    mkdir -p "$copy/man"
    cp -R "$here/." "$root/LICENSE" "$copy"
    rm -rf "$copy/wheel.sh" "$copy/requirements.txt" "$copy/repair.txt" "$copy/probity/__pycache__"
    cp "$root"/docs/*.1 "$copy/man"
}

# packed OUT STAGE [PLATFORM]
packed() {
    copied
    tag=${3:-linux_$(uname -m)}
    rm -f "$1"/*-"$tag".whl
    # Python's own linker flags may name the folder that Python lies in, as those of pyenv do.
    LDSHARED="${CC:-gcc} -shared" PROBITY_TREE=$root PROBITY_STAGE=$(cd "$2" && pwd) PROBITY_PLATFORM=${3:-} \
        "$builder/bin/pip" wheel -q --disable-pip-version-check --no-build-isolation --no-deps -w "$1" "$copy"
    made=$(ls "$1"/*-"$tag".whl)
}

# Packs the build as make install lays it out.
plain() {
    stage=$build/python/stage
    rm -rf "$stage"
    make -s --no-print-directory -C "$root" BUILD="$build" need=@: PREFIX="$stage" install >"$build/python/install.log" 2>&1 || { cat "$build/python/install.log" >&2; exit 1; }
    strip --strip-debug "$stage/bin/probity" "$stage/lib/libprobity.so"
    packed "$build/python/wheels" "$stage"
}

case $2 in
plain) plain ;;
portable)
    plain
    rm -f "$build"/wheels/*_"$(uname -m)".whl
    "$builder/bin/pip" install -q --disable-pip-version-check -r "$here/repair.txt"
    PATH=$builder/bin:$PATH "$builder/bin/auditwheel" repair -w "$build/wheels" "$made" 2>"$build/python/repair.log" >&2 ||
        { cat "$build/python/repair.log" >&2; exit 1; }
    made=$(ls "$build"/wheels/*_"$(uname -m)".whl)
    ;;
sdist)
    copied
    mkdir "$copy/library"
    tar -C "$root" -c --exclude=__pycache__ --exclude=src/python Makefile LICENSE README.md src include acsl proofs docs | tar -C "$copy/library" -x
    printf 'graft library\ninclude binding.py adapter.c\n' >"$copy/MANIFEST.in"
    rm -f "$build"/wheels/*.tar.gz
    cd "$copy"
    "$builder/bin/python" -c 'import sys; from setuptools.build_meta import build_sdist; build_sdist(sys.argv[1])' "$build/wheels" \
        >"$build/python/sdist.log" 2>&1 || { cat "$build/python/sdist.log" >&2; exit 1; }
    made=$(ls "$build"/wheels/*.tar.gz)
    ;;
port) packed "$build/wheels" "$3" "$4" ;;
*) echo "wheel: '$2': expected plain, portable, sdist or port" >&2 && exit 2 ;;
esac
echo "$made"
