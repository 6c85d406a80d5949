#!/bin/sh
# SPDX-License-Identifier: MIT
# Compiles the libraries that Probity needs for another machine or C library, out of the sources that fetch.sh unpacked.
#   usage: libraries.sh TARGET BUILD      TARGET: x86_64-linux-musl, aarch64-linux-musl or wasm32-wasi; everything goes to BUILD/TARGET
# GMP, MPFR, libsodium, Jansson and SQLite become archives in deps/lib. FLINT and Arb have 5,300 sources of which a tenth is
# reached: here they get only their headers, and reached.py compiles the sources. JOBS=N compiles on N cores,
# and BEFORE='nice -n 10' stands before each long command.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
target=$1
build=$(cd "$2" && pwd)
sources=$build/sources
dir=$build/$target
deps=$dir/deps
bin=$dir/bin
jobs=${JOBS:-$(nproc)}
before=${BEFORE:-}
mkdir -p "$deps/include" "$deps/lib" "$dir/libraries" "$bin"

# zig comes from pip, by digest. The tools that a build asks for are one line each; no path of this machine stays in what they make.
if ! "$build/zig/bin/python" -c 'import ziglang' 2>/dev/null; then
  echo "  zig"
  python3 -m venv "$build/zig"
  "$build/zig/bin/pip" install -q --disable-pip-version-check --require-hashes -r "$here/zig.txt"
fi
zig=$("$build/zig/bin/python" -c 'import os, ziglang; print(os.path.join(os.path.dirname(ziglang.__file__), "zig"))')
tool() {
  printf '#!/bin/sh\nexport ZIG_GLOBAL_CACHE_DIR=%s ZIG_LOCAL_CACHE_DIR=%s\nexec %s %s "$@"\n' \
    "$build/cache" "$build/cache" "$zig" "$2" >"$bin/$1.new"
  chmod +x "$bin/$1.new"
  cmp -s "$bin/$1.new" "$bin/$1" && rm "$bin/$1.new" || mv "$bin/$1.new" "$bin/$1"
}
case $target in
# WASI has no signals, mappings or processor times of its own; these names ask wasi-libc for its imitations.
wasm32-*) own="-D_WASI_EMULATED_MMAN -D_WASI_EMULATED_SIGNAL -D_WASI_EMULATED_PROCESS_CLOCKS -D_WASI_EMULATED_GETPID" ;;
# A target that is named has the instructions that each processor of its kind has. -mcpu=baseline would say so, and zig does not take it with
# the text of the kernel, which is preprocessed.
*) own= ;;
esac
tool clang "cc -target $target $own -isystem $deps/include -ffile-prefix-map=$build/= -Wno-unused-command-line-argument"
tool ar ar
tool ranlib ranlib
tool objcopy objcopy

export CC="$bin/clang" AR="$bin/ar" RANLIB="$bin/ranlib" NM=llvm-nm CFLAGS=-O2 CC_FOR_BUILD=gcc
# A long of wasm32 has 32 bits. GMP would take it for its limb, and FLINT's slong would be cut to it: bounds would be wrong
# (src/base/widths.h stops such a build). With limb=longlong GMP has limbs of 64 bits, as on 64-bit Windows.
case $target in
wasm32-*) host=wasm32-wasi gmp_host=none gmp_own=--disable-assembly mpfr_own=--disable-thread-safe sodium_own='--disable-ssp --without-pthreads'
  export limb=longlong ;;
*) host=${target%%-*}-linux-gnu gmp_host=$host gmp_own= mpfr_own= sodium_own= ;;
esac

# $1 a library: its configure script with the other arguments; the caller makes it.
configure() {
  name=$1
  shift
  mkdir -p "$dir/libraries/$name"
  cd "$dir/libraries/$name"
  [ ! -f configured ] || return 0
  echo "  configure $name for $target"
  "$sources/$name/configure" --build=x86_64-pc-linux-gnu --disable-shared --enable-static --with-pic --prefix="$deps" "$@" \
    >configure.log 2>&1 || { tail -20 configure.log >&2; exit 3; }
  touch configured
}
made() {
  echo "  make $name for $target"
  # The flags of a make that runs this script are not for these makes, and their own must reach the makes below them.
  MAKEFLAGS= $before make -s -j"$jobs" "$@" >make.log 2>&1 || { tail -20 make.log >&2; exit 3; }
}

