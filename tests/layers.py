#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The order of the layers, read from the includes.

A folder of src includes only itself and the folders above it in LAYERS; the kernel only itself and acsl/. Folders inside
a layer that are listed in ORDER follow theirs. No header includes itself, however many steps away. A file's name occurs once,
whatever its folder.
usage: layers.py [SOURCE]"""
import collections
import os
import re
import sys

LAYERS = ["base", "number", "io", "picture", "entropy", "kernel", "law", "pair", "transport", "mechanism", "loss",
          "accuracy", "select", "plan", "deployment", "certificate", "table", "release", "session", "report", "audit", "estimate",
          "lab", "cli", "python", "web"]
ORDER = {
    "loss": ["divergence", "profile", "pld", "adaptive", "compose", "bounded", "theorem", "convert", ""],
    "table": ["row", "key", "sort", "measure", "arrow", "store", "csv", "map", "records", "answer", ""],
    "report": ["", "loss", "explain", "accuracy", "plan"],
    "audit": ["count", "bound", "choose", "judge", "search", "canary", "report", "trace", "timing", "", "run", "dossier"],
}
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def sources(root):
    """Every source below root: its path from there, and what it includes by a name in quotes."""
    found = {}
    for folder, _, names in os.walk(root):
        for name in names:
            if name.endswith((".c", ".h")):
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as text:
                    found[os.path.relpath(path, root)] = INCLUDE.findall(text.read())
    return found


def inner(path):
    """The folder inside the layer, and "" for a file that stands in the layer itself."""
    parts = path.split("/")
    return parts[1] if len(parts) > 2 else ""


def fault(path, include):
    """Why a file may not include another, or None."""
    layer, other = path.split("/")[0], include.split("/")[0]
    if layer == "kernel":
        return None if other in ("kernel", "acsl") else "the kernel includes only itself and acsl/"
    if other in ("probity", "probity.h"):
        return None
    if layer == "python":
        return "the binding includes public headers alone"
    if other not in LAYERS:
        return "not a layer of src"
    if LAYERS.index(other) > LAYERS.index(layer):
        return f"{other} lies below {layer}"
    if other == layer and layer in ORDER and inner(include) != inner(path):
        order = ORDER[layer]
        if order.index(inner(include)) > order.index(inner(path)):
            return f"{layer}/{inner(include)} lies below {layer}/{inner(path)}"
    return None


def cycle(found):
    """Headers that include each other in a ring, or None."""
    done, trail = set(), []

    def visit(path):
        if path in trail:
            return trail[trail.index(path):] + [path]
        if path in done or path not in found:
            return None
        trail.append(path)
        for include in found[path]:
            ring = visit(include)
            if ring:
                return ring
        trail.pop()
        done.add(path)
        return None

    for path in sorted(found):
        ring = visit(path)
        if ring:
            return ring
    return None


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "src")
    found = sources(root)
    faults = [f"src/{path}: includes {include}: {why}" for path in sorted(found) for include in found[path]
              for why in [fault(path, include)] if why]
    faults += [f"src/{path}: in no layer" for path in sorted(found) if path.split("/")[0] not in LAYERS]
    names = collections.Counter(map(os.path.basename, found))
    faults += [f"src/{path}: another file has this name" for path in sorted(found) if names[os.path.basename(path)] > 1]
    ring = cycle(found)
    if ring:
        faults.append("headers in a ring: " + " -> ".join(ring))
    for line in faults:
        print(line, file=sys.stderr)
    if not faults:
        print(f"layers: {len(found)} files, {sum(map(len, found.values()))} includes, each upwards")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
