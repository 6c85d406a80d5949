#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lists the sources that a program needs, out of the objects of the build for this machine.

    needed.py BUILD ROOT.c...

A source is needed if it is a ROOT, or defines a symbol that a needed one leaves undefined. A ROOT without an object here (one that
is only compiled elsewhere) is given as ROOT.c:SYMBOL,..., the symbols that it needs."""
import os
import subprocess
import sys


def symbols(build):
    """For each source what it defines and what it leaves undefined."""
    folder = os.path.join(build, "obj", "src")
    objects = [os.path.join(d, f) for d, _, files in os.walk(folder) for f in files if f.endswith(".o")]
    defines, leaves = {}, {}
    for line in subprocess.run(["nm", "-A", *sorted(objects)], check=True, capture_output=True, text=True).stdout.splitlines():
        path, rest = line.split(":", 1)
        source = os.path.relpath(path, os.path.join(build, "obj"))[:-2] + ".c"
        if not os.path.exists(source):
            continue
        fields = rest.split()
        if len(fields) == 2 and fields[0] in "Uwv":
            leaves.setdefault(source, set()).add(fields[1])
        elif len(fields) == 3 and fields[1] in "TDBRCVWi" and not fields[2].startswith("__gnu_lto"):
            defines.setdefault(fields[2], source)
    return defines, leaves


def main():
    defines, leaves = symbols(sys.argv[1])
    needed, following = set(), []
    for root in sys.argv[2:]:
        source, _, wanted = root.partition(":")
        if wanted:
            leaves[source] = set(wanted.split(","))
        following.append(source)
    while following:
        source = following.pop()
        if source in needed:
            continue
        needed.add(source)
        following += [defines[s] for s in leaves.get(source, ()) if s in defines and defines[s] != "src/cli/main.c"]
    print("\n".join(sorted(needed)))


if __name__ == "__main__":
    main()
