#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Keeps the results of the last run of the whole suite, for as long as nothing has changed.

    python3 tests/claims/kept.py BUILD

begins a record in BUILD/ran: make check calls it, and then the suite, which writes its results there. make claims takes them
while every file of the tree and both programs are what they were when the record was begun; else it runs the tests itself.
"""
import hashlib
import json
import os
import shutil
import sys
from pathlib import Path

from inventory import ROOT

APART = {".git", "build", "__pycache__"}


def files():
    """Every file of the tree, without what is built."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(name for name in folders if name not in APART)
        yield from (Path(folder) / name for name in sorted(names))


def digest(build):
    found = hashlib.sha256()
    for path in [build / "suite", build / "probity", *files()]:
        found.update(f"{os.path.relpath(path, ROOT)}\0{path.stat().st_size}\0".encode())
        found.update(path.read_bytes())
    return found.hexdigest()


def begin(build):
    folder = build / "ran"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "told").touch()
    (folder / "key").write_text(digest(build))


def read(build):
    """The suites as Criterion lists them, and the lines that tests told; None where there is no such record."""
    folder = build / "ran"
    if not (folder / "result.json").is_file() or (folder / "key").read_text() != digest(build):
        return None
    return json.loads((folder / "result.json").read_text())["test_suites"], (folder / "told").read_text()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    begin(Path(sys.argv[1]).resolve())
