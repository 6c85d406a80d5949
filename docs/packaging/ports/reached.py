#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles the sources of FLINT and Arb that Probity reaches, into one archive.

    reached.py --sources DIR --target DIR --jobs N OBJECT...

FLINT and Arb have 5,300 sources. As a linker takes members from an archive, this takes sources: it looks up each symbol that the
objects leave undefined, compiles the source that defines it, and goes on with what that one leaves undefined. A source
that was taken in vain costs time and nothing else, since the linker takes from the archive only what it needs; one that
was missed stops the linker.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys

# Folders that hold no part of the libraries. The implementations of fmpz in fmpz/link are alternatives; single is Debian's.
SKIPPED = {"test", "tune", "profile", "doc", "examples", "build", "debian", "CMake", "dev", "python", "templates", "flintxx", ".pc"}
ALTERNATIVES = {"fmpz_gc.c", "fmpz_reentrant.c"}

COMMENT = re.compile(r"/\*.*?\*/", re.S)
# In both libraries a definition begins in the first column: its type on the same line or on the line before.
FUNCTION = re.compile(r"^(?!#|typedef|static|\s)(?:[A-Za-z_][\w \t*]*?[ \t*\n])?([A-Za-z_]\w*)[ \t]*\(", re.M)
VARIABLE = re.compile(r"^(?!#|typedef|static|extern|\s)[A-Za-z_][\w \t*]*?[ \t*]([A-Za-z_]\w*)[ \t]*(?:\[[^\]\n]*\][ \t]*)*(?:=|;)", re.M)
CONSTANT = re.compile(r"^_?\w*DEF_CACHED_CONSTANT\w*\((\w+)", re.M)


def defined_in(path):
    """The names that a source seems to define; some are calls, macros or prototypes."""
    with open(path, encoding="utf-8", errors="replace") as source:
        text = COMMENT.sub("", source.read())
    return set(FUNCTION.findall(text)) | set(VARIABLE.findall(text)) | set(CONSTANT.findall(text))


def candidates(roots):
    """For each name the sources that may define it; first the one that the libraries' rule leads to: arb_add is in arb/add.c."""
    found = {}
    for root in roots:
        for folder, folders, files in os.walk(root):
            folders[:] = sorted(set(folders) - SKIPPED)
            module = os.path.relpath(folder, root).replace("/", "_")
            for name in sorted(files):
                if not name.endswith(".c") or name in ALTERNATIVES:
                    continue
                path = os.path.join(folder, name)
                for symbol in defined_in(path):
                    bare = symbol.lstrip("_")
                    rank = 0 if bare == module + "_" + name[:-2] else 1 if bare.startswith(module) else 2
                    found.setdefault(symbol, []).append((rank, path))
    return {symbol: [path for _, path in sorted(paths)] for symbol, paths in found.items()}


def symbols(files):
    """Returns the symbols that object files define, and those that they leave undefined."""
    defined, undefined = set(), set()
    for line in subprocess.run(["llvm-nm", *files], check=True, capture_output=True, text=True).stdout.splitlines():
        fields = line.split()
        if len(fields) == 2 and fields[0] in "Uwv":
            undefined.add(fields[1])
        elif len(fields) == 3 and fields[1] in "TDBRCVW":
            defined.add(fields[2])
    return defined, undefined


class Compiler:
    def __init__(self, sources, target):
        self.sources, self.cc, self.folder = sources, os.path.join(target, "bin", "clang"), os.path.join(target, "libraries", "flint")
        include = os.path.join(target, "deps", "include")
        self.flags = ["-std=gnu11", "-O2", "-fno-strict-aliasing", "-fPIC", "-w", "-I" + include, "-I" + os.path.join(include, "flint")]
        self.narrow = os.path.join(os.path.dirname(os.path.abspath(__file__)), "narrow.h") if os.path.basename(target).startswith("wasm32") else None
        os.makedirs(self.folder, exist_ok=True)

    def __call__(self, source):
        name = os.path.relpath(source, self.sources)
        made = os.path.join(self.folder, name[:-2].replace("/", "__") + ".o")
        # memory_manager.c defines the functions that the header redefines.
        narrow = [self.narrow] if self.narrow is not None and os.path.basename(name) != "memory_manager.c" else []
        flags = self.flags + [word for header in narrow for word in ("-include", header)]
        if not os.path.exists(made) or os.path.getmtime(made) < max(os.path.getmtime(path) for path in [source, self.cc, *narrow]):
            subprocess.run([self.cc, *flags, "-c", name, "-o", made + ".new"], check=True, cwd=self.sources)
            os.replace(made + ".new", made)
        return made


def reach(index, compiler, objects, jobs):
    """The objects of every source that is reached from these objects."""
    defined, wanted = symbols(objects)
    made, tried = [], set()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        while True:
            following = set()
            for symbol in wanted - defined:
                following |= set([path for path in index.get(symbol, []) if path not in tried][:1])
            if not following:
                return made
            tried |= following
            more = list(pool.map(compiler, sorted(following)))
            made += more
            print("  flint: %d sources reached" % len(made), flush=True)
            new, open_ends = symbols(more)
            defined |= new
            wanted |= open_ends


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sources", required=True)
    parser.add_argument("--target", required=True)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("objects", nargs="+")
    arguments = parser.parse_args()
    sources, target = os.path.abspath(arguments.sources), os.path.abspath(arguments.target)
    index = candidates([os.path.join(sources, "flint-arb"), os.path.join(sources, "flint")])
    try:
        made = reach(index, Compiler(sources, target), arguments.objects, arguments.jobs)
    except subprocess.CalledProcessError as error:
        sys.exit("reached: %s: exit status %d" % (" ".join(error.cmd[-4:]), error.returncode))
    archive = os.path.join(target, "deps", "lib", "libflint.a")
    if os.path.exists(archive):
        os.remove(archive)
    subprocess.run([os.path.join(target, "bin", "ar"), "rcs", archive, *made], check=True)


if __name__ == "__main__":
    main()
