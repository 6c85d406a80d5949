#!/bin/sh
# SPDX-License-Identifier: MIT
# The programs of docs/examples, built with pkg-config against the library installed below PREFIX, and run:
# each must print what its first comment says, or begin with it where that ends in a line "...". The C++ ones are built
# with CMake too, where it is there.  usage: examples.sh PREFIX
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
libs="$(pkg-config --libs probity) -lm" # record.c computes its noise itself

# The lines between "It prints:" and the end of the first comment.
promised() { sed -n '/^ \* It prints:/,/^ \*\//s/^ \*     //p' "$1"; }

# runs SOURCE PROGRAM: in an empty folder, it prints what SOURCE promises
runs() {
    rm -rf "$work/folder"
    mkdir "$work/folder"
    (cd "$work/folder" && "$work/$2" > "$work/out") || { echo "$2: exit status $?" >&2; exit 1; }
    promised "$here/$1" > "$work/promised"
    if [ "$(tail -n 1 "$work/promised")" = ... ]; then
        sed -i '$d' "$work/promised"
        lines=$(wc -l < "$work/promised")
        [ "$(wc -l < "$work/out")" -gt "$lines" ] || { echo "$2: no more than its comment promises" >&2; exit 1; }
        head -n "$lines" "$work/out" > "$work/head" && mv "$work/head" "$work/out"
    fi
    diff -u "$work/promised" "$work/out" || { echo "$2: not what its comment promises" >&2; exit 1; }
}

for source in "$here"/*.c; do
    name=$(basename "$source" .c)
    # shellcheck disable=SC2086
    ${CC:-cc} -std=c11 $strict $cflags "$source" $libs -o "$work/$name"
    runs "$name.c" "$name"
    grep -q 'is C and C++' "$source" || continue
    # shellcheck disable=SC2086
    ${CXX:-c++} -std=c++17 $strict $cflags -x c++ "$source" -x none $libs -o "$work/$name-c++"
    runs "$name.c" "$name-c++"
done
for source in "$here"/*.cpp; do
    name=$(basename "$source" .cpp)
    # shellcheck disable=SC2086
    ${CXX:-c++} -std=c++17 $strict $cflags "$source" $libs -o "$work/$name-hpp"
    runs "$name.cpp" "$name-hpp"
done

# The CMake package, asked for by its version from a project that knows nothing but its prefix.
with=
if command -v cmake >/dev/null; then
    mkdir "$work/project"
    cat > "$work/project/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.13)
project(face CXX)
set(CMAKE_CXX_STANDARD 17)
find_package(probity $(pkg-config --modversion probity | sed 's/[.][^.]*$//') REQUIRED)
find_package(probity 99.0 QUIET)
if(probity_FOUND)
    message(FATAL_ERROR "another version was taken for this one")
endif()
add_executable(face "$here/face.cpp")
target_link_libraries(face probity::probity)
END
    cmake -S "$work/project" -B "$work/project/build" "-DCMAKE_PREFIX_PATH=$prefix" "-DCMAKE_CXX_FLAGS=${CFLAGS:-}" \
        > "$work/log" 2>&1 && cmake --build "$work/project/build" >> "$work/log" 2>&1 ||
        { cat "$work/log" >&2; exit 1; }
    cp "$work/project/build/face" "$work/face-cmake"
    runs face.cpp face-cmake
    with=' and CMake'
fi
echo "examples: built against $(pkg-config --modversion probity) through pkg-config$with, and run"
