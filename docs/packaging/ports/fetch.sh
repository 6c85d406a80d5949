#!/bin/sh
# SPDX-License-Identifier: MIT
# Fetches the source packages that sources.txt names, checks every file against the digest there, and unpacks them with
# Debian's patches.
#   usage: fetch.sh DIR          the sources are unpacked in DIR/PACKAGE
# apt-get gets configuration, lists and cache of its own in DIR/apt, so the system's stay as they are. MIRROR=URI names another mirror of
# Debian than the one apt uses here.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
dir=$(cd "$1" && pwd)
pins=$here/sources.txt
stamp=$dir/unpacked
# This script unpacks the pinned files and changes them: a change of either unpacks them again.
wanted_stamp=$(cat "$pins" "$0")
if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted_stamp" ]; then exit 0; fi

apt=$dir/apt
mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -m 1 '/debian/$' || true)}
[ -n "$mirror" ] || { echo "fetch: no mirror of Debian among apt's sources; name one with MIRROR=URI" >&2; exit 3; }
mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$apt/files"
for suite in bookworm bookworm-updates; do
  printf 'Types: deb-src\nURIs: %s\nSuites: %s\nComponents: main\n' "$mirror" "$suite"
  printf 'Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg\n\n'
done >"$apt/debian.sources"
printf 'Types: deb-src\nURIs: %s-security/\nSuites: bookworm-security\nComponents: main\n' "${mirror%/}" >>"$apt/debian.sources"
printf 'Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg\n' >>"$apt/debian.sources"
own() {
  apt-get -qq -o "Dir::Etc::SourceList=$apt/debian.sources" -o Dir::Etc::SourceParts=- -o "Dir::State::Lists=$apt/lists" \
    -o "Dir::Cache=$apt" -o APT::Sandbox::User=root "$@"
}

# sources.txt: a line "package NAME VERSION", then one "file SHA256 NAME" for each of its files.
wanted=$(awk '$1 == "package" { print $2 "=" $3 }' "$pins")
cd "$apt/files"
awk '$1 == "file" { print $2 "  " $3 }' "$pins" >../digests
if ! sha256sum --quiet --status -c ../digests 2>/dev/null; then
  echo "  sources of Debian 12: $(echo "$wanted" | wc -l) packages"
  own update
  # shellcheck disable=SC2086
  own source --download-only $wanted >/dev/null
fi
sha256sum --quiet -c ../digests || { echo "fetch: these are not the files that docs/packaging/ports/sources.txt names" >&2; exit 3; }

for p in $wanted; do
  name=${p%%=*}
  version=${p#*=}
  echo "  unpack $name $version"
  rm -rf "${dir:?}/$name"
  dpkg-source --no-check --no-copy -x "${name}_${version#*:}.dsc" "$dir/$name" >/dev/null
  # Two packages come without a configure script, and GMP's without the folder of its manual, which Debian must not distribute.
  case $name in
  libsodium | jansson) (cd "$dir/$name" && autoreconf -fi >"$apt/$name.log" 2>&1) || { cat "$apt/$name.log" >&2; exit 3; } ;;
  # FLINT knows limbs that are longer than a long on 64-bit Windows only; 32-bit WebAssembly has them too.
  flint) sed -i 's/^#if defined(_WIN64) || defined(__mips64)$/#if defined(_WIN64) || defined(__mips64) || defined(__wasm__)/' "$dir/flint/flint.h"
    grep -q __wasm__ "$dir/flint/flint.h" || { echo "fetch: flint.h has no place for WebAssembly" >&2; exit 3; } ;;
  # Arb takes an exponent for one of MPFR's, which has 32 bits there: beyond them a number is rounded as beyond those of 64 bits.
  flint-arb) file=$dir/flint-arb/arf/get_mpfr.c
    sed -i 's/^    else if (COEFF_IS_MPZ(\*ARF_EXPREF(y)))$/    else if (COEFF_IS_MPZ(*ARF_EXPREF(y)) || ARF_EXP(y) > mpfr_get_emax_max() || ARF_EXP(y) < mpfr_get_emin_min())/' "$file"
    grep -q 'ARF_EXP(y) > mpfr_get_emax_max()' "$file" || { echo "fetch: arf_get_mpfr has no place for exponents of 32 bits" >&2; exit 3; }
    # Arb counts the bits of an integer in a long of GMP's, and one of 32 bits would be cut.
    file=$dir/flint-arb/arf/get_fmpz.c
    sed -i 's,^    /\* |x| >= 1 \*/$,    if (exp >= LONG_MAX - FLINT_BITS) flint_abort();,' "$file"
    grep -q 'LONG_MAX - FLINT_BITS) flint_abort' "$file" || { echo "fetch: arf_get_fmpz has no place for numbers of 2^31 bits" >&2; exit 3; } ;;
  gmp) mkdir -p "$dir/gmp/doc" && printf 'all install check clean:\n\t@true\n' >"$dir/gmp/doc/Makefile.in" ;;
  esac
done
printf '%s\n' "$wanted_stamp" >"$stamp"
