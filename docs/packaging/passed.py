#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which goals of make have passed, and on which bytes.

    python3 docs/packaging/passed.py begin|end BUILD GOAL

A goal begins with `begin`, which takes the digest of every file of the tree, and ends with `end`, which writes it to
BUILD/passed/GOAL, unless a file was changed meanwhile. A goal that fails ends nowhere and leaves no record. make dist states
what has passed for the bytes that it packs.
"""
import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
APART = {".git", "build", "__pycache__", ".probity"}


def names(root):
    """Every file that git knows or would take; without a repository every file but what is built."""
    done = subprocess.run(("git", "ls-files", "-z", "-co", "--exclude-standard"), cwd=root, capture_output=True)
    if done.returncode == 0 and (root / ".git").exists():
        return [name for name in os.fsdecode(done.stdout).split("\0") if name and ((root / name).is_file() or (root / name).is_symlink())]
    return [str(p.relative_to(root)) for p in root.rglob("*") if p.is_file() and not APART & set(p.relative_to(root).parts)]


def digest(files):
    """Returns the digest of files as (name, whether it may be executed, bytes)."""
    found = hashlib.sha256()
    for name, runs, data in sorted(files):
        found.update(f"{name}\0{int(runs)}\0{len(data)}\0".encode() + data)
    return found.hexdigest()


def content(path):
    """Returns whether a file may be executed, and its bytes; those of a link are the name that it leads to, as in an archive of git."""
    return (False, os.fsencode(os.readlink(path))) if path.is_symlink() else (os.access(path, os.X_OK), path.read_bytes())


def tree(root):
    return digest((name, *content(root / name)) for name in names(root))


def begin(root, build, goal):
    folder = Path(build) / "passed"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / goal).unlink(missing_ok=True)
    (folder / f"{goal}.begun").write_text(tree(root))


def end(root, build, goal):
    folder = Path(build) / "passed"
    begun = folder / f"{goal}.begun"
    was = begun.read_text() if begun.is_file() else ""
    begun.unlink(missing_ok=True)
    if was == tree(root):
        (folder / goal).write_text(was)
    else:
        print(f"{goal}: passed, but files were changed meanwhile: make dist will not state it")


def passed(build, wanted):
    """The goals that have passed on the tree of that digest."""
    folder = Path(build) / "passed"
    return sorted(p.name for p in folder.glob("*") if not p.name.endswith(".begun") and p.read_text() == wanted)


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in ("begin", "end"):
        sys.exit(__doc__)
    {"begin": begin, "end": end}[sys.argv[1]](ROOT, *sys.argv[2:])
