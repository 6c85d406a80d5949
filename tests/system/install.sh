#!/bin/sh
# SPDX-License-Identifier: MIT
# make install below a folder whose name has a blank: what is there works, and has every document that a help text or a
# manual page names.  usage: install.sh BUILD
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
dest="$work/dest dir"
${MAKE:-make} --no-print-directory install "BUILD=$1" "DESTDIR=$dest" PREFIX=/opt/probity LIBDIR=lib/here >"$work/log" 2>&1 ||
    { cat "$work/log" >&2; exit 1; }
fail() { echo "install: $*" >&2; exit 1; }

# Nothing outside the folder: not where its name ends at the blank, nor here.
[ "$(ls "$work")" = "$(printf 'dest dir\nlog')" ] || fail "beside the folder: $(ls "$work")"
[ "$(ls "$dest/opt")" = probity ] || fail "below DESTDIR, and not below PREFIX: $(ls "$dest" "$dest/opt")"
at="$dest/opt/probity"

[ "$("$at/bin/probity" loss rr:odds=3 --delta 0)" = "$("$1/probity" loss rr:odds=3 --delta 0)" ] || fail "another answer than that of $1/probity"
[ "$("$at/bin/probity" prove --root)" = "$at/share/probity/prove" ] || fail "probity prove has no root"
[ "$(PKG_CONFIG_PATH="$at/lib/here/pkgconfig" pkg-config --variable=libdir probity)" = /opt/probity/lib/here ] || fail "probity.pc names another folder"
[ -e "$at/lib/here/libprobity.so" ] || fail "libprobity.so leads nowhere"

# A name of a file, without the full stop that ends a sentence.
named() { grep -oE 'docs/[A-Za-z0-9_/.-]+' | sed 's/[.]$//' | grep -v '^docs/NAME' | sort -u; }
{
    "$at/bin/probity" --help
    for page in docs/probity-*.1; do
        command=$(basename "$page" .1)
        "$at/bin/probity" "${command#probity-}" --help
        cat "$at/share/man/man1/$command.1"
    done
    cat "$at/share/man/man1/probity.1"
} | named >"$work/named"
while read -r name; do
    [ -e "$at/share/doc/probity/${name#docs/}" ] || fail "$name is named in a help text or a manual page, and not installed"
done <"$work/named"
count=$(wc -l <"$work/named")
[ "$count" -ge 15 ] || fail "only $count documents are named"
echo "install: below a folder with a blank, with the $count documents that helps and manuals name"
