#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the WebAssembly module of loss and verify, and the pages that hold it.
#   usage: build.sh BUILD VERSION WARNINGS      writes BUILD/web; BUILD holds the objects for this machine
# The compiler and the libraries are those of docs/packaging/ports, built once into BUILD/port. JOBS=N compiles on N cores, and
# BEFORE='nice -n 10' stands before each long command.
set -eu
cd "$(dirname "$0")/../.."
ports=docs/packaging/ports
mkdir -p "$1/port" "$1/web"
build=$(cd "$1" && pwd)
dir=$build/port/wasm32-wasi
jobs=${JOBS:-$(nproc)}
before=${BEFORE:-}

$ports/fetch.sh "$build/port/sources"
JOBS=$jobs $ports/libraries.sh wasm32-wasi "$build/port"

# Those sources of Probity that the module's commands reach.
symbols=pby_command_loss,pby_command_select,pby_command_explain,pby_command_verify,pby_work_time,pby_guard_begin,pby_guard_end,pby_options_common,pby_print_end,pby_version,pby_interrupt_by,pby_refuse,pby_advise
python3 src/web/needed.py "$build" src/web/module_main.c:$symbols >"$dir/sources.new"
cmp -s "$dir/sources.new" "$dir/sources.txt" || mv "$dir/sources.new" "$dir/sources.txt"
MAKEFLAGS= $before make --no-print-directory -j"$jobs" -f src/web/module.mk DIR="$dir" VERSION="$2" WARNINGS="$3" "$dir/objects"

# FLINT's sources are looked for again only when an object is new or they were unpacked again; its objects stay.
module=$build/web/probity.wasm
if [ ! -f "$module" ] || [ -n "$(find "$build/port/sources/unpacked" "$dir/objects" "$dir/deps/lib" $ports/narrow.h $(cat "$dir/objects") -newer "$module")" ]; then
  # shellcheck disable=SC2086
  xargs $before python3 $ports/reached.py --sources "$build/port/sources" --target "$dir" --jobs "$jobs" <"$dir/objects"
  # The stack has 8 MiB, as on Linux; the memory at most 2 GiB, the limit of loss.
  echo "  ld $module"
  emulated="-lwasi-emulated-mman -lwasi-emulated-signal -lwasi-emulated-process-clocks -lwasi-emulated-getpid"
  # shellcheck disable=SC2046,SC2086
  $before "$dir/bin/clang" -O2 -s $(cat "$dir/objects") "-L$dir/deps/lib" -ljansson -lsodium -lflint -lmpfr -lgmp -lm $emulated \
    -Wl,-z,stack-size=8388608 -Wl,--max-memory=2147483648 -o "$module.new"
  chmod 644 "$module.new"
  mv "$module.new" "$module"
fi
python3 src/web/assemble.py "$build" "$2"