if [ ! -f "$deps/lib/libgmp.a" ]; then
  # shellcheck disable=SC2086
  configure gmp --host=$gmp_host --disable-cxx $gmp_own
  grep -q '^#define GMP_LIMB_BITS *64$' gmp.h || { echo "libraries: GMP's limbs do not have 64 bits" >&2; exit 3; }
  made SUBDIRS="mpn mpz mpq mpf printf scanf rand" MAKEINFO=true
  cp gmp.h "$deps/include/"
  cp .libs/libgmp.a "$deps/lib/"
fi
if [ ! -f "$deps/lib/libmpfr.a" ]; then
  # shellcheck disable=SC2086
  configure mpfr4 --host=$host --with-gmp="$deps" $mpfr_own
  made -C src libmpfr.la
  cp "$sources/mpfr4/src/mpfr.h" "$deps/include/"
  cp src/.libs/libmpfr.a "$deps/lib/"
fi
if [ ! -f "$deps/lib/libsodium.a" ]; then
  # zig compiles a C library for each set of instructions that a program is linked for, and configure would link one for each of these.
  case $target in
  x86_64-*) for flag in mmmx msse2 msse3 mssse3 msse4_1 mavx mavx2 mavx512f maes mpclmul mrdrnd; do export "ax_cv_check_cflags___$flag=yes"; done ;;
  esac
  # shellcheck disable=SC2086
  configure libsodium --host=$host $sodium_own
  made -C src/libsodium install
fi
if [ ! -f "$deps/lib/libjansson.a" ]; then
  configure jansson --host=$host
  made -C src install
fi

# SQLite is one source, which its own script joins from its parts, alike for all machines. No ledger is kept in a browser.
case $target in wasm32-*) ledger=no ;; *) ledger=yes ;; esac
if [ $ledger = yes ] && [ ! -f "$build/sqlite/sqlite3.c" ]; then
  echo "  join sqlite3.c"
  mkdir -p "$build/sqlite" && cd "$build/sqlite"
  env -u CC -u AR -u RANLIB "$sources/sqlite3/configure" --disable-tcl >configure.log 2>&1 &&
    MAKEFLAGS= env -u CC $before make -s sqlite3.c >make.log 2>&1 || { tail -20 ./*.log >&2; exit 3; }
fi
if [ $ledger = yes ] && [ ! -f "$deps/lib/libsqlite3.a" ]; then
  echo "  make sqlite3 for $target"
  cp "$build/sqlite/sqlite3.h" "$deps/include/"
  cd "$build/sqlite"
  "$CC" -O2 -fno-strict-aliasing -fPIC -DSQLITE_THREADSAFE=1 -DSQLITE_SECURE_DELETE -DSQLITE_USE_URI=1 -DSQLITE_OMIT_LOAD_EXTENSION \
    -c sqlite3.c -o "$dir/libraries/sqlite3.o"
  "$AR" rcs "$deps/lib/libsqlite3.a" "$dir/libraries/sqlite3.o"
fi

# FLINT's configure script asks the machine that it runs on; these are its answers for 64-bit Linux, as in Debian's package, without an
# instruction that an old processor may lack. Headers lie where Debian 12 puts them.
if [ ! -f "$deps/include/flint/flint-config.h" ]; then
  mkdir -p "$deps/include/flint"
  cp "$sources"/flint/*.h "$deps/include/flint/"
  cp "$sources"/flint-arb/*.h "$deps/include/"
  cp "$sources/flint/fmpz-conversions-single.in" "$deps/include/flint/fmpz-conversions.h"
  cp "$sources/flint/fft_tuning64.in" "$deps/include/flint/fft_tuning.h"
  {
    case $target in wasm32-*) there=0 ;; *) there=1 ;; esac
    for name in TLS FENV PTHREAD; do echo "#define FLINT_USES_$name $there"; done
    for name in USES_BLAS USES_GC USES_CPUSET BIG_ENDIAN REENTRANT WANT_ASSERT; do echo "#define FLINT_$name 0"; done
    echo '#define FLINT_DLL'
  } >"$deps/include/flint/flint-config.h"
fi
