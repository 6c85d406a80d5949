#!/bin/sh
# The programs of docs/examples, built with pkg-config against the library installed below PREFIX, and run:
# each must print what its first comment says.  usage: examples.sh PREFIX
# CC, CXX and CFLAGS are taken from the environment.
set -eu
prefix=$(realpath "$1")
here=$(realpath "$(dirname "$0")/../docs/examples")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
strict="-Wall -Wextra -Wpedantic -Werror ${CFLAGS:-}"
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
export LD_LIBRARY_PATH="$prefix/lib"
cflags=$(pkg-config --cflags probity)
libs=$(pkg-config --libs probity)

# The lines between "It prints:" and the end of the first comment.
promised() { sed -n '/^ \* It prints:/,/^ \*\//s/^ \*     //p' "$1"; }

# runs NAME PROGRAM: what it prints is what NAME.c promises
runs() {
    "$work/$2" > "$work/out" || { echo "$2: exit status $?" >&2; exit 1; }
    promised "$here/$1.c" | diff -u - "$work/out" || { echo "$2: not what its comment promises" >&2; exit 1; }
}

for source in "$here"/*.c; do
    name=$(basename "$source" .c)
    # shellcheck disable=SC2086
    ${CC:-cc} -std=c11 $strict $cflags "$source" $libs -o "$work/$name"
    runs "$name" "$name"
    grep -q 'is C and C++' "$source" || continue
    # shellcheck disable=SC2086
    ${CXX:-c++} -std=c++17 $strict $cflags -x c++ "$source" -x none $libs -o "$work/$name-c++"
    runs "$name" "$name-c++"
done
echo "examples: built against $(pkg-config --modversion probity) through pkg-config, and run"
